"""Ruling again on a recorded game, from a simulation as from the table.

The record's cards are turned up once more, and whatever the law makes of them is compared with
what the record says. Where they disagree the law goes on with its own version as far as it knows
the cards, as it does from the first to the last where the deal is known: so one slip in a record
is one disagreement. Where it doesn't know them it goes on from what the record shows, and says
when nobody can tell any more.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import takewhile

from msgspec import UNSET, Struct, structs

from warcli.cards import Card
from warcli.deal import Dealt, deal
from warcli.events import Deal, Event, Layer, Result, Round
from warcli.generator import Generator
from warcli.record import (
    UNKNOWN,
    Entry,
    Flip,
    Head,
    Note,
    Outcome,
    Record,
    Writer,
    read_clock,
    shuffle_of,
)
from warcli.referee.table import Table
from warcli.simulation import simulate_from
from warcli.words import say, say_count


class Disagreement(Struct, frozen=True):
    """Something in a record that the law contradicts."""

    line: int
    """The line of the record, from 1."""
    message: str


class Replay:
    """A record, ruled on again."""

    record: Record
    disagreements: list[Disagreement]
    """In the order of the record; empty when it is confirmed."""
    result: Result | None
    """How the game ended by the law; None: it is unfinished."""
    recorded_result: bool
    """Whether the record says how the game ended."""
    rounds: list[Round]
    """The rounds that are over, as the law has them; `?` for a card that nobody saw."""

    def __init__(self, record: Record) -> None:
        self.record = record
        self.disagreements = []
        self.recorded_result = False
        head = record.head
        self._table = Table(head.rules, head.players, head.piles, shuffle=shuffle_of(head))
        self._sizes = self._table.game.sizes()  # as dealt
        self._endless: Result | None = None
        self._numbered_on = 0  # how far the record's round numbers are ahead of the law's
        self._passing_over = False  # a round of the record that isn't one of the law's
        self._laid: tuple[Layer, ...] = ()  # in the round so far, by the record
        self._lost = False
        self._told = 0  # the line of the last disagreement
        self._last_line = 0  # of the last cards that were ruled on
        self._check_deal()
        for entry in record.entries:
            self._rule(entry)
        self.result = self._endless or self._table.result
        self.rounds = self._table.rounds

    def events(self) -> Iterator[Event]:
        """The game by the law: its deal (`?` for unknown cards), its rounds, and its result."""
        head = self.record.head
        piles = head.piles or tuple((UNKNOWN,) * size for size in self._sizes)
        dealt = _dealt_by_seed(head)
        leftover = dealt.leftover if dealt is not None and dealt.piles == head.piles else ()
        yield Deal(
            rules=head.rules.name,
            seed=head.seed,
            game=head.game,
            players=head.players,
            piles=piles,
            leftover=leftover or UNSET,
        )
        yield from self.rounds
        if self.result is not None:
            yield self.result

    @property
    def supplied(self) -> bool:
        """Whether the deal isn't the one that the record's seed deals."""
        dealt = _dealt_by_seed(self.record.head)
        return dealt is None or dealt.piles != self.record.head.piles

    def _check_deal(self) -> None:
        """Where nothing is shuffled in play, a seed can only be that of the deal."""
        head = self.record.head
        if head.piles is None or head.rules.shuffles:
            return
        dealt = _dealt_by_seed(head)
        if dealt is not None and dealt.piles != head.piles:
            self._disagree(
                self.record.lines["seed"],
                say("this is not the seed (or the game) that deals these cards"),
            )

    # Entry by entry

    def _rule(self, entry: Entry) -> None:
        match entry:
            case _ if self._lost:
                self.recorded_result |= isinstance(entry, Outcome)
            case Flip():
                self._rule_on_flip(entry)
            case Outcome():
                self._rule_on_outcome(entry)
            case Note(word="clock", value=value, line=line):
                try:
                    read_clock(value)
                except ValueError as why:
                    self._disagree(line, str(why))
            case Note(line=line):
                answer = self._table.apply(entry)
                if answer.kind == "refused":
                    self._disagree(line, " ".join(answer.lines))

    def _disagree(self, line: int, message: str) -> None:
        self.disagreements.append(Disagreement(line, message))
        self._told = line

    def _lose(self, line: int) -> None:
        """Nobody can tell any more how the cards lie."""
        self._lost = True
        self._disagree(
            line,
            say("from here on nobody can tell how the cards lie, so the rest is not ruled on"),
        )

    # Rounds

    def _rule_on_flip(self, flip: Flip) -> None:
        table = self._table
        if flip.begins:
            self._passing_over = False
            if table.game.laid:
                self._finish_war(flip)
        elif not self._passing_over and not table.game.laid and table.result is None:
            self._passing_over = True
            if self._told != flip.line:
                self._disagree(flip.line, say("no war is going on that this line could go on with"))
        if self._lost or self._passing_over:
            return
        if table.result is not None:
            self._passing_over = True
            self._disagree(
                flip.line,
                say_count(
                    "this was played after the end of the game, which ended after {count} round "
                    "({reason})",
                    "this was played after the end of the game, which ended after {count} rounds "
                    "({reason})",
                    table.result.rounds,
                    reason=table.result.reason,
                ),
            )
            return
        if flip.begins:
            self._laid = ()
            self._check_number(flip)
        if not self._passing_over:
            self._turn_up(flip)

    def _finish_war(self, flip: Flip) -> None:
        """The record begins a round in the middle of the law's war."""
        table = self._table
        if self._told != self._last_line:
            self._disagree(
                self._last_line,
                say(
                    "the war of round {number} is not over; {players} must turn up cards",
                    number=table.number,
                    players=self._named(table.due),
                ),
            )
        while table.game.laid and self._play_known():
            pass
        if table.game.laid:
            self._lose(flip.line)

    def _check_number(self, flip: Flip) -> None:
        """Whether the record counts the rounds as the law does."""
        number = self._table.number
        expected = number + self._numbered_on
        written = flip.round
        if written is None or written in (number, expected):
            return
        if self._fits(flip.shown):
            self._numbered_on = written - number
            self._disagree(
                flip.line,
                say("this is round {number}, not {written}", number=expected, written=written),
            )
        elif written > expected:
            self._catch_up(flip, expected, written)
        else:
            self._passing_over = True
            self._disagree(
                flip.line,
                say(
                    "round {number} should stand here, and this is another round {written}",
                    number=expected,
                    written=written,
                ),
            )

    def _catch_up(self, flip: Flip, first: int, number: int) -> None:
        """Play the rounds from `first` up to `number`, which the record leaves out."""
        table = self._table
        self._disagree(
            flip.line,
            say("round {number} is missing before this one", number=first)
            if number == first + 1
            else say(
                "rounds {first} to {last} are missing before this one",
                first=first,
                last=number - 1,
            ),
        )
        while table.result is None and table.number + self._numbered_on < number:
            if not self._play_known():
                self._lose(flip.line)
                break
        self._passing_over = self._lost or table.result is not None

    def _turn_up(self, flip: Flip) -> None:
        """Let the law rule on the cards of a flip, and compare."""
        table = self._table
        self._last_line = flip.line
        self._laid += flip.layers
        line = flip.line
        up = flip.shown
        seats = tuple(seat for seat, card in enumerate(up) if card is not None)
        if seats != table.due:
            self._disagree(
                line,
                say(
                    "cards of {written} are turned up, but it is for {players} to turn up cards",
                    written=self._named(seats),
                    players=self._named(table.due),
                ),
            )
            if not self._play_known():
                self._lose(line)
            return
        assert table.game.due is not None
        slots = dict(zip(seats, table.game.due.slots, strict=True))
        filled = [
            table.knowledge.certain(slots[seat]) if card == UNKNOWN else card
            for seat, card in enumerate(up)
            if card is not None
        ]
        faces = [card for card in filled if card is not None]
        if len(faces) < len(filled):
            self._disagree(line, say("nobody can rule on a card that isn't known"))
            self._lose(line)
            return
        shown = _with_faces(flip, dict(zip(seats, faces, strict=True)))
        if not self._lies_as_written(flip):
            shown = _without_hidden(shown)
        by_law = table.apply(shown)
        if by_law.kind == "refused":
            self._disagree(line, " ".join(by_law.lines))
            if not self._play_known():
                table.apply(Note("accept", ""))
                by_law = table.apply(_without_hidden(shown))
                if by_law.kind == "refused":
                    self._lose(line)
            return
        ruled = next(entry for entry in by_law.entries if isinstance(entry, Flip))
        self._compare(flip, ruled)
        if ruled.ended and not table.game.carried:
            self._compare_hidden(line)

    def _lies_as_written(self, flip: Flip) -> bool:
        """Whether those cards lie face down on the table that the record has before this flip."""
        laid = self._table.game.laid
        written = _hidden(flip)
        return _alike(written, laid[len(laid) - len(written) :]) and (
            len(laid) == len(written) or laid[-len(written) - 1].face == "up"
        )

    def _compare(self, flip: Flip, ruled: Flip) -> None:
        """Tell where the record's flip differs from the law's in more than its cards."""
        by_law = Writer(self._table.players).text(ruled).strip()
        told = ""
        if not _alike(flip.layers, ruled.layers):
            told = say("the cards laid face down here are not those that the rules ask for")
        elif flip.ended is False and ruled.ended:
            told = say("the war goes on in the record, but the round is over")
        elif flip.ended and not ruled.ended:
            told = say("this is war, and the round is not over")
        elif flip.ended and flip.winner != ruled.winner:
            told = (
                say("nobody takes the table in the record")
                if flip.winner is None
                else say(
                    "{player} does not take the table", player=self._table.players[flip.winner]
                )
            )
        if told:
            self._disagree(flip.line, say("{told}; by the law: {line}", told=told, line=by_law))

    def _compare_hidden(self, line: int) -> None:
        """Compare the face-down cards of a whole round, as far as both know them."""
        (last,) = self._table.last_rounds(1)
        by_law = last.layers
        if self._told == line or len(by_law) != len(self._laid):
            return
        for written, layer in zip(self._laid, by_law, strict=True):
            for seat, (card, known) in enumerate(zip(written.cards, layer.cards, strict=True)):
                if card is None or known is None or self._can_be(card, known):
                    continue
                self._disagree(
                    line,
                    say(
                        "{card} is not {player}'s face-down card; it is {known}",
                        card=card,
                        player=self._table.players[seat],
                        known=known,
                    ),
                )
                return

    def _can_be(self, one: Card, other: Card) -> bool:
        """Whether both can be the same card, one of them perhaps without its suit, or unknown."""
        rank = self._table.rules.pack.rank
        return UNKNOWN in (one, other) or one == other or rank[one] == other or rank[other] == one

    def _fits(self, up: Sequence[Card | None]) -> bool:
        """Whether these can be the cards that are turned up next."""
        hints = self._table.hints()
        written = [card for card in up if card is not None]
        return hints is None or (
            len(hints) == len(written) and all(map(self._can_be, written, hints))
        )

    def _play_known(self) -> bool:
        """Turn up the next cards by what is known of them; False when they aren't."""
        return self._table.turn_up_known() is not None

    def _named(self, seats: Sequence[int]) -> str:
        return ", ".join(self._table.players[seat] for seat in seats)

    # The result

    def _rule_on_outcome(self, outcome: Outcome) -> None:
        self.recorded_result = True
        table = self._table
        if table.result is None and (problem := self._stop(outcome)):
            self._disagree(outcome.line, problem)
            return
        result = self._endless or table.result
        assert result is not None
        differs = (
            outcome.winners != result.winners
            or outcome.reason not in (None, result.reason)
            or outcome.rounds not in (None, result.rounds)
        )
        if differs:
            by_law = Writer(table.players).text(
                Outcome(result.winners, result.reason, result.rounds)
            )
            self._disagree(
                outcome.line,
                say("this is not how the game ended; by the law: {line}", line=by_law.strip()),
            )

    def _stop(self, outcome: Outcome) -> str:
        """End the game for the record's reason; returns why that cannot be, if it can't."""
        table = self._table
        if outcome.reason == "endless":
            return self._find_endless()
        if outcome.reason == "time-limit":
            if table.rules.seconds is None:
                return say("these rules have no time limit")
            if table.game.laid:
                return say("a time limit waits for the end of the round")
        elif outcome.reason != "abandoned":
            return self._not_over()
        table.apply(outcome)
        return ""

    def _find_endless(self) -> str:
        """Whether this is where a simulation finds that the game would never end."""
        head = self.record.head
        if head.piles is None or head.rules.shuffles:
            return say("nobody can tell whether this game would never end")
        *_, end = simulate_from(head.rules, head.piles)
        if not isinstance(end, Result) or end.reason != "endless":
            return say("this game would not go on for ever")
        if end.rounds != self._table.game.rounds:
            return self._not_over()
        self._endless = end
        return ""

    def _not_over(self) -> str:
        return say(
            "the game is not over; {players} must turn up cards",
            players=self._named(self._table.due),
        )


def _with_faces(flip: Flip, faces: dict[int, Card]) -> Flip:
    """The same flip with these faces turned up."""
    layers = tuple(
        Layer("up", tuple(faces.get(seat) for seat in range(len(layer.cards))))
        if layer.face == "up"
        else layer
        for layer in flip.layers
    )
    return structs.replace(flip, layers=layers)


def _hidden(flip: Flip) -> tuple[Layer, ...]:
    """What was laid face down before a flip."""
    return tuple(takewhile(lambda layer: layer.face == "down", flip.layers))


def _without_hidden(flip: Flip) -> Flip:
    return structs.replace(flip, layers=flip.layers[len(_hidden(flip)) :])


def _alike(some: Sequence[Layer], others: Sequence[Layer]) -> bool:
    """Whether the same seats lay cards, the same way up."""
    return [*map(_shape, some)] == [*map(_shape, others)]


def _shape(layer: Layer) -> tuple[str, tuple[bool, ...]]:
    """Who laid a card, and which way up."""
    return layer.face, tuple(card is not None for card in layer.cards)


def _dealt_by_seed(head: Head) -> Dealt | None:
    return None if head.seed is None else deal(head.rules, Generator(head.seed, head.game))
