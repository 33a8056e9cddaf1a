"""The law a second time, as plainly as it can be said: lists, loops and no cleverness.

It was written from `rules.md` and the source documents, not from `warcli/game.py`, and it is what
that module is held to, card for card, on random rules and random deals. It is slow and simple on
purpose; when the two differ, read the sentence of the law, and then find out which is wrong.

The events are the same data that the program uses (`warcli.events`), so that whole games compare.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import UNSET, UnsetType

from warcli.events import Face, Layer, Reason, Result, Round, TakenUp
from warcli.rules import Rules

Laid = dict[int, str]
"""The cards of one layer by seat."""


def play_plainly(
    rules: Rules,
    piles: Sequence[Sequence[str]],
    shuffle: Callable[[tuple[str, ...]], tuple[str, ...]] | None = None,
    most_rounds: int | None = None,
) -> list[Round | Result]:
    """Every round of a game and its result; after `most_rounds` the rest is left out."""
    table = _Table(rules, piles, shuffle)
    events: list[Round | Result] = []
    while most_rounds is None or len(events) < most_rounds:
        ending = table.before_a_round()
        if ending is not None:
            return [*events, ending]
        events.append(table.round())
    return events


class _Table:
    """A table with people around it."""

    def __init__(
        self,
        rules: Rules,
        piles: Sequence[Sequence[str]],
        shuffle: Callable[[tuple[str, ...]], tuple[str, ...]] | None,
    ) -> None:
        self.rules = rules
        self.seats = list(range(rules.players))
        self.piles = [list(pile) for pile in piles]
        self.asides: list[list[str]] = [[] for _ in self.seats]
        self.taken_up: list[TakenUp] = []
        self.is_in = [len(pile) > 0 for pile in piles]
        self.shuffle = shuffle
        self.carried: list[tuple[Face, Laid]] = []
        self.laid: list[tuple[Face, Laid]] = []
        self.newest: Laid = {}
        """The newest face-up card of each seat."""
        self.out: list[int] = []
        self.rounds = 0
        self.earlier: dict[str, int] = {}
        """The round at whose start the piles were so."""
        self.ended_in_the_round: Result | None = None

    # How a game ends, looked at before each round ------------------------------------------------

    def before_a_round(self) -> Result | None:
        if self.ended_in_the_round:
            return self.ended_in_the_round
        for seat in self.seats:
            if not self.piles[seat]:
                self.take_up_the_aside(seat)
        return self.collected() or self.came_back() or self.at_the_limit()

    def collected(self) -> Result | None:
        seats_in = self.seats_in()
        if len(seats_in) > 1:
            return None
        if not seats_in:  # the law names no ending for it; like a shortage that leaves none in
            return self.result("shortage", [])
        self.give_everything_to(seats_in[0])
        return self.result("collected", self.winners_when_one_has_all(seats_in[0]))

    def came_back(self) -> Result | None:
        """Drawn by repetition, or proved endless; never where cards are shuffled in play."""
        if self.carried or self.rules.shuffles:
            return None
        first = self.earlier.setdefault(repr((self.piles, self.asides)), self.rounds + 1)
        if first <= self.rounds and self.rules.repetition == "draw":
            return self.result("repetition", [], first)
        if first <= self.rounds and self.rules.round_limit == "none":
            return self.result("endless", [], first)
        return None

    def at_the_limit(self) -> Result | None:
        if self.rounds != self.rules.round_limit:
            return None
        return self.result("round-limit", self.winners_at_a_limit())

    def winners_when_one_has_all(self, seat: int) -> list[int]:
        if self.rules.goal == "collect":
            return [seat]
        return [other for other in self.seats if other != seat]

    def winners_at_a_limit(self) -> list[int]:
        if self.rules.limit_result == "draw":
            return []
        sizes = {seat: self.held(seat) for seat in self.seats_in()}
        wanted = max(sizes.values()) if self.rules.goal == "collect" else min(sizes.values())
        best = [seat for seat in sizes if sizes[seat] == wanted]
        return best if len(best) == 1 else []

    def result(self, reason: Reason, winners: list[int], first_seen: int | None = None) -> Result:
        return Result(
            reason=reason,
            winners=tuple(winners),
            rounds=self.rounds,
            sizes=self.sizes(),
            first_seen=UNSET if first_seen is None else first_seen,
        )

    # A round -------------------------------------------------------------------------------------

    def round(self) -> Round:
        self.rounds += 1
        self.laid, self.out, self.newest = [], [], {}
        fighters = self.seats_in()
        self.lay("up", fighters)
        while True:
            unbeaten = self.unbeaten(fighters)
            if len(unbeaten) == 1:
                return self.captured_by(unbeaten[0])
            fighters = unbeaten if self.rules.war_between == "tied" else self.seats_in()
            fighters = self.war_step(fighters)
            if self.out and len(self.seats_in()) < 2:
                return self.ended_for_shortage()
            if len(fighters) == 1:
                return self.captured_by(fighters[0])
            if not fighters:
                return self.nobody_captures()

    def war_step(self, fighters: list[int]) -> list[int]:
        """One war step; gives back who is left of the fighters.

        With fewer than two left there is nothing more to turn up, and it stops there.
        """
        match self.rules.shortage:
            case "short-loses":
                return self.step_short_loses(fighters)
            case "first-out-loses":
                return self.step_first_out_loses(fighters)
            case "last-card-stands":
                return self.step_last_card_stands(fighters)
            case "fewer-down":
                return self.step_fewer_down(fighters)

    def step_short_loses(self, fighters: list[int]) -> list[int]:
        down = self.rules.war_face_down
        short = [seat for seat in fighters if self.held(seat) < down + 1]
        fighters = self.without(short, fighters)
        for seat in short:
            while self.held(seat):
                self.lay("down", [seat])  # one layer a card, so never two seats in one
        if len(fighters) >= 2:
            for _ in range(down):
                self.lay("down", fighters)
            self.lay("up", fighters)
        return fighters

    def step_first_out_loses(self, fighters: list[int]) -> list[int]:
        for laying in range(self.rules.war_face_down + 1):
            fighters = self.without([seat for seat in fighters if not self.held(seat)], fighters)
            if len(fighters) < 2:
                break
            self.lay("down" if laying < self.rules.war_face_down else "up", fighters)
        return fighters

    def step_last_card_stands(self, fighters: list[int]) -> list[int]:
        able = [seat for seat in fighters if self.held(seat)]
        if not able:
            return self.without(fighters, fighters)
        downs = {seat: min(self.rules.war_face_down, self.held(seat) - 1) for seat in able}
        for number in range(max(downs.values())):
            self.lay("down", [seat for seat in able if downs[seat] > number])
        self.lay("up", able)
        return fighters

    def step_fewer_down(self, fighters: list[int]) -> list[int]:
        fighters = self.without([seat for seat in fighters if not self.held(seat)], fighters)
        if len(fighters) >= 2:
            shortest = min(self.held(seat) for seat in fighters)
            for _ in range(min(self.rules.war_face_down, shortest - 1)):
                self.lay("down", fighters)
            self.lay("up", fighters)
        return fighters

    def captured_by(self, winner: int) -> Round:
        block = self.block(winner)
        if self.rules.won_cards == "under":
            self.piles[winner] += block
        else:
            self.asides[winner] += block
        self.carried = []
        return self.end_of_round(winner, block)

    def nobody_captures(self) -> Round:
        self.carried += self.laid
        return self.end_of_round(None, [])

    def ended_for_shortage(self) -> Round:
        self.carried += self.laid
        survivors = self.seats_in()
        winners: list[int] = []
        if survivors:
            winners = self.winners_when_one_has_all(survivors[0])
            self.give_everything_to(survivors[0])
        self.ended_in_the_round = self.result("shortage", winners)
        return self.end_of_round(None, [])

    def end_of_round(self, winner: int | None, captured: list[str]) -> Round:
        for seat in self.seats:
            if not self.held(seat):
                self.is_in[seat] = False
        return Round(
            round=self.rounds,
            layers=tuple(
                Layer(face, tuple(laid.get(seat) for seat in self.seats))
                for face, laid in self.laid
            ),
            out=tuple(self.out),
            winner=winner,
            captured=tuple(captured),
            sizes=self.sizes(),
            taken_up=self.told_of_asides(),
        )

    # Comparing -----------------------------------------------------------------------------------

    def unbeaten(self, fighters: list[int]) -> list[int]:
        """The seats whose newest face-up card no other beats; all, if every one is beaten."""
        found = [
            seat
            for seat in fighters
            if not any(self.beats(self.newest[other], self.newest[seat]) for other in fighters)
        ]
        return found or fighters

    def beats(self, one: str, other: str) -> bool:
        rank, other_rank = _rank(one), _rank(other)
        if f"{rank} beats {other_rank}" in self.rules.rank_exceptions:
            return True
        if f"{other_rank} beats {rank}" in self.rules.rank_exceptions:
            return False
        order = self.rules.rank_order
        return order.index(rank) < order.index(other_rank)

    # Capture -------------------------------------------------------------------------------------

    def block(self, winner: int) -> list[str]:
        """The cards of the table in the order in which the winner takes them up."""
        layers = [laid for _, laid in self.carried + self.laid]
        clockwise = [(winner + step) % len(self.seats) for step in self.seats]
        others_then_winner = [*clockwise[1:], winner]

        def layer_by_layer(seats: list[int]) -> list[str]:
            return [layer[seat] for layer in layers for seat in seats if seat in layer]

        def seat_by_seat(seats: list[int]) -> list[str]:
            return [layer[seat] for seat in seats for layer in layers if seat in layer]

        match self.rules.capture_order:
            case "own-first":
                return layer_by_layer(clockwise)
            case "own-last":
                return layer_by_layer(others_then_winner)
            case "seat-order":
                return layer_by_layer(self.seats)
            case "own-pile-first":
                return seat_by_seat(clockwise)
            case "own-pile-last":
                return seat_by_seat(others_then_winner)
            case "shuffled":
                assert self.shuffle is not None
                return list(self.shuffle(tuple(layer_by_layer(self.seats))))

    # Cards in hand -------------------------------------------------------------------------------

    def lay(self, face: Face, seats: list[int]) -> None:
        """Each of these seats lays its top card: one layer."""
        layer: Laid = {}
        for seat in seats:
            if not self.piles[seat]:
                self.take_up_the_aside(seat)
            layer[seat] = self.piles[seat].pop(0)
        self.laid.append((face, layer))
        if face == "up":
            self.newest.update(layer)

    def take_up_the_aside(self, seat: int) -> None:
        won = self.asides[seat]
        if won and self.rules.won_cards == "aside-shuffled":
            assert self.shuffle is not None
            won = list(self.shuffle(tuple(won)))
        self.piles[seat], self.asides[seat] = won, []
        if won:
            self.taken_up.append(TakenUp(seat, tuple(won)))

    def told_of_asides(self) -> tuple[TakenUp, ...] | UnsetType:
        told, self.taken_up = tuple(self.taken_up), []
        return told or UNSET

    def without(self, gone: list[int], fighters: list[int]) -> list[int]:
        """Put these seats out; who is left of the fighters."""
        for seat in gone:
            self.is_in[seat] = False
            self.out.append(seat)
        return [seat for seat in fighters if seat not in gone]

    def give_everything_to(self, seat: int) -> None:
        """The whole table and all that the others still hold; in which order no longer matters."""
        for _, laid in self.carried:
            self.piles[seat] += laid.values()
        self.carried = []
        for other in self.seats:
            if other != seat:
                self.piles[seat] += self.piles[other] + self.asides[other]
                self.piles[other], self.asides[other] = [], []

    def held(self, seat: int) -> int:
        return len(self.piles[seat]) + len(self.asides[seat])

    def sizes(self) -> tuple[int, ...]:
        return tuple(self.held(seat) for seat in self.seats)

    def seats_in(self) -> list[int]:
        return [seat for seat in self.seats if self.is_in[seat]]


def _rank(card: str) -> str:
    return card.rstrip("♣♦♥♠")
