"""Ruling again on a recorded game, from a simulation as from the table.

The record's cards are turned up once more, and whatever the law makes of them is compared with
what the record says. Where they disagree the law goes on with its own version as far as it knows
the cards, as it does from the first to the last where the deal is known: so one slip in a record
is one disagreement. Where it doesn't know them it goes on from what the record shows, and says
when nobody can tell any more.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
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
    Laid,
    Note,
    Outcome,
    Record,
    Writer,
    alike,
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

    def __init__(self, record: Record, table: Table | None = None) -> None:
        """Rule on it at this table, where the game has yet to begin. Afterwards, if there is no
        disagreement, the table stands as the record has it."""
        self.record = record
        self.disagreements = []
        self.recorded_result = False
        head = record.head
        self._table = table or Table(head.rules, head.players, head.piles, shuffle=shuffle_of(head))
        self._sizes = self._table.game.sizes()  # as dealt
        self._endless: Result | None = None
        self._torn = _torn(record)
        self._untold = 0  # layers that shortage laid last, which the last flip doesn't have
        self._numbered_on = 0  # how far the record's round numbers are ahead of the law's
        self._passing_over = False  # a round of the record that isn't one of the law's
        self._lost = False
        self._told = 0  # the line of the last disagreement
        self._last_line = 0  # of the last cards that were ruled on
        self._check_deal()
        place = self._follow(0)
        while place < len(record.entries):
            self._rule(place)
            place = self._follow(place + 1)
        self.result = self._endless or self._table.result

    @cached_property
    def rounds(self) -> list[Round]:
        """The rounds that are over, as the law has them; `?` for a card that nobody saw."""
        return self._table.rounds

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

    def missing(self) -> tuple[Entry, ...]:
        """What belongs to the last entry by the law, and the record doesn't have: the end of a
        round that is torn in half, and the result that came of it."""
        missing: tuple[Entry, ...] = ()
        ruling = self._table.ruling
        if self._torn is not None and ruling is not None and ruling.is_last:
            flip = ruling.flip
            rest = flip.layers[len(self._torn.layers) :]
            missing += (structs.replace(flip, layers=rest, begins=False),)
        if self.result is not None and not self.recorded_result:
            result = self.result
            missing += (Outcome(result.winners, result.reason, result.rounds),)
        return missing

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

    def _follow(self, place: int) -> int:
        """Have the flips from this place on ruled on that there is nothing to say about; returns
        the place of the first one that isn't so."""
        if self._lost or self._passing_over:
            return place
        entries = self.record.entries
        after = self._table.follow(entries, place)
        if after > place:
            self._last_line = entries[after - 1].line
            self._untold = 0
        return after

    def _rule(self, place: int) -> None:
        entry = self.record.entries[place]
        match entry:
            case _ if self._lost:
                self.recorded_result |= isinstance(entry, Outcome)
            case Flip():
                self._rule_on_flip(entry, self._is_laid_after(place))
            case Laid():
                self._rule_on_laid(entry)
            case Outcome():
                self._rule_on_outcome(entry)
            case Note(word="clock", value=value, line=line):
                try:
                    read_clock(value)
                except ValueError as why:
                    self._disagree(line, str(why))
            case Note(word=word, line=line):
                answer = self._table.apply(entry)
                if answer.kind == "refused":
                    self._disagree(line, " ".join(answer.lines))
                elif self._table.result is None:
                    self._endless = None
                    self.recorded_result = False
                elif word == "redo":
                    self.recorded_result = True

    def _is_laid_after(self, place: int) -> bool:
        """Whether the record has, after the flip at this place, what was laid face down last."""
        entries = self.record.entries
        after = (entries[at] for at in range(place + 1, len(entries)))
        return isinstance(next((each for each in after if not isinstance(each, Note)), None), Laid)

    def _disagree(self, line: int, message: str) -> None:
        self.disagreements.append(Disagreement(line, message))
        self._told = line

    def _disagree_by_law(self, line: int, message: str, by_law: Flip) -> None:
        written = Writer(self._table.players).text(by_law).strip()
        self._disagree(line, say("{told}; by the law: {line}", told=message, line=written))

    def _lose(self, line: int) -> None:
        """Nobody can tell any more how the cards lie."""
        self._lost = True
        self._disagree(
            line,
            say("from here on nobody can tell how the cards lie, so the rest is not ruled on"),
        )

    # Rounds

    def _rule_on_flip(self, flip: Flip, laid_after: bool) -> None:
        table = self._table
        self._untold = 0
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
        self._check_number(flip)
        if not self._passing_over:
            self._turn_up(flip, laid_after)

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
        if not flip.begins or self._fits(flip.shown):
            if flip.begins:
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

    def _turn_up(self, flip: Flip, laid_after: bool) -> None:
        """Let the law rule on the cards of a flip, and compare."""
        table = self._table
        self._last_line = flip.line
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
        if ruled.ended and not flip.ended and (flip is self._torn or laid_after):
            told, untold = ruled.layers[: len(flip.layers)], ruled.layers[len(flip.layers) :]
            if untold and alike(flip.layers, told):
                self._untold = len(untold)
                return
        self._compare(flip, ruled)
        last = flip.layers[len(_hidden(flip)) + 1 :]
        if last and self._told != line:
            self._compare_hidden(line, last, len(last))

    def _lies_as_written(self, flip: Flip) -> bool:
        """Whether those cards lie face down on the table that the record has before this flip."""
        laid = self._table.game.laid
        written = _hidden(flip)
        return alike(written, laid[len(laid) - len(written) :]) and (
            len(laid) == len(written) or laid[-len(written) - 1].face == "up"
        )

    def _compare(self, flip: Flip, ruled: Flip) -> None:
        """Tell where the record's flip differs from the law's in more than its cards."""
        told = ""
        if not alike(flip.layers, ruled.layers):
            told = _not_these()
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
            self._disagree_by_law(flip.line, told, ruled)

    def _rule_on_laid(self, laid: Laid) -> None:
        """Compare what was laid face down for a flip that the record doesn't have."""
        table, ruling, untold = self._table, self._table.ruling, self._untold
        if self._passing_over or (self._told and self._told == self._last_line):
            return
        going_on = bool(table.game.laid)
        if ruling is None or not (going_on or untold):
            self._disagree(laid.line, say("no war is going on that this line could go on with"))
            return
        by_law = ruling.laid_down
        some_are_enough = going_on or self._torn is not None
        if not alike(laid.layers, by_law[: len(laid.layers)] if some_are_enough else by_law):
            flip = ruling.flip
            if going_on:
                flip = structs.replace(flip, layers=(*flip.layers, *map(_unseen, by_law)))
            self._disagree_by_law(laid.line, _not_these(), flip)
        elif not going_on:
            self._compare_hidden(laid.line, laid.layers, untold)
        elif (answer := table.apply(laid)).kind == "refused":
            self._disagree(laid.line, " ".join(answer.lines))

    def _compare_hidden(self, line: int, last: Sequence[Layer], many: int) -> None:
        """Compare the face-down cards of so `many` layers that were laid last in the round that is
        over, or of the first of them, as far as both know them."""
        (ended,) = self._table.last_rounds(1)
        for written, layer in zip(last, ended.layers[-many:], strict=False):
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
            if problem := self._find_endless():
                return problem
        elif outcome.reason == "time-limit":
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
        if end.rounds != self._table.game.rounds or self._table.game.laid:
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


def _not_these() -> str:
    return say("the cards laid face down here are not those that the rules ask for")


def _unseen(layer: Layer) -> Layer:
    """The same layer, of which nobody saw a card."""
    return Layer(layer.face, tuple([card and UNKNOWN for card in layer.cards]))


def _torn(record: Record) -> Flip | None:
    """The flip of a war with which the record ends in the middle of a line."""
    entries = (entry for entry in reversed(record.entries) if not isinstance(entry, Laid))
    last = next(entries, None)
    return last if record.in_line and isinstance(last, Flip) and last.ended is False else None


def _without_hidden(flip: Flip) -> Flip:
    return structs.replace(flip, layers=flip.layers[len(_hidden(flip)) :])


def _dealt_by_seed(head: Head) -> Dealt | None:
    return None if head.seed is None else deal(head.rules, Generator(head.seed, head.game))
