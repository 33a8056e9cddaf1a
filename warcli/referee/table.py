"""The refereed game: a line that somebody typed goes in, an answer comes out.

The table has no terminal, no file and no clock; whoever has those tells it lines and shows its
answers. It lets the law rule (`game`), keeps what is known of the cards (`knowledge`), and holds
every step, so that any of them can be taken back.

    table = Table(rules, ("Ana", "Luis"))
    answer = table.enter("k9")           # Ana turned up a king, Luis a nine
    answer.lines                         # what to show
    answer.entries                       # what to write into the record, if anything

What was accepted is told by *entries* of a game record. Another table that is given them one by
one (`apply`) comes to stand exactly as this one does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain, groupby, takewhile
from typing import Literal, NamedTuple

from warcli.cards import Card
from warcli.events import Layer, Result, Round
from warcli.game import Game, Mark, Shuffle, Slot
from warcli.record import UNKNOWN, Entry, Flip, Note, Outcome
from warcli.referee import odds
from warcli.referee.knowledge import MARK, Impossible, Knowledge
from warcli.referee.refusals import impossible, unreadable
from warcli.referee.rulings import Ruling, Voice
from warcli.referee.typed import readings
from warcli.rules import Rules
from warcli.words import say, say_count

COMMANDS: dict[str, str] = {
    "why": "why: explains the last ruling and names the rule",
    "undo": "undo, undo 3: takes back the last line, or the last three",
    "redo": "redo, redo 3: plays again what was taken back",
    "accept": "accept: the card is really there; forget the order of that pile and play on",
    "unordered": "unordered NAME: that pile was dropped or mixed; its order is forgotten",
    "count": "count 25 27: the players hold so many cards really",
    "pause": "pause: stops the clock",
    "resume": "resume: starts the clock again",
    "piles": "piles: what is known of every pile, the top card first",
    "history": "history, history 20: the last rounds",
    "odds": "odds: everybody's chances, and how many rounds are still to go",
    "foretell": "foretell: how the game ends, once every card is known",
    "stop": "stop: ends the game without a winner",
    "help": "help: shows this",
}
"""Everything that can be typed instead of cards, and what `help` says of it."""

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


class _Step(NamedTuple):
    """Something that was accepted, and how the table stood before it."""

    entries: tuple[Entry, ...]
    mark: Mark
    knowledge: Knowledge
    shown: dict[Slot, Card]
    away: tuple[Slot, ...]
    labels: int
    ruling: Ruling | None
    rounds: int


class _Question(NamedTuple):
    """Something typed that can mean several things, and what each of them does."""

    choices: tuple[Callable[[], Answer], ...]


class Table:
    """One game at a real table, as far as it was typed."""

    rules: Rules
    players: tuple[str, ...]
    game: Game
    """The law's side of it. Look, don't touch."""
    knowledge: Knowledge
    rounds: list[Round]
    """The rounds that are over; `?` for a card that isn't known."""
    paused: bool
    """Whether the players stopped the clock."""
    ruling: Ruling | None
    """The last ruling, if any: what `why` explains."""

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
        ValueError when there are more or fewer piles than seats, or cards that the pack hasn't.
        """
        self.rules = rules
        self.players = tuple(players)
        self.rounds = []
        self.paused = False
        self.ruling = None
        self._hints = hints
        self._voice = Voice(rules, players)
        self._labels = 0
        pack = rules.pack
        sizes = _dealt_sizes(rules) if piles is None else [len(pile) for pile in piles]
        if sum(sizes) > len(pack.cards):
            raise ValueError(f"{sum(sizes)} cards in a pack of {len(pack.cards)}")
        dealt = [self._fresh(size) for size in sizes]
        self._away = self._fresh(len(pack.cards) - sum(sizes))
        known = Knowledge.of_nothing(pack, (*chain(*dealt), *self._away))
        if piles is not None:
            cards = zip(chain(*dealt), chain(*piles), strict=True)
            known = known.see({slot: card for slot, card in cards if card != UNKNOWN})
        self.knowledge = known
        self.game = Game(rules, dealt, shuffle or self._shuffled)
        self._taken: list[Round] = []  # `rounds` again, with slots for cards
        self._steps: list[_Step] = []
        self._undone: list[tuple[Entry, ...]] = []
        self._shown: dict[Slot, Card] = {}  # what lies face up on the table
        self._question: _Question | None = None
        self._doubted: tuple[Card, ...] | None = None
        self._accepting = False
        self._time_is_up = False
        # Equal cards are the law's business where it looks for a repetition.
        self._tells_equal_cards = len(pack.kinds) < len(pack.cards) and not rules.shuffles
        self._tells_equal_cards &= rules.repetition == "draw"
        self._named: dict[Slot, Card] = {}
        self._name_equal_cards()

    # What others may want to show

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
        return len(self._question.choices) if self._question else 0

    def possible(self) -> tuple[frozenset[Card], ...]:
        """For each seat of `due`, every card that it can turn up."""
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
        if self.game.result is not None:
            return say("The game is over.")
        players = ", ".join(self.players[seat] for seat in self.due)
        if self.game.laid:
            return say("Round {number}, war: {players}", number=self.number, players=players)
        return say("Round {number}: {players}", number=self.number, players=players)

    # Lines

    def enter(self, line: str) -> Answer:
        """Take a typed line. Whatever it is, it can't do harm: what isn't accepted changes
        nothing."""
        question, self._question = self._question, None
        text = line.strip()
        if question and text.isdecimal() and 1 <= int(text) <= len(question.choices):
            return question.choices[int(text) - 1]()
        if not text:
            return self._enter_nothing()
        meanings = self._as_cards(text)
        command = self._as_command(text)
        if command and not meanings:
            return command()
        doubted, self._doubted = self._doubted, None
        if not command and not meanings:
            self._doubted = doubted
            return _refused(*unreadable(self, text))
        choices = [(self._cards_said(cards), self._entering(cards)) for cards in meanings]
        if command:
            choices.append((say("the command {command}", command=text), command))
        if len(choices) == 1:
            return choices[0][1]()
        return self._ask(text, choices)

    def time_up(self) -> Answer:
        """The clock has run out: the game ends now, or after the round that is being played."""
        self._time_is_up = True
        if self.game.result is not None:
            return _told(say("The game is over."))
        if self.game.laid:
            return _told(say("Time is up: this round is the last."))
        return self._stop("time-limit")

    def turn_up_known(self) -> Answer | None:
        """The seats that are due turn up their cards; None, and nothing is done, if one of them
        isn't known."""
        cards = self.hints()
        return None if cards is None else self._flip(cards)

    def apply(self, entry: Entry) -> Answer:
        """Take an entry of a record, as `enter` gave it or as somebody wrote it.

        An `accept` goes for the flip after it. A result that the law has found by itself is
        nothing new.
        """
        self._question = None
        match entry:
            case Flip():
                return self._apply_flip(entry)
            case Outcome(reason=reason):
                if self.game.result is not None:
                    return _told(self._voice.ending(self.game.result))
                return self._stop("time-limit" if reason == "time-limit" else "abandoned")
            case Note(word="accept"):
                self._accepting = True
                return _told(say("The next cards are accepted, wherever they come from."))
            case Note(word="clock"):
                return _told("")
            case Note(word=word, value=value):
                command = self._as_command(f"{word} {value}")
                return command() if command else _refused(say("{word}?", word=word))

    # Reading

    def _as_cards(self, text: str) -> list[tuple[Card, ...]]:
        """The readings of a line as the cards that are due. If there are several, those that
        can't be there drop out, unless none can."""
        due = self.game.due
        if due is None:
            return []
        found = readings(self.rules.pack, text, len(due.seats))
        if len(found) < 2:
            return found
        return [
            cards
            for cards in found
            if self.knowledge.fits(dict(zip(due.slots, cards, strict=True)))
        ] or found

    def _as_command(self, text: str) -> Callable[[], Answer] | None:
        """What the command does that a line is; None if it is none."""
        word, *rest = text.split()
        word = word.casefold()
        if word not in COMMANDS:
            return None
        numbers = [int(number) for number in rest if number.isdecimal() and len(number) < 7]
        only_numbers = len(numbers) == len(rest)
        many = numbers[0] if numbers else None
        match word:
            case "undo" | "redo" | "history" if only_numbers and len(rest) < 2:
                act = {"undo": self._undo, "redo": self._redo, "history": self._history}[word]
                return lambda: act(many)
            case "unordered" if rest:
                return lambda: self._unordered(" ".join(rest))
            case "count" if rest and only_numbers:
                return lambda: self._count(numbers)
            case "pause" | "resume":
                return lambda: self._set_paused(word == "pause")
            case "accept":
                return self._accept
            case "why" | "piles" | "help" | "stop" | "odds" | "foretell" if not rest:
                return {
                    "why": self._why,
                    "piles": self._piles,
                    "help": self._help,
                    "stop": lambda: self._stop("abandoned"),
                    "odds": self._odds,
                    "foretell": self._foretell,
                }[word]
        return lambda: _refused(say("Type it so: {usage}.", usage=COMMANDS[word]))

    def _enter_nothing(self) -> Answer:
        if self._hints and (cards := self.hints()) is not None:
            return self._flip(cards)
        return _told(self.wanted())

    def _ask(self, text: str, choices: Sequence[tuple[str, Callable[[], Answer]]]) -> Answer:
        self._question = _Question(tuple(act for _, act in choices))
        lines = [
            say("{line} can mean several things. Type the number of the right one:", line=text),
            *(
                say("{number}: {meaning}", number=number, meaning=meaning)
                for number, (meaning, _) in enumerate(choices, 1)
            ),
        ]
        return Answer("asked", lambda: lines)

    def _entering(self, cards: tuple[Card, ...]) -> Callable[[], Answer]:
        return lambda: self._flip(cards)

    def _cards_said(self, cards: Sequence[Card]) -> str:
        return self._voice.cards(dict(zip(self.due, cards, strict=True)))

    # Flips

    def _flip(self, cards: Sequence[Card], hidden: Mapping[Slot, Card] | None = None) -> Answer:
        """The seats that are due turn up these cards. A record tells `hidden` ones, too."""
        due = self.game.due
        if due is None:
            return _refused(say("The game is over. Take something back with undo, or leave."))
        accepting, self._accepting = self._accepting, False
        line = dict(zip(due.slots, cards, strict=True))
        try:
            known = self.knowledge.see({**line, **hidden} if hidden else line)
        except Impossible as fault:
            if accepting:
                return self._flip_in_doubt(cards)
            why = impossible(self, fault.slot, fault.card, {**line, **(hidden or {})})
            if hidden is not None:
                return _refused(*why)
            self._doubted = tuple(cards)
            return _refused(
                *why, say("Type it again; or type accept, if the card is really there.")
            )
        before = self._standing()
        self.knowledge = known
        return self._rule(cards, before, ())

    def _flip_in_doubt(self, cards: Sequence[Card]) -> Answer:
        """The same for cards that can't be there: forget as little as makes them possible."""
        before = self._standing()
        for whose, sentence, forget in self._forgettings(cards):
            forget()
            assert self.game.due is not None
            line = dict(zip(self.game.due.slots, cards, strict=True))
            if self.knowledge.fits(line):
                self.knowledge = self.knowledge.see(line)
                return self._rule(cards, before, (Note("accept", whose),), sentence)
            self._go_back(before)
        return _refused(say("One pack cannot show {cards}.", cards=self._cards_said(cards)))

    def _forgettings(self, cards: Sequence[Card]) -> Iterator[tuple[str, str, Callable[[], None]]]:
        """Ways to explain cards that can't be there, the one that forgets least first: whose
        piles it concerns, what it forgets in words, and how."""
        due = self.game.due
        assert due is not None
        pairs = zip(due.seats, due.slots, cards, strict=True)
        alone = [seat for seat, slot, card in pairs if not self.knowledge.fits({slot: card})]
        at_fault = alone or list(due.seats)
        names = self._voice.names(at_fault)
        everywhere = range(2 * len(self.players))

        def forget_orders() -> None:
            for seat in at_fault:
                self._mix([seat])

        def forget_all_but(remembered: Mapping[Slot, Card]) -> None:
            self._mix(everywhere)
            self.knowledge = self.knowledge.forget(remembered)

        yield (
            ", ".join(self.players[seat] for seat in at_fault),
            say_count(
                "Accepted: the order of {players}'s pile is forgotten.",
                "Accepted: the order of these piles is forgotten: {players}.",
                len(at_fault),
                players=names,
            ),
            forget_orders,
        )
        yield (
            "all piles",
            say("Accepted: who holds which card is forgotten."),
            lambda: self._mix(everywhere),
        )
        lost = say("Accepted: all that was known of the cards is forgotten.")
        yield "all cards", lost, lambda: forget_all_but(self._shown)
        yield "all cards", lost, lambda: forget_all_but({})

    def _rule(
        self,
        cards: Sequence[Card],
        before: _Step,
        notes: tuple[Note, ...],
        first_words: str = "",
    ) -> Answer:
        """Let the law rule on cards that are possible, and keep the step."""
        game = self.game
        due = game.due
        assert due is not None
        begins = not game.laid
        laid_before = len(game.laid) - _down_at_end(game.laid)
        carried, out, asides = game.carried, game.out, [*map(len, game.asides)]
        standing = {seat: self._newest(seat) for seat in game.standing}
        self._shown = self._shown | dict(zip(due.slots, cards, strict=True))
        self._name_equal_cards()
        seen = self.knowledge.seen
        ended = game.turn_up(cards)
        layers = (game.laid if ended is None else ended.layers)[laid_before:]
        up = next(place for place, layer in enumerate(layers) if layer.face == "up") + 1
        of_flip = layers[:up] if ended is None else layers
        winner = None if ended is None else ended.winner
        flip = Flip(
            round=game.rounds,
            layers=tuple(self._as_shown(layer) for layer in of_flip),
            begins=begins,
            ended=ended is not None,
            winner=winner,
        )
        finished = None
        if ended is not None:
            finished = self._finish(ended, seen)
        taken = len(ended.captured) if ended is not None else 0
        shown = self._shown
        ruling = Ruling(
            number=game.rounds,
            shown=dict(zip(due.seats, cards, strict=True)),
            standing=standing,
            ended=finished,
            block=() if ended is None else _block(ended, carried, shown),
            contenders=() if ended else (*sorted({*game.standing, *self.due}),),
            still_standing=() if ended else game.standing,
            laid_down=layers[up:],
            out=(game.out if ended is None else ended.out)[len(out) :],
            taken_up={
                seat: size
                for seat, held in enumerate(asides)
                if game.due and (size := held + taken * (seat == winner)) and not game.asides[seat]
            }
            if self.rules.won_cards != "under"
            else {},
            sizes=game.sizes(),
            result=game.result,
        )
        if ended is not None and not game.carried:
            self._shown = {}
        self.ruling = ruling
        entries: tuple[Entry, ...] = (*notes, flip)
        if game.result is not None:
            entries += (_outcome(game.result),)
        self._keep(before, entries)
        words = lambda: [*filter(None, [first_words]), *self._voice.ruling(ruling)]  # noqa: E731
        if ended is not None and self._time_is_up and game.result is None:
            stopped = self._stop("time-limit")
            return Answer(
                "ruled",
                lambda: [*words(), *stopped.lines],
                (*entries, *stopped.entries),
                finished,
            )
        return Answer("ruled", words, entries, finished)

    def _newest(self, seat: int) -> Card:
        """The card that a seat turned up last in this round."""
        return next(
            self._shown[slot]
            for layer in reversed(self.game.laid)
            if layer.face == "up" and (slot := layer.cards[seat]) is not None
        )

    def _as_shown(self, layer: Layer) -> Layer:
        shown = self._shown
        return Layer(
            layer.face,
            tuple([None if slot is None else shown.get(slot, UNKNOWN) for slot in layer.cards]),
        )

    def _finish(self, ended: Round, seen: Mapping[Slot, Card]) -> Round:
        """Keep a round that is over, with its cards as they were shown, or are known."""
        self._taken.append(ended)
        shown = self._shown
        finished = Round(
            ended.round,
            tuple(
                Layer(
                    layer.face,
                    tuple(
                        [
                            slot and (shown.get(slot) or seen.get(slot, UNKNOWN))
                            for slot in layer.cards
                        ]
                    ),
                )
                for layer in ended.layers
            ),
            ended.out,
            ended.winner,
            tuple([shown.get(slot) or seen.get(slot, UNKNOWN) for slot in ended.captured]),
            ended.sizes,
        )
        self.rounds.append(finished)
        return finished

    def _stop(self, reason: Literal["time-limit", "abandoned"]) -> Answer:
        if self.game.result is not None:
            return _refused(say("The game is over already."))
        before = self._standing()
        result = self.game.stop(reason)
        entry = _outcome(result)
        self._keep(before, (entry,))
        return Answer("ruled", lambda: [self._voice.ending(result)], (entry,))

    def _apply_flip(self, flip: Flip) -> Answer:
        """A flip as a record has it: its cards must be those of the seats that are due."""
        due = self.game.due
        if due is None:
            return _refused(say("The game is over."))
        up = next(layer for layer in flip.layers if layer.face == "up").cards
        seats = tuple([seat for seat, card in enumerate(up) if card is not None])
        if seats != due.seats or UNKNOWN in up:
            return _refused(
                say("A card is wanted from {players}.", players=self._voice.names(due.seats))
            )
        return self._flip([card for card in up if card is not None], self._hidden(flip))

    def _hidden(self, flip: Flip) -> dict[Slot, Card]:
        """What a record knows of the cards that were laid face down before this flip."""
        laid = self.game.laid
        if flip.begins or not laid:
            return {}
        down = laid[len(laid) - _down_at_end(laid) :]
        recorded = takewhile(lambda layer: layer.face == "down", flip.layers)
        return {
            slot: card
            for layer, written in zip(down, recorded, strict=False)
            for slot, card in zip(layer.cards, written.cards, strict=True)
            if slot is not None and card is not None and card != UNKNOWN
        }

    # Steps

    def _standing(self) -> _Step:
        return _Step(
            (),
            self.game.mark(),
            self.knowledge,
            self._shown,
            self._away,
            self._labels,
            self.ruling,
            len(self.rounds),
        )

    def _keep(self, before: _Step, entries: tuple[Entry, ...]) -> None:
        """What these entries tell has been done; `before` is how the table stood."""
        self._steps.append(_Step(entries, *before[1:]))  # _replace takes five times as long
        self._undone.clear()
        self._doubted = None

    def _go_back(self, step: _Step) -> None:
        self.game.back_to(step.mark)
        self.knowledge = step.knowledge
        self._shown = step.shown
        self._away = step.away
        self._labels = step.labels
        self.ruling = step.ruling
        del self.rounds[step.rounds :]
        del self._taken[step.rounds :]
        self._name_equal_cards()

    def _undo(self, many: int | None) -> Answer:
        many = 1 if many is None else many
        if not 0 < many <= len(self._steps):
            return _refused(
                say_count(
                    "There is {count} line that can be taken back.",
                    "There are {count} lines that can be taken back.",
                    len(self._steps),
                )
            )
        for _ in range(many):
            step = self._steps.pop()
            self._go_back(step)
            self._undone.append(step.entries)
        self._doubted = None
        return _ruled(
            (Note("undo", str(many)),),
            say_count("{count} line is taken back.", "{count} lines are taken back.", many),
            *self._standing_said(),
        )

    def _redo(self, many: int | None) -> Answer:
        many = 1 if many is None else many
        undone = self._undone
        if not 0 < many <= len(undone):
            return _refused(
                say_count(
                    "There is {count} line that can be played again.",
                    "There are {count} lines that can be played again.",
                    len(undone),
                )
            )
        answers = []
        for _ in range(many):
            entries = undone.pop()
            self._undone = []
            answers = [self.apply(entry) for entry in entries]
            self._undone = undone
        return _ruled(
            (Note("redo", str(many)),),
            say_count("{count} line is played again.", "{count} lines are played again.", many),
            *answers[-1].lines,
        )

    def _standing_said(self) -> Iterator[str]:
        if not self.game.laid:
            yield say("Now: {sizes}.", sizes=self._voice.sizes(self.game.sizes()))
        yield self.wanted()

    # Real life

    def _accept(self) -> Answer:
        doubted = self._doubted
        if doubted is None:
            return _refused(say("There is nothing to accept: no card is in doubt."))
        return self._flip_in_doubt(doubted)

    def _unordered(self, name: str) -> Answer:
        seat = self._seat(name)
        if seat is None:
            return _refused(say("Whose pile? One of {players}.", players=", ".join(self.players)))
        if self.game.result is not None:
            return _refused(say("The game is over."))
        before = self._standing()
        self._mix([seat])
        self._mix([len(self.players) + seat])
        entry = Note("unordered", self.players[seat])
        self._keep(before, (entry,))
        return _ruled(
            (entry,),
            say("The order of {player}'s pile is forgotten.", player=self.players[seat]),
            self.wanted(),
        )

    def _count(self, sizes: Sequence[int]) -> Answer:
        """The players hold so many cards. Which ones changed hands, or were lost or found,
        nobody knows: all of theirs are mixed up."""
        game = self.game
        if problem := self._count_problem(sizes):
            return _refused(problem)
        before = self._standing()
        changed = [seat for seat, held in enumerate(game.sizes()) if held != sizes[seat]]
        seats = len(self.players)
        held = [*map(len, game.piles), *map(len, game.asides), len(self._away)]
        held[-1] -= sum(sizes) - sum(game.sizes())
        for seat in changed:
            held[seats + seat] = min(held[seats + seat], sizes[seat])
            held[seat] = sizes[seat] - held[seats + seat]
        lost = [2 * seats] if sum(sizes) != sum(game.sizes()) else []
        if changed:
            self._mix([*changed, *(seats + seat for seat in changed), *lost], held)
        entry = Note("count", " ".join(map(str, sizes)))
        entries: tuple[Entry, ...] = (entry,)
        if game.result is not None:
            entries += (_outcome(game.result),)
        self._keep(before, entries)
        told = [say("Counted: {sizes}.", sizes=self._voice.sizes(game.sizes()))]
        if changed:
            told.append(
                say(
                    "Forgotten is how the cards of {players} lie.",
                    players=self._voice.names(changed),
                )
            )
        if game.result is not None:
            told.append(self._voice.ending(game.result))
        return _ruled(entries, *told, self.wanted())

    def _count_problem(self, sizes: Sequence[int]) -> str:
        game = self.game
        if game.result is not None:
            return say("The game is over.")
        if game.laid:
            return say("Finish this round first: cards on the table cannot be counted.")
        if len(sizes) != len(self.players):
            return say(
                "Type one number a player, in this order: {players}.",
                players=", ".join(self.players),
            )
        there = sum(game.sizes()) + len(self._away)
        if sum(sizes) > there:
            return say(
                "That makes {total} cards, but there can be only {most}.",
                total=sum(sizes),
                most=there,
            )
        return "" if any(sizes) or game.carried else say("Somebody must hold a card.")

    def _set_paused(self, paused: bool) -> Answer:
        if paused == self.paused:
            return _refused(
                say("The clock is stopped already.") if paused else say("The clock runs already.")
            )
        self.paused = paused
        return _ruled(
            (Note("pause" if paused else "resume", ""),),
            say("The clock is stopped; type resume to go on.")
            if paused
            else say("The clock runs again."),
        )

    def _mix(self, places: Iterable[int], sizes: Sequence[int] | None = None) -> None:
        """Nobody knows any more how the cards of these places lie, taken together.

        A place is a seat's pile (its number), its aside pile (after all the piles), or, last of
        all, what lies aside for the game. `sizes` says how many cards lie at every place now.
        """
        game = self.game
        seats = len(self.players)
        lying = [*map(tuple, game.piles), *game.asides, self._away]
        places = list(places)
        heap = [slot for place in places for slot in lying[place]]
        fresh = iter(self._shuffled(tuple(heap)))
        for place in places:
            size = len(lying[place]) if sizes is None else sizes[place]
            lying[place] = tuple(slot for _, slot in zip(range(size), fresh, strict=False))
        self._away = lying[-1]
        game.disturb(lying[:seats], lying[seats:-1])

    def _shuffled(self, block: tuple[Slot, ...]) -> tuple[Slot, ...]:
        """The same cards under new labels, which nobody can tell apart."""
        if len(block) < 2:
            return block
        fresh = self._fresh(len(block))
        self.knowledge = self.knowledge.mix(block, fresh)
        return fresh

    def _fresh(self, many: int) -> tuple[Slot, ...]:
        first = self._labels + 1
        self._labels += many
        return tuple(f"{MARK}{number}" for number in range(first, first + many))

    def _name_equal_cards(self) -> None:
        """Tell the law which slots hold a card that the pack has more than once."""
        if not self._tells_equal_cards:
            return
        pack = self.rules.pack
        named = {
            slot: card
            for slot, card in self.knowledge.seen.items()
            if card in pack.kinds and pack.copies[card] > 1
        }
        if named != self._named:
            self._named = named
            self.game.name(named)

    # Asking

    def taken_in(self, slot: Slot) -> int | None:
        """The round in which the card at this slot was captured last; None: it never was."""
        return next(
            (taken.round for taken in reversed(self._taken) if slot in taken.captured), None
        )

    def is_away(self, slot: Slot) -> bool:
        """Whether the card at this slot lies aside for the game."""
        return slot in self._away

    def _seat(self, name: str) -> int | None:
        """The seat of a player's name, or of its beginning where only one begins so."""
        plain = name.casefold()
        names = [player.casefold() for player in self.players]
        if plain in names:
            return names.index(plain)
        begun = [seat for seat, player in enumerate(names) if player.startswith(plain)]
        return begun[0] if len(begun) == 1 else None

    def _why(self) -> Answer:
        ruling = self.ruling
        if ruling is None:
            return _told(say("Nothing was ruled yet."))
        return Answer("told", lambda: self._voice.why(ruling))

    def _help(self) -> Answer:
        return _told(
            say("Type the cards as they are turned up, in the order of the players, such as:"),
            say("  k9    10 q    ks 9d    (suits c d h s may be left out)"),
            *(say("  {usage}", usage=usage) for usage in COMMANDS.values()),
        )

    def _history(self, many: int | None) -> Answer:
        last = self.rounds[-(many or 10) :]
        if not last:
            return _told(say("No round is over yet."))
        return Answer("told", lambda: map(self._voice.round, last))

    def _piles(self) -> Answer:
        return Answer("told", self._piles_said)

    def _piles_said(self) -> Iterator[str]:
        for seat, player in enumerate(self.players):
            pile = self.game.piles[seat]
            yield say(
                "{player} ({count}): {cards}", player=player, count=len(pile), cards=self._lie(pile)
            )
            if aside := self.game.asides[seat]:
                yield say("  won ({count}): {cards}", count=len(aside), cards=self._lie(aside))

    def _lie(self, slots: Iterable[Slot]) -> str:
        """What is known of these slots: `9♣ 7 K♠/Q♥ ?×3`."""
        return " ".join(
            text if text != UNKNOWN or (many := len(list(alike))) == 1 else f"{UNKNOWN}×{many}"
            for text, alike in groupby(slots, self._slot_text)
            for text in ([text] if text == UNKNOWN else [text for _ in alike])
        )

    def _slot_text(self, slot: Slot) -> str:
        certain = self.knowledge.certain(slot)
        if certain is not None:
            return certain
        possible = self.knowledge.possible(slot)
        return "/".join(sorted(possible)) if len(possible) <= 3 else UNKNOWN

    def _odds(self) -> Answer:
        game = self.game
        if game.result is not None:
            return _told(self._voice.ending(game.result))
        chances = odds.estimate(game, self.knowledge, seed=len(self._steps))
        return Answer("told", lambda: self._voice.odds(chances))

    def _foretell(self) -> Answer:
        game = self.game
        if game.result is not None:
            return _told(self._voice.ending(game.result))
        result = odds.foretell(game, self.knowledge)
        if result is None:
            return _told(say("That cannot be known yet; odds gives the chances."))
        return Answer("told", lambda: self._voice.foretold(result, game.rounds))


def _dealt_sizes(rules: Rules) -> list[int]:
    """How many cards each seat is dealt."""
    each, rest = divmod(len(rules.pack.cards), rules.players)
    dealt_on = rest if rules.leftover == "dealt" else 0
    return [each + (seat < dealt_on) for seat in range(rules.players)]


def _down_at_end(layers: Sequence[Layer]) -> int:
    """How many face-down layers lie on the last face-up one."""
    return next(
        (place for place, layer in enumerate(reversed(layers)) if layer.face == "up"), len(layers)
    )


def _block(
    ended: Round, carried: Sequence[Layer], shown: Mapping[Slot, Card]
) -> list[tuple[int, Card | None]]:
    """A captured block, each card with the seat that laid it."""
    laid_by = {
        slot: seat
        for layer in (*carried, *ended.layers)
        for seat, slot in enumerate(layer.cards)
        if slot is not None
    }
    return [(laid_by[slot], shown.get(slot)) for slot in ended.captured if slot in laid_by]


def _outcome(result: Result) -> Outcome:
    return Outcome(result.winners, result.reason, result.rounds)


def _told(*lines: str) -> Answer:
    return Answer("told", lambda: lines)


def _refused(*lines: str) -> Answer:
    return Answer("refused", lambda: lines)


def _ruled(entries: tuple[Entry, ...], *lines: str) -> Answer:
    return Answer("ruled", lambda: lines, entries)
