"""The refereed game: a line that somebody typed goes in, an answer comes out.

The table has no terminal, no file and no clock; whoever has those tells it lines and shows its
answers. It reads what was typed, has the cards moved and ruled on (`play`), and holds every step,
so that any of them can be taken back.

    table = Table(rules, ("Ana", "Luis"))
    answer = table.enter("k9")           # Ana turned up a king, Luis a nine
    answer.lines                         # what to show
    answer.entries                       # what to write into the record, if anything

What was accepted is told by *entries* of a game record. Another table that is given them one by
one (`apply`) comes to stand exactly as this one does.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property, partial
from typing import Literal

from warcli.cards import Card
from warcli.events import Result, Round
from warcli.game import Game, Shuffle, Slot
from warcli.record import Entry, Flip, Laid, Note, Outcome
from warcli.referee.asked import QUESTIONS, history
from warcli.referee.commands import COMMANDS
from warcli.referee.doubt import explanations
from warcli.referee.knowledge import Impossible, Knowledge
from warcli.referee.play import Moment, Play
from warcli.referee.refusals import impossible, unreadable
from warcli.referee.ruling import Ruling
from warcli.referee.steps import Steps
from warcli.referee.typed import readings
from warcli.referee.voice import Voice
from warcli.rules import Rules
from warcli.words import say, say_count

_STUCK = re.compile("([a-z]+)([0-9]+)")
"""A command with its number and no space between them."""

_WITH_NUMBERS = {"undo": (0, 1), "redo": (0, 1), "history": (0, 1), "count": range(1, 100)}
"""The commands that can be followed by numbers, and by how many of them."""

_MANY = 9
"""More meanings of one line than these are not told one by one."""

Kind = Literal["ruled", "asked", "refused", "told"]


class Answer:
    """What the table has to say to a line or an entry."""

    kind: Kind
    """`ruled`: it was accepted, and changed something. `told`: it was answered, and nothing
    changed. `asked`: it isn't clear, and a number answers the question. `refused`."""
    entries: tuple[Entry, ...]
    """What belongs into the record for it; empty unless it was accepted."""
    round: Round | None
    """The round that it ended, if any; `?` for a card that nobody saw."""

    def __init__(
        self,
        kind: Kind,
        words: Callable[[], Iterable[str]],
        entries: Sequence[Entry] = (),
        ended: Round | None = None,
    ) -> None:
        self.kind = kind
        self.entries = tuple(entries)
        self.round = ended
        self._words = words

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """What to show, a sentence or two a line."""
        return tuple(self._words())


_Act = Callable[[], Answer]


class Table:
    """One game at a real table, as far as it was typed."""

    rules: Rules
    players: tuple[str, ...]
    paused: bool
    """Whether the players stopped the clock."""

    def __init__(
        self,
        rules: Rules,
        players: Sequence[str],
        piles: Sequence[Sequence[Card]] | None = None,
        *,
        hints: bool = False,
        shuffle: Shuffle | None = None,
    ) -> None:
        """Begin a game of unknown cards, dealt evenly as the rules say; or of these `piles`, one
        a seat, the top card first, with `?` for a card that isn't known.

        With `hints`, an empty line takes the next cards, where they are known. `shuffle` shuffles
        cards in play where somebody knows how; else nobody knows their order afterwards. Raises
        ValueError when there are more or fewer names or piles than seats, or cards that the pack
        hasn't.
        """
        if len(players) != rules.players:
            raise ValueError(f"{len(players)} names for {rules.players} players")
        self.rules = rules
        self.players = tuple(players)
        self.paused = False
        self._hints = hints
        self._voice = Voice(rules, players)
        self._play = Play(rules, piles, shuffle)
        self._steps = Steps(self._play)
        self._choices: tuple[_Act, ...] = ()  # what answers to the last question do
        self._doubted: tuple[Card, ...] | None = None
        self._accepting = False
        self._time_is_up = False

    # What others may want to show

    @property
    def game(self) -> Game:
        """The law's side of it. Look, don't touch."""
        return self._play.game

    @property
    def knowledge(self) -> Knowledge:
        """What is known of the cards."""
        return self._play.knowledge

    @property
    def ruling(self) -> Ruling | None:
        """The last ruling, if any: what `why` explains."""
        return self._play.ruling

    @property
    def rounds(self) -> list[Round]:
        """All rounds that are over; `?` for a card that isn't known."""
        return self._play.last_rounds()

    def last_rounds(self, many: int) -> list[Round]:
        """So many of them, the last ones; fewer, if there aren't as many."""
        return self._play.last_rounds(many)

    @property
    def result(self) -> Result | None:
        """How the game ended; None while it goes on."""
        return self.game.result

    @property
    def due(self) -> tuple[int, ...]:
        """The seats whose cards are typed next, in order; none once the game is over."""
        return self.game.due.seats if self.game.due else ()

    @property
    def number(self) -> int:
        """The round that is played now, from 1; the last one once the game is over."""
        game = self.game
        return game.rounds if game.laid or game.result else game.rounds + 1

    @property
    def asking(self) -> int:
        """How many answers the question has that was asked last; 0: none was."""
        return len(self._choices)

    def possible(self) -> tuple[frozenset[Card], ...]:
        """For each seat of `due`, every card (or rank) that it can turn up."""
        due = self.game.due
        return tuple(map(self.knowledge.possible, due.slots)) if due else ()

    def hints(self) -> tuple[Card, ...] | None:
        """What the seats that are due turn up next (card, or rank alone), if all of it is known."""
        due = self.game.due
        if due is None:
            return None
        certain = tuple(map(self.knowledge.certain, due.slots))
        return None if None in certain else tuple(filter(None, certain))

    def wanted(self) -> str:
        """What is to be typed next, in a few words: `Round 3: Ana, Luis`."""
        if self.result is not None:
            return say("The game is over (leave, or undo)")
        players = ", ".join(self.players[seat] for seat in self.due)
        if self.game.laid:
            return say("Round {number}, war: {players}", number=self.number, players=players)
        return say("Round {number}: {players}", number=self.number, players=players)

    def taken_in(self, slot: Slot) -> int | None:
        """The round in which the card at this slot was captured last; None: it never was."""
        return self._play.taken_in(slot)

    def is_away(self, slot: Slot) -> bool:
        """Whether the card at this slot lies aside for the game."""
        return self._play.is_away(slot)

    # What comes in

    def enter(self, line: str) -> Answer:
        """Take a typed line. Whatever it is, it can't do harm: what isn't accepted changes
        nothing.

        A number that answers a question is an answer; what is a command and nothing else is that;
        the rest are cards. Where more than one of these can be meant, that is asked.
        """
        choices, self._choices = self._choices, ()
        self._accepting = False
        text = line.strip()
        if text.isdecimal() and len(text) < 4 and 1 <= int(text) <= len(choices):
            return choices[int(text) - 1]()
        if not text:
            return (self._hints and self.turn_up_known()) or _told(self.wanted())
        meanings: list[tuple[str, _Act]] = [
            (self._cards_said(cards), self._turning_up(cards)) for cards in self._as_cards(text)
        ]
        command = self._as_command(text)
        if command is not None:
            meanings.append((say("the command {command}", command=text), command))
        if not meanings:
            return _refused(*unreadable(self, text))
        return meanings[0][1]() if len(meanings) == 1 else self._ask(text, meanings)

    def turn_up_known(self) -> Answer | None:
        """The seats that are due turn up their cards; None, and nothing is done, if one of them
        isn't known."""
        cards = self.hints()
        return None if cards is None else self._turn_up(cards)

    def time_up(self) -> Answer:
        """The clock has run out: the game ends now, or after the round that is being played."""
        self._time_is_up = True
        if self.result is not None:
            return _told(say("The game is over."))
        if self.game.laid:
            return _told(say("Time is up: this round is the last."))
        return self._stop("time-limit")

    def apply(self, entry: Entry) -> Answer:
        """Take an entry of a record, as `enter` gave it or as somebody wrote it.

        An `accept` goes for the flip after it. A result that the law has found by itself is
        nothing new.
        """
        self._choices = ()
        match entry:
            case Flip():
                return self._turn_up_as_written(entry)
            case Laid():
                return self._look_under(entry)
            case Outcome():
                return self._stop_as_written(entry)
            case Note(word="accept"):
                self._accepting = True
                return _told(say("The next cards are accepted, wherever they come from."))
            case Note(word="clock", value=value):
                return _told(say("The clock shows {time}.", time=value))
            case Note(word=word, value=value):
                command = self._as_command(f"{word} {value}")
                return command() if command else _refused(say("{word}?", word=word))

    def follow(self, entries: Sequence[Entry], start: int = 0) -> int:
        """Take the flips of a record from the place `start` on, without a word about each, as long
        as the law agrees with them and they don't end the game.

        Returns the place of the first entry that wasn't taken, or their number. Afterwards the
        table stands as if each had been given to `apply`.
        """
        if self._accepting:
            return start
        end = self._steps.follow(entries, start)
        if end > start:
            self._choices = ()
            self._doubted = None
        return end

    # Reading

    def _as_cards(self, text: str) -> list[tuple[Card, ...]]:
        """The readings of a line as the cards that are due.

        If there are several, those that can't be there drop out. That is no guess: nothing that
        is truly there can drop out. (If none is left, all are, and the one that was meant is
        refused with its reason.)
        """
        due = self.game.due
        if due is None:
            return []
        found = readings(self.rules.pack, text, len(due.seats))
        if len(found) < 2:
            return found
        fitting = [cards for cards in found if self.knowledge.fits(self._play.line(cards))]
        return fitting or found

    def _as_command(self, text: str) -> _Act | None:
        """What a line does as a command; None if it is none."""
        word, *rest = text.split()
        word = "help" if word == "?" else word.casefold()
        if (stuck := _STUCK.fullmatch(word)) and stuck[1] in _WITH_NUMBERS:  # undo3
            word, rest = stuck[1], [stuck[2], *rest]
        return (lambda: self._obey(word, rest)) if word in COMMANDS else None

    def _obey(self, word: str, rest: Sequence[str]) -> Answer:
        """Do what a command says, if what follows it is what it takes."""
        if word == "unordered" and rest:
            return self._unordered(" ".join(rest))
        acts: dict[str, Callable[..., Answer]] = {
            "undo": self._undo,
            "redo": self._redo,
            "count": self._count,
            "history": self._history,
            "accept": self._accept,
            "pause": lambda: self._set_paused(True),
            "resume": lambda: self._set_paused(False),
            "stop": lambda: self._stop("abandoned"),
            **{ask: partial(self._tell, lines) for ask, lines in QUESTIONS.items()},
        }
        numbers = [int(each) for each in rest if each.isdecimal() and len(each) < 7]
        fits = len(numbers) == len(rest) and len(numbers) in _WITH_NUMBERS.get(word, (0,))
        return acts[word](*numbers) if fits and word in acts else _misused(word)

    def _ask(self, text: str, meanings: Sequence[tuple[str, _Act]]) -> Answer:
        if len(meanings) > _MANY:
            return _refused(
                say("{line} can mean many things. Put spaces between the cards.", line=text)
            )
        self._choices = tuple(act for _, act in meanings)
        lines = [
            say("{line} can mean several things. Type the number of the right one:", line=text),
            *(
                say("{number}: {meaning}", number=number, meaning=meaning)
                for number, (meaning, _) in enumerate(meanings, 1)
            ),
        ]
        return Answer("asked", lambda: lines)

    def _cards_said(self, cards: Sequence[Card]) -> str:
        return self._voice.cards(dict(zip(self.due, cards, strict=True)))

    # Cards

    def _turning_up(self, cards: tuple[Card, ...]) -> _Act:
        return lambda: self._turn_up(cards)

    def _turn_up(self, cards: Sequence[Card]) -> Answer:
        """The seats that are due turn up these cards."""
        before = self._steps.before()
        try:
            self._play.turn_up(cards)
        except Impossible as fault:
            self._doubted = tuple(cards)
            why = tuple(impossible(self, fault.slot, fault.card, self._play.line(cards)))
            return _refused(
                *why, say("Type it again; or type accept, if the card is really there.")
            )
        return self._ruled(before)

    def _turn_up_as_written(self, flip: Flip) -> Answer:
        """The same as a record has it: its cards must be those of the seats that are due."""
        accepting, self._accepting = self._accepting, False
        play = self._play
        if self.game.due is None:
            return _refused(say("The game is over."))
        before = self._steps.before()
        try:
            if play.turn_up_as_written(flip) is None:
                players = self._voice.names(self.due)
                return _refused(say("A card is wanted from {players}.", players=players))
        except Impossible as fault:
            cards = play.written(flip) or ()
            if accepting:
                return self._turn_up_in_doubt(cards)
            line = {**play.line(cards), **play.hidden(flip)}
            return _refused(*impossible(self, fault.slot, fault.card, line))
        return self._ruled(before, written=flip)

    def _look_under(self, laid: Laid) -> Answer:
        """A record has the cards of the war that goes on that lie face down."""
        try:
            self._play.look_under(laid)
        except Impossible as fault:
            return _refused(*impossible(self, fault.slot, fault.card, self._play.hidden(laid)))
        self._steps.add_to_last(laid)
        return Answer("ruled", lambda: (), (laid,))

    def _accept(self) -> Answer:
        doubted = self._doubted
        if doubted is None:
            return _refused(say("There is nothing to accept: no card is in doubt."))
        return self._turn_up_in_doubt(doubted)

    def _turn_up_in_doubt(self, cards: Sequence[Card]) -> Answer:
        """The same for cards that can't be there: as little is forgotten as makes them possible."""
        play = self._play
        before = play.moment()
        for explanation in explanations(play, self.players, cards):
            explanation.forget()
            if self.knowledge.fits(play.line(cards)):
                play.turn_up(cards)
                accepted = Note("accept", explanation.piles)
                return self._ruled(before, accepted, first_words=(explanation.sentence,))
            play.back_to(before)
        return _refused(say("One pack cannot show {cards}.", cards=self._cards_said(cards)))

    def _ruled(
        self,
        before: Moment | None,
        *notes: Note,
        written: Flip | None = None,
        first_words: Sequence[str] = (),
    ) -> Answer:
        """What the last ruling is told and recorded by, and these notes before it. `before` it the
        game stood like this; `written` is what a record had of it, perhaps with hidden cards."""
        ruling = self._play.ruling
        assert ruling is not None
        flip = ruling.flip
        ending = () if ruling.result is None else (_outcome(ruling.result),)
        self._keep((*notes, written or flip, *ending), before)
        entries = (*notes, flip, *ending)

        def words() -> Iterator[str]:
            yield from first_words
            yield from self._voice.ruling(ruling)

        ended = ruling.ended
        if ended is None or not self._time_is_up or ruling.result is not None:
            return Answer("ruled", words, entries, ended)
        stopped = self._stop("time-limit")
        return Answer(
            "ruled", lambda: (*words(), *stopped.lines), (*entries, *stopped.entries), ended
        )

    def _stop(self, reason: Literal["time-limit", "abandoned"]) -> Answer:
        if self.result is not None:
            return _refused(say("The game is over already."))
        before = self._play.moment()
        result = self._play.stop(reason)
        if reason == "time-limit" and self._steps:  # it came of the last line: both are one step
            self._steps.add_to_last(_outcome(result))
        else:
            self._keep((_outcome(result),), before)
        return Answer("ruled", lambda: [self._voice.ending(result)], (_outcome(result),))

    def _stop_as_written(self, outcome: Outcome) -> Answer:
        """The same as a record has it."""
        if self.result is not None:
            return _told(self._voice.ending(self.result))
        return self._stop("time-limit" if outcome.reason == "time-limit" else "abandoned")

    # Steps

    def _keep(self, entries: tuple[Entry, ...], before: Moment | None) -> None:
        """What these tell has been done; before that the game stood like this."""
        self._steps.keep(entries, before)
        self._doubted = None

    def _done(self, before: Moment | None, entries: tuple[Entry, ...], *lines: str) -> Answer:
        self._keep(entries, before)
        return Answer("ruled", lambda: lines, entries)

    def _undo(self, many: int = 1) -> Answer:
        if not many:
            return _misused("undo")
        if not self._steps:
            return _refused(say("There is nothing to take back."))
        if many > len(self._steps):
            return _refused(
                say_count(
                    "Only {count} line can be taken back.",
                    "Only {count} lines can be taken back.",
                    len(self._steps),
                )
            )
        self._steps.take_back(many)
        self._doubted = None
        lines = [
            say_count(
                "{count} line is taken back: {what}.",
                "{count} lines are taken back, from {what} on.",
                many,
                what=self._voice.step(self._steps.undone[-1]),
            )
        ]
        if not self.game.laid:
            lines.append(self._sizes_said())
        return Answer("ruled", lambda: (*lines, self.wanted()), (Note("undo", str(many)),))

    def _redo(self, many: int = 1) -> Answer:
        undone = self._steps.undone
        if not many:
            return _misused("redo")
        if not undone:
            return _refused(say("There is nothing to play again."))
        if many > len(undone):
            return _refused(
                say_count(
                    "Only {count} line can be played again.",
                    "Only {count} lines can be played again.",
                    len(undone),
                )
            )
        time_is_up, self._time_is_up = self._time_is_up, False  # its end is played again, too
        for _ in range(many):
            answers = [self.apply(entry) for entry in undone.pop()]
        self._steps.undone = undone
        self._time_is_up = time_is_up
        said = say_count("{count} line is played again.", "{count} lines are played again.", many)
        ruled = [line for answer in answers if answer.kind == "ruled" for line in answer.lines]
        return Answer("ruled", lambda: (said, *ruled), (Note("redo", str(many)),))

    # Real life

    def _unordered(self, named: str) -> Answer:
        seats = self._seats(named)
        if self.result is not None:
            return _refused(say("The game is over."))
        if not seats:
            players = ", ".join(self.players)
            return _refused(say("Whose pile? One of {players}; or all.", players=players))
        before = self._play.moment()
        for seat in seats:
            self._play.forget_order(seat)
        names = [self.players[seat] for seat in seats]
        return self._done(
            before,
            (Note("unordered", ", ".join(names)),),
            *(say("The order of {player}'s pile is forgotten.", player=name) for name in names),
            self.wanted(),
        )

    def _count(self, *sizes: int) -> Answer:
        if problem := self._miscount(sizes):
            return _refused(problem)
        before = self._play.moment()
        held = self.game.sizes()
        fewer = sum(held) - sum(sizes)
        changed = self._play.recount(sizes)
        entries: tuple[Entry, ...] = (Note("count", " ".join(map(str, sizes))),)
        lines = [self._sizes_said()]
        for player, were, are in zip(self.players, held, sizes, strict=True):
            if were and not are:
                lines.append(say("{player} has no card left and is out.", player=player))
            elif are and not were:
                lines.append(say("{player} is in again.", player=player))
        if fewer > 0:
            lines.append(
                say_count(
                    "That is {count} card fewer than before. If it turns up, count again; if you "
                    "counted wrong, type undo.",
                    "That is {count} cards fewer than before. If they turn up, count again; if you "
                    "counted wrong, type undo.",
                    fewer,
                )
            )
        if changed:
            players = self._voice.names(changed)
            lines.append(say("How the cards of {players} lie is forgotten.", players=players))
        if self.result is not None:
            entries += (_outcome(self.result),)
            lines += [self._voice.ending(self.result), say("If that is a mistake, type undo.")]
            return self._done(before, entries, *lines)
        return self._done(before, entries, *lines, self.wanted())

    def _miscount(self, sizes: Sequence[int]) -> str:
        """Why the cards can't be counted so; empty if they can."""
        game = self.game
        there = sum(game.sizes()) + self._play.away
        if game.result is not None:
            return say("The game is over.")
        if game.laid:
            return say("Finish this round first: cards on the table cannot be counted.")
        if len(sizes) != len(self.players):
            players = ", ".join(self.players)
            if 0 in game.sizes():
                return say(
                    "Type one number a player, 0 for who holds none, in this order: {players}.",
                    players=players,
                )
            return say("Type one number a player, in this order: {players}.", players=players)
        if sum(sizes) > there:
            total = sum(sizes)
            return say(
                "That makes {total} cards, but there can be only {most}.", total=total, most=there
            )
        return "" if any(sizes) or game.carried else say("Somebody must hold a card.")

    def _set_paused(self, paused: bool) -> Answer:
        if paused == self.paused:
            stopped, runs = say("The clock is stopped already."), say("The clock runs already.")
            return _refused(stopped if paused else runs)
        self.paused = paused
        if paused:
            line, word = say("The clock is stopped; type resume to go on."), "pause"
        else:
            line, word = say("The clock runs again."), "resume"
        return Answer("ruled", lambda: (line,), (Note(word, ""),))

    def _seats(self, names: str) -> list[int]:
        """The seats of these players, of whom each is named once or more: `Ana`, `Ana, Luis`,
        `ana luis`, or `all`. None, if one of them isn't known."""
        if names.casefold() == "all" not in map(str.casefold, self.players):
            return list(self.game.playing)
        if (one := self._seat(names)) is not None:
            return [one]
        parts = names.split(",") if "," in names else names.split()
        seats = {self._seat(part.strip()) for part in parts}
        return [] if None in seats else sorted(seat for seat in seats if seat is not None)

    def _seat(self, name: str) -> int | None:
        """The seat of a player's name, or of its beginning where only one begins so."""
        plain = name.casefold()
        names = [player.casefold() for player in self.players]
        if plain in names:
            return names.index(plain)
        begun = [seat for seat, player in enumerate(names) if player.startswith(plain)]
        return begun[0] if len(begun) == 1 else None

    # Words

    def _history(self, many: int = 10) -> Answer:
        return self._tell(lambda table: history(table, many)) if many else _misused("history")

    def _tell(self, lines: Callable[[Table], Iterable[str]]) -> Answer:
        return Answer("told", lambda: lines(self))

    def _sizes_said(self) -> str:
        return say("Now: {sizes}.", sizes=self._voice.sizes(self.game.sizes()))


def _outcome(result: Result) -> Outcome:
    return Outcome(result.winners, result.reason, result.rounds)


def _told(*lines: str) -> Answer:
    return Answer("told", lambda: lines)


def _refused(*lines: str) -> Answer:
    return Answer("refused", lambda: lines)


def _misused(command: str) -> Answer:
    return _refused(say("Type it so: {usage}.", usage=say(COMMANDS[command])))
