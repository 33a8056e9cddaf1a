"""The law of War: what a round, a war and a game are, and nothing else.

This module rules. It does no input or output, has no clock and draws no random numbers, and it
is the only one that knows the rules (the compiled kernel of the bulk study excepted, which a
test holds to it). It doesn't know what a card is called in another language, where cards come
from, or who is watching. Keep all of that out.

A game is told apart from the outside by one question and one answer:

    game = Game(rules, piles)
    while game.due:                          # these seats turn up these slots now
        game.turn_up(faces)                  # the cards that they show

The piles hold *slots*. A slot is one physical card, under a name that the caller chose: in a
simulation the card itself, at a table a label whose card perhaps nobody has seen yet. The law
moves slots about, and asks for faces only where cards are turned up.

Playing several ways on from one point is for `copy`; going back is for `mark` and `back_to`, which
cost the same in round 5,000 as in round 5.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from operator import itemgetter
from typing import Literal, NewType

from msgspec import UNSET, Struct, structs

from warcli.cards import Card
from warcli.events import Face, Layer, Reason, Result, Round, TakenUp
from warcli.repetition import Positions
from warcli.rules import Rules

Slot = str
"""A physical card, by whatever name the caller gave it."""

Block = tuple[Slot, ...]
"""Slots that move together, in the order in which they will be played."""

Position = tuple[Block, ...]
"""Every pile, then every aside pile where there are any."""

Shuffle = Callable[[Block], Block]
"""Gives back as many slots as it got, in random order (or under new names, at a table)."""


class Due(Struct, frozen=True, gc=False):
    """What must happen next: each of these seats turns up its top card, this slot."""

    seats: tuple[int, ...]
    slots: tuple[Slot, ...]
    """One for each of `seats`, in their order."""


class Game:
    """One game of War in progress."""

    __slots__ = (  # what a copy copies: a look at `__dict__` would make every attribute slow
        *("rules", "piles", "asides", "carried", "laid", "playing", "standing", "out", "rounds"),
        *("turning_up", "result", "_shuffle", "_shown", "_unbeaten", "_meeting", "_take"),
        *("_shuffled", "_under", "_by_seat", "_taken_up_aside", "_positions"),
    )

    rules: Rules
    piles: list[list[Slot]]
    """A pile a seat, its top card first."""
    asides: list[Block]
    """A pile of won cards a seat, the first taken first; always empty unless `won_cards` says
    aside."""
    carried: tuple[Layer, ...]
    """Layers of earlier rounds that nobody captured; they go to whoever captures next."""
    laid: tuple[Layer, ...]
    """Layers laid in this round so far, oldest first."""
    playing: tuple[int, ...]
    """The seats that are in, in order."""
    standing: tuple[int, ...]
    """Contenders who have no card left to turn up: their newest face-up card counts again."""
    out: tuple[int, ...]
    """The seats that shortage put out in this round, in the order in which they went."""
    rounds: int
    """Rounds begun so far, the one in progress included."""
    turning_up: tuple[int, ...]
    """The seats that turn up a card next; none once the game is over. See `due`."""
    result: Result | None
    """How the game ended; None while it goes on."""

    def __init__(
        self, rules: Rules, piles: Sequence[Sequence[Slot]], shuffle: Shuffle | None = None
    ) -> None:
        """Begin a game from these piles, one a seat, the top card first.

        A seat without cards is out. Raises ValueError when the number of piles isn't the rules'
        number of players, or when the rules shuffle in play and no `shuffle` is given.
        """
        if len(piles) != rules.players:
            raise ValueError(f"{len(piles)} piles for {rules.players} players")
        if shuffle is None and rules.shuffles:
            raise ValueError("these rules shuffle during the game: a shuffle must be given")
        seats = range(rules.players)
        self.rules = rules
        self.piles = [*map(list, piles)]  # a deque would take far longer to hash
        self.asides = [() for _ in seats]
        self.carried = ()
        self.laid = ()
        self.playing = tuple(seat for seat in seats if piles[seat])
        self.standing = ()
        self.out = ()
        self.rounds = 0
        self.result = None
        self._shuffle = shuffle
        self._shown: dict[int, Card] = {}  # each seat's newest face-up card in a war
        self._unbeaten = unbeaten_by(rules)
        self._meeting = meetings_by(rules) if rules.players == 2 else None
        self._shuffled = rules.capture_order == "shuffled"
        self._under = rules.won_cards == "under"
        self._by_seat = rules.capture_order in ("own-pile-first", "own-pile-last")
        self._take = [itemgetter(*_seats_as_taken_up(rules, winner)) for winner in seats]
        self._taken_up_aside: tuple[TakenUp, ...] = ()
        repetition_matters = rules.repetition == "draw" and not rules.shuffles
        self._positions = Positions() if repetition_matters else None
        self._before_round()

    def copy(self, shuffle: Shuffle | None = None) -> Game:
        """This game as it stands; playing on with one doesn't touch the other. The copy shuffles
        with `shuffle`, or else as this one does."""
        twin = self._twin()
        twin._shuffle = shuffle or self._shuffle
        twin._positions = self._positions and self._positions.copy()
        return twin

    def without_positions(self) -> Game:
        """A copy that plays on as if no position had any meaning."""
        twin = self._twin()
        twin._positions = None
        return twin

    def without_limit(self) -> Game:
        """A copy that plays on however many rounds it takes."""
        twin = self.copy()
        twin.rules = structs.replace(self.rules, round_limit="none")
        return twin

    def mark(self) -> Mark:
        """Where the game stands, to come `back_to`."""
        return Mark(self._twin())

    def back_to(self, mark: Mark) -> None:
        """Stand again where this game stood when the mark was made."""
        self._stand_as(mark)
        if self._positions is not None:
            self._positions.cut_back(self.rounds if self.laid else self.rounds + 1)

    def _twin(self) -> Game:
        """A copy that knows its positions together with this game: only one may play on."""
        twin = object.__new__(Game)
        twin._stand_as(self)
        return twin

    def _stand_as(self, other: Game) -> None:
        for name in self.__slots__:
            setattr(self, name, getattr(other, name))
        self.piles = [pile.copy() for pile in self.piles]
        self.asides = self.asides.copy()
        self._shown = self._shown.copy()

    def disturb(self, piles: Sequence[Sequence[Slot]], asides: Sequence[Sequence[Slot]]) -> None:
        """The piles turn out to lie like this: one was dropped, or counted again.

        Raises ValueError, changing nothing, when a number of cards changes in mid-round.
        """
        before = self.piles, self.asides, self.sizes()
        self.piles = [*map(list, piles)]
        self.asides = [*map(tuple, asides)]
        if self.laid and self.sizes() != before[2]:
            self.piles, self.asides, _ = before
            raise ValueError("cards are counted between rounds")
        if not self.turning_up:
            return
        if self._positions is not None:
            self._positions = self._positions.anew()
        if self.laid:
            self._make_due(self.turning_up, self.standing)
            return
        self.playing = tuple(seat for seat, size in enumerate(self.sizes()) if size)
        self._before_round()

    def name(self, names: Mapping[Slot, Card]) -> None:
        """These slots hold these cards, of which the pack has several: a repetition can't tell
        them apart, in earlier positions neither. Replaces what was named before.

        What is named late is compared from then on: a position that came back before anybody
        could know it is found when it comes back again.
        """
        if self._positions is not None:
            self._positions.name(names)

    @property
    def due(self) -> Due | None:
        """What must be turned up next; None once the game is over."""
        seats = self.turning_up
        return Due(seats, tuple([self.piles[seat][0] for seat in seats])) if seats else None

    def sizes(self) -> tuple[int, ...]:
        """How many cards each seat holds, pile and aside together."""
        if self._under:
            return (*map(len, self.piles),)
        return (*map(self._available, range(len(self.piles))),)

    def position(self) -> Position:
        """Every pile and aside pile, card by card: what a repetition repeats."""
        piles = tuple(map(tuple, self.piles))
        return piles if self._under else (*piles, *self.asides)

    def turn_up(self, faces: Sequence[Card]) -> Round | None:
        """The seats that are due turn up their cards, which show these faces, in order.

        Returns the round if that ended it, or None if a war goes on: then `due` says what is
        turned up next. Raises ValueError, changing nothing, when the game is over, when there are
        more or fewer faces than seats due, or when the pack has no such card.
        """
        seats, known = self.turning_up, self.rules.pack.rank
        if not seats:
            raise ValueError("the game is over")
        if len(faces) != len(seats):
            raise ValueError(f"{len(seats)} cards are due, not {len(faces)}")
        for face in faces:
            if face not in known:
                raise ValueError(f"{face} is not in this pack")
        slots = self._lay("up", seats)
        if self._positions is not None:
            self._positions.turned_up(slots, faces)
        return self._compare(tuple(faces))

    def turn_up_named(self) -> Round | None:
        """The seats that are due turn up their cards, which are those that the slots are named by.

        Returns as `turn_up` does. Raises ValueError when the game is over.
        """
        seats, meeting = self.turning_up, self._meeting
        if not seats:
            raise ValueError("the game is over")
        if meeting is None or self.laid or self.carried:
            return self._compare(self._lay("up", seats))
        first, second = self.piles
        cards = first[0], second[0]
        self.laid, winner, captured = meeting(cards)
        del first[0], second[0]
        self.rounds += 1
        if winner is None:
            return self._tie(seats, cards, unbeaten=seats)
        return self._close(winner, captured)

    def _compare(self, faces: tuple[Card, ...]) -> Round | None:
        """The seats that were due have turned up their cards, which show these faces."""
        seats = self.turning_up
        if self.standing:
            contending = {seat: self._shown[seat] for seat in self.standing}
            contending |= zip(seats, faces, strict=True)
            seats = tuple(sorted(contending))
            faces = tuple([contending[seat] for seat in seats])
            self.standing = ()
        unbeaten = self._unbeaten(faces)
        if len(unbeaten) > 1:
            return self._tie(seats, faces, unbeaten)
        return self._capture(seats[unbeaten[0]])

    def stop(
        self, reason: Literal["time-limit", "endless", "abandoned"], first_seen: int | None = None
    ) -> Result:
        """End the game for a reason that lies outside the law.

        A time limit is decided as `limit_result` says; it waits for the end of a round. An
        endless game has no winner; `first_seen` is the round at whose start this position stood.
        A round that is abandoned in its middle was not played, and doesn't count.
        Raises ValueError when the game is over, or when a time limit falls inside a round.
        """
        if self.result is not None:
            raise ValueError("the game is over")
        if reason != "time-limit":
            self.rounds -= bool(self.laid)
            return self._end(reason, (), first_seen)
        if self.laid:
            raise ValueError("a time limit waits for the end of the round")
        return self._end_at_limit(reason)

    # Between rounds

    def _before_round(self) -> None:
        """Look at everything that can end the game before a round (rules.md, "How a game ends")
        and, when nothing does, make the first cards due."""
        playing = self.playing
        if not self._under:
            self._have_piles(playing)
        if len(playing) == 1:
            self._collect_all(playing[0])
            self._end("collected", self._winners(playing[0]))
        elif not playing:  # the last cards of everybody lie on a carried table
            self._end("shortage", ())
        else:
            self.turning_up = playing
            positions = None if self.carried else self._positions
            if positions is not None and (first := positions.first_seen(self)):
                self._end("repetition", (), first)
            elif self.rounds == self.rules.round_limit:
                self._end_at_limit("round-limit")

    def _end_at_limit(self, reason: Reason) -> Result:
        if self.rules.limit_result == "draw":
            return self._end(reason, ())
        sizes = self.sizes()
        wanted = max if self.rules.goal == "collect" else min
        best = wanted(sizes[seat] for seat in self.playing)
        leaders = tuple(seat for seat in self.playing if sizes[seat] == best)
        return self._end(reason, leaders if len(leaders) == 1 else ())

    def _winners(self, collector: int) -> tuple[int, ...]:
        """Who wins when this seat has collected everything."""
        if self.rules.goal == "collect":
            return (collector,)
        return tuple(seat for seat in range(self.rules.players) if seat != collector)

    def _end(
        self, reason: Reason, winners: tuple[int, ...], first_seen: int | None = None
    ) -> Result:
        self.turning_up = ()
        self.result = Result(
            reason=reason,
            winners=winners,
            rounds=self.rounds,
            sizes=self.sizes(),
            first_seen=UNSET if first_seen is None else first_seen,
        )
        return self.result

    # Laying cards

    def _available(self, seat: int) -> int:
        return len(self.piles[seat]) + len(self.asides[seat])

    def _take_up_aside(self, seat: int) -> None:
        """The aside pile becomes the pile, which is empty."""
        won, self.asides[seat] = self.asides[seat], ()
        if self.rules.won_cards == "aside-shuffled":
            assert self._shuffle is not None
            won = self._shuffle(won)
        self.piles[seat].extend(won)
        self._taken_up_aside += (TakenUp(seat, won),)

    def _lay(self, face: Face, seats: Sequence[int]) -> Block:
        """Each of these seats, which have one, lays its top card: one layer. Returns the cards."""
        piles = self.piles
        if not self._under:
            self._have_piles(seats)
        if not self.laid:
            self.rounds += 1
        cards = tuple([piles[seat].pop(0) for seat in seats])
        if len(cards) == len(piles):
            self.laid += (Layer(face, cards),)
        else:
            layer: list[Slot | None] = [None] * len(piles)
            for seat, card in zip(seats, cards, strict=True):
                layer[seat] = card
            self.laid += (Layer(face, tuple(layer)),)
        return cards

    def _have_piles(self, seats: Sequence[int]) -> None:
        """A card is wanted from each of these seats, which have one."""
        for seat in seats:
            if not self.piles[seat]:
                self._take_up_aside(seat)

    def _make_due(self, seats: Sequence[int], standing: Sequence[int] = ()) -> None:
        """These seats turn up a card next; `standing` ones are compared by their newest again."""
        if not self._under:
            self._have_piles(seats)
        self.turning_up = tuple(seats)
        self.standing = tuple(standing)

    # War

    def _tie(
        self, seats: Sequence[int], faces: Sequence[Card], unbeaten: Sequence[int]
    ) -> Round | None:
        """Of these seats, who showed these faces, several are unbeaten (places in `seats`): war."""
        self._shown.update(zip(seats, faces, strict=True))
        tied = tuple([seats[place] for place in unbeaten])
        return self._war_step(who_fights(self.rules, self.playing, tied))

    def _war_step(self, fighters: Sequence[int]) -> Round | None:
        """Lay the face-down cards of a war step and make the face-up ones due.

        Returns the round if shortage ended it."""
        match self.rules.shortage:
            case "short-loses":
                return self._step_short_loses(fighters)
            case "first-out-loses":
                return self._step_first_out_loses(fighters)
            case "last-card-stands":
                return self._step_last_card_stands(fighters)
            case "fewer-down":
                return self._step_fewer_down(fighters)

    def _step_short_loses(self, fighters: Sequence[int]) -> Round | None:
        """Who hasn't enough for the whole step is out at once (seeds/004, final y casos).

        What they still hold goes onto the table, a layer a card, one seat after the other."""
        down = self.rules.war_face_down
        if short := self._lacking(down + 1, fighters):
            for seat in short:
                while self._available(seat):
                    self._lay("down", (seat,))
            fighters = self._put_out(short, fighters)
            if len(fighters) < 2:
                return self._settle(fighters)
        for _ in range(down):
            self._lay("down", fighters)
        self._make_due(fighters)
        return None

    def _step_first_out_loses(self, fighters: Sequence[int]) -> Round | None:
        """Card by card; who has none to lay is out there and then (seeds/001, går tom).

        The cards of a layer are laid at the same moment, so those who lack one go together."""
        for down in range(self.rules.war_face_down, -1, -1):
            if short := self._lacking(1, fighters):
                fighters = self._put_out(short, fighters)
                if len(fighters) < 2:
                    return self._settle(fighters)
            if down:
                self._lay("down", fighters)
        self._make_due(fighters)
        return None

    def _step_last_card_stands(self, fighters: Sequence[int]) -> Round | None:
        """Everybody keeps one card to turn up; without any, the newest face-up card stands."""
        spare = {seat: self._available(seat) - 1 for seat in fighters}
        able = [seat for seat in fighters if spare[seat] >= 0]
        if not able:
            return self._settle(self._put_out(fighters, fighters))
        for laid in range(self.rules.war_face_down):
            if laying := [seat for seat in able if spare[seat] > laid]:
                self._lay("down", laying)
        self._make_due(able, standing=[seat for seat in fighters if seat not in able])
        return None

    def _step_fewer_down(self, fighters: Sequence[int]) -> Round | None:
        """All lay as few face down as leaves the shortest of them one to turn up."""
        if short := self._lacking(1, fighters):
            fighters = self._put_out(short, fighters)
            if len(fighters) < 2:
                return self._settle(fighters)
        shortest = min(self._available(seat) for seat in fighters)
        for _ in range(min(self.rules.war_face_down, shortest - 1)):
            self._lay("down", fighters)
        self._make_due(fighters)
        return None

    def _lacking(self, cards: int, seats: Sequence[int]) -> list[int]:
        """Those of these seats who hold fewer cards than that."""
        piles, asides = self.piles, self.asides
        return [seat for seat in seats if len(piles[seat]) + len(asides[seat]) < cards]

    def _put_out(self, short: Sequence[int], fighters: Sequence[int]) -> Sequence[int]:
        """The fighters who are left once these are out."""
        self.out += tuple(short)
        self.playing = tuple([seat for seat in self.playing if seat not in short])
        return [seat for seat in fighters if seat not in short]

    def _settle(self, fighters: Sequence[int]) -> Round:
        """Shortage left no two fighters: end the game, or let the last one capture, or carry."""
        if len(self.playing) > 1:
            if fighters:
                return self._capture(fighters[0])
            self.carried += self.laid
            return self._close(None)
        left = self.playing[0] if self.playing else None
        if left is not None:
            self._collect_all(left)
        self._end("shortage", () if left is None else self._winners(left))
        return self._close(None)

    # The end of a round

    def _capture(self, winner: int) -> Round:
        """The round is over: the winner takes up the table and puts it away."""
        return self._close(winner, self._take_up(winner))

    def _close(self, winner: int | None, captured: Block = ()) -> Round:
        """The round is over: the winner, if any, puts away, face down, what it took up.
        Who holds no card now is out (rules.md, "in / out")."""
        if winner is not None:
            if self._shuffled:
                assert self._shuffle is not None
                captured = self._shuffle(captured)
            if self._under:
                self.piles[winner].extend(captured)
            else:
                self.asides[winner] += captured
        sizes = (*map(len, self.piles),) if self._under else self.sizes()
        taken_up = self._taken_up_aside or UNSET
        ended = Round(self.rounds, self.laid, self.out, winner, captured, sizes, taken_up)
        self.laid = self.out = self._taken_up_aside = ()
        if 0 in sizes:
            self.playing = tuple([seat for seat in self.playing if sizes[seat]])
        if self.result is None:
            self._before_round()
        return ended

    def _collect_all(self, seat: int) -> None:
        """The last seat left takes the table and all that the others still hold."""
        block = self._take_up(seat)
        for other in range(len(self.piles)):
            if other != seat:
                block += (*self.piles[other], *self.asides[other])
                self.piles[other].clear()
                self.asides[other] = ()
        self.piles[seat].extend(block)

    def _take_up(self, winner: int) -> Block:
        """The cards on the table, which this seat takes up layer by layer, or seat by seat
        (rules.md, "Capture")."""
        table = self.carried + self.laid
        self.carried = ()
        take = self._take[winner]
        if len(table) == 1:
            block = take(table[0].cards)
        else:
            rows = [take(layer.cards) for layer in table]
            block = tuple(chain.from_iterable(zip(*rows, strict=True) if self._by_seat else rows))
        return tuple(filter(None, block)) if None in block else block


Meeting = tuple[tuple[Layer], int | None, Block]
"""What the first cards of a round between two come to: the layer that they are, the seat that
captures them if they don't tie, and how it takes them up."""

Mark = NewType("Mark", Game)
"""Where a game stood; for `Game.back_to`."""


def who_fights(rules: Rules, playing: tuple[int, ...], tied: tuple[int, ...]) -> tuple[int, ...]:
    """The seats that a war is among when these are tied, of those who are in (`war_between`)."""
    return tied if rules.war_between == "tied" else playing


def _seats_as_taken_up(rules: Rules, winner: int) -> tuple[int, ...]:
    """The order of the seats' cards in a layer (or of their whole rows) when this seat captures:
    the winner's before or after the others', who come clockwise from the winner (`own-first`:
    seeds/000 and 003, section 02)."""
    seats = tuple(range(rules.players))
    others = seats[winner + 1 :] + seats[:winner]
    match rules.capture_order:
        case "own-first" | "own-pile-first":
            return (winner, *others)
        case "own-last" | "own-pile-last":
            return (*others, winner)
        case "seat-order" | "shuffled":
            return seats


@lru_cache(maxsize=32)
def unbeaten_by(rules: Rules) -> Callable[[tuple[Card, ...]], tuple[int, ...]]:
    """The function that compares cards under these rules.

    It takes faces and returns the places in that tuple of the cards that no other beats; of all,
    if every card is beaten. Suits never count. Raises KeyError for a card not of the pack.
    """
    height = {rank: -place for place, rank in enumerate(rules.rank_order)}
    strength = {card: height[rank] for card, rank in rules.pack.rank.items()}
    exceptions = {(height[one], height[other]) for one, other in rules.exceptions}

    def beats(one: int, other: int) -> bool:
        return (one, other) in exceptions or (one > other and (other, one) not in exceptions)

    @lru_cache(maxsize=10_000)  # all pairs of a pack of 100: most games compare two cards
    def unbeaten(faces: tuple[Card, ...]) -> tuple[int, ...]:
        shown = [strength[face] for face in faces]
        kinds = set(shown)
        best = {one for one in kinds if not any(beats(other, one) for other in kinds)} or kinds
        return tuple(place for place, one in enumerate(shown) if one in best)

    return unbeaten


@lru_cache(maxsize=8)
def meetings_by(rules: Rules) -> Callable[[Block], Meeting]:
    """The function that tells what comes of the card of seat 0 and that of seat 1 by these rules.

    It remembers it: most rounds of most games are such a meeting, of a few thousand that there
    are. Raises KeyError for a card not of the pack.
    """
    unbeaten_of = unbeaten_by(rules)

    @lru_cache(maxsize=10_000)
    def meeting(cards: Block) -> Meeting:
        laid, unbeaten = (Layer("up", cards),), unbeaten_of(cards)
        if len(unbeaten) > 1:
            return laid, None, ()
        winner = unbeaten[0]
        return laid, winner, tuple([cards[seat] for seat in _seats_as_taken_up(rules, winner)])

    return meeting
