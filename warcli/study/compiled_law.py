"""The law once more, compiled: whole games in numbers only, millions of them in a second or so.

The rules are run-time parameters: one compilation serves them all. `kernel` puts rules and deals
in numbers and calls what is here.

All compiled functions are in this one file because numba's cache on disk looks at no other file to
see whether its code is still the same.
"""

from __future__ import annotations

from collections.abc import Callable
from sys import byteorder
from typing import NamedTuple, TypeVar, cast

import numpy as np
from numpy import int64, uint16, uint32, uint64
from numpy.typing import NDArray

from warcli.rules import CAPTURE_ORDERS, SHORTAGES
from warcli.study.compiling import compiled
from warcli.study.games import REASONS

_whole = cast(Callable[[uint64], int], int64)
"""An index as a whole number with a sign, for counting; compiled code knows no other int."""

# The rules in numbers

_OWN_FIRST, _OWN_LAST, _SEAT_ORDER, _OWN_PILE_FIRST, _OWN_PILE_LAST, _SHUFFLED = range(6)
assert CAPTURE_ORDERS == (
    "own-first",
    "own-last",
    "seat-order",
    "own-pile-first",
    "own-pile-last",
    "shuffled",
)

_SHORT_LOSES, _FIRST_OUT_LOSES, _LAST_CARD_STANDS, _FEWER_DOWN = range(4)
assert SHORTAGES == ("short-loses", "first-out-loses", "last-card-stands", "fewer-down")

_UNDER, _ASIDE, _ASIDE_SHUFFLED = range(3)
WON_CARDS = ("under", "aside", "aside-shuffled")

NO_LIMIT = 1 << 62

Seats = NDArray[int64]
"""A number for each of eight seats."""
Words = NDArray[uint64]
"""The state of a stream of random numbers: four words."""
Cards = NDArray[uint16]
"""Cards as numbers: four times the rank's height (0 for the lowest) plus the suit. So cards of one
kind are equal, and cards of one rank differ in the lowest two bits only."""


class RulesInNumbers:
    """Rules in numbers; yes and no are 1 and 0."""

    seats: int
    down: int
    shortage: int
    """Its place in `SHORTAGES`."""
    order: int
    """Its place in `CAPTURE_ORDERS`."""
    won: int
    """Its place in `WON_CARDS`."""
    limit: int
    """The round limit, or `NO_LIMIT`."""
    watched: int
    """Whether a position that comes back ends the game."""
    drawn: int
    """Whether it is drawn then; otherwise the game is endless."""
    shed: int
    most_cards: int
    everyone: int
    dealt: int
    """How many cards of the shuffled pack are dealt."""


class _State:
    """A game as it stands, but for its cards.

    A seat's pile is `cards[seat, head[seat]:settled[seat]]`, the top card first, and its aside
    pile follows, up to `tail[seat]`: played from the front and filled at the end, the two are one
    queue, and all that taking up the aside pile does is to move `settled` (and to shuffle).

    The layers on the table, carried ones first, are `cards[seats + seat, layer]`.
    """

    head: Seats
    settled: Seats
    tail: Seats
    shown: Seats
    """Each seat's newest face-up card."""
    playing: int
    """The seats that are in: the sum of their 2**seat, as wherever several seats are meant."""
    carried: int
    """How many layers are carried."""
    leader: int
    """Who led last, -1 before anybody did."""
    rounds: int
    layers: int
    lead_changes: int
    stream: Words


Turned = NDArray[int64]
"""Pairs of ranks that an exception turns round: the lower one's height times 2**16 plus the higher
one's."""

Record = TypeVar("Record")


Pairs = NDArray[uint32]
"""Two cards that lie one behind the other, as one number."""
Depths = NDArray[int64]
"""How many rounds of a game, or of many, had so many war steps; entry 0 is unused."""


def record(kind: type[Record]) -> Record:
    """A new record of zeros with the fields of this class; compiled code gets it as a pointer."""
    fields = {"int": (int64, ()), "Seats": (int64, (8,)), "Words": (uint64, (4,))}
    layout = [(name, *fields[hint]) for name, hint in kind.__annotations__.items()]
    return cast(Record, np.zeros(1, (np.record, layout))[0])


NO_CARD = uint16(0xFFFF)


class Game(NamedTuple):
    """A game and its cards."""

    state: _State
    cards: Cards
    queue: Cards
    """The same cards, one row after the other."""
    pairs: Pairs
    """The same memory, two cards at a time."""
    depths: Depths
    """Of this game."""


def _new_game(seats: int, size: int) -> Game:
    """For so many seats and a pack of this size."""
    cards = np.zeros((2 * seats, 4 * size + 1024), uint16)
    queue = cards.reshape(-1)
    return Game(record(_State), cards, queue, queue.view(uint32), np.zeros(size + 2, int64))


def five_games(seats: int, size: int) -> tuple[Game, Game, Game, Game, Game]:
    """One to play at, and four to find with when a position first came back."""
    game, earlier, ahead, earlier_before, ahead_before = (_new_game(seats, size) for _ in range(5))
    return game, earlier, ahead, earlier_before, ahead_before


_0, _1, _2, _4 = uint64(0), uint64(1), uint64(2), uint64(4)
_FIRST, _SECOND = (uint64(0), uint64(16)) if byteorder == "little" else (uint64(16), uint64(0))
"""How far the first and the second card of a pair stand from its lowest bit."""

# The seeded shuffle (see `generator`)


@compiled
def _mix(x: uint64) -> uint64:
    x = x + uint64(0x9E3779B97F4A7C15)
    x = (x ^ (x >> uint64(30))) * uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> uint64(27))) * uint64(0x94D049BB133111EB)
    return x ^ (x >> uint64(31))


@compiled
def begin_stream(stream: NDArray[uint64], seed: uint64, number: uint64) -> None:
    """Set the four words of a game's stream of random numbers to its beginning."""
    start = _mix(_mix(seed) + number)
    for word in range(4):
        stream[word] = _mix(start + uint64(word) * uint64(0x9E3779B97F4A7C15))


@compiled
def _next(
    s0: uint64, s1: uint64, s2: uint64, s3: uint64
) -> tuple[uint64, uint64, uint64, uint64, uint64]:
    """The stream's four words after the next output, and that output."""
    output = s1 * uint64(5)
    output = ((output << uint64(7)) | (output >> uint64(57))) * uint64(9)
    kept = s1 << uint64(17)
    s2 ^= s0
    s3 ^= s1
    s1 ^= s2
    s0 ^= s3
    s2 ^= kept
    s3 = (s3 << uint64(45)) | (s3 >> uint64(19))
    return s0, s1, s2, s3, output


@compiled
def _shuffle(cards: Cards, stream: Words) -> None:
    """Shuffle these cards where they lie."""
    s0, s1, s2, s3 = stream[0], stream[1], stream[2], stream[3]
    for place in range(len(cards) - 1, 0, -1):
        n = uint64(place + 1)
        while True:
            s0, s1, s2, s3, output = _next(s0, s1, s2, s3)
            product = (output >> uint64(32)) * n
            rest = product & uint64(0xFFFFFFFF)
            # 2**32 mod n is less than n, so the slow division is hardly ever asked for
            if rest >= n or rest >= uint64(1 << 32) % n:
                break
        other = product >> uint64(32)
        cards[place], cards[other] = cards[other], cards[place]
    stream[0], stream[1], stream[2], stream[3] = s0, s1, s2, s3


@compiled
def _after_a_shuffle(both: uint64, stream: Words) -> uint64:
    """Two cards after a shuffle, twice: `both` holds the pair as it is and the same one swapped."""
    stream[0], stream[1], stream[2], stream[3], output = _next(
        stream[0], stream[1], stream[2], stream[3]
    )
    stays = output >> uint64(63)  # the number below 2
    pair = both >> (uint64(32) * (_1 - stays)) & uint64(0xFFFFFFFF)
    return pair | pair << uint64(32)


# Between rounds


@compiled
def _deal(rules: RulesInNumbers, pack: Cards, game: Game) -> None:
    """Deal the shuffled pack, the last card dealt to a seat on top, and begin the game."""
    state = game.state
    seats = rules.seats
    for seat in range(seats):
        size = (rules.dealt - seat + seats - 1) // seats
        state.head[seat] = 0
        state.settled[seat] = state.tail[seat] = size
        bottom = uint64(seat * game.cards.shape[1] + size - 1)
        dealt = uint64(seat)
        for place in range(uint64(size)):
            game.queue[bottom - place] = pack[dealt]
            dealt += uint64(seats)
    for steps in range(len(game.depths)):
        game.depths[steps] = 0
    state.playing = (1 << seats) - 1
    state.leader = -1
    state.carried = state.rounds = state.layers = state.lead_changes = 0


@compiled
def _copy(rules: RulesInNumbers, game: Game, to: Game) -> None:
    """Make `to` the same as the game, as it is between two rounds. No randomness is copied: it
    serves where positions may come back, and there nothing is shuffled."""
    state, twin = game.state, to.state
    for seat in range(rules.seats):
        head = state.head[seat]
        size = state.tail[seat] - head
        twin.head[seat] = 0
        twin.settled[seat] = state.settled[seat] - head
        twin.tail[seat] = size
        for place in range(size):
            to.cards[seat, place] = game.cards[seat, head + place]
        for layer in range(state.carried):
            to.cards[rules.seats + seat, layer] = game.cards[rules.seats + seat, layer]
    twin.playing = state.playing
    twin.carried = state.carried
    twin.leader = state.leader
    twin.rounds = state.rounds
    twin.layers = state.layers
    twin.lead_changes = state.lead_changes
    for steps in range(len(game.depths)):
        to.depths[steps] = game.depths[steps]


@compiled
def _same_piles(rules: RulesInNumbers, game: Game, other: Game) -> bool:
    """Whether every pile and aside pile is the same, card by card, and nothing is carried."""
    state, twin = game.state, other.state
    if state.carried or twin.carried:
        return False
    for seat in range(rules.seats):
        here, there = state.head[seat], twin.head[seat]
        if state.tail[seat] - here != twin.tail[seat] - there:
            return False
        if rules.won != _UNDER and state.settled[seat] - here != twin.settled[seat] - there:
            return False
    for seat in range(rules.seats):
        here, there = state.head[seat], twin.head[seat]
        for place in range(state.tail[seat] - here):
            if game.cards[seat, here + place] != other.cards[seat, there + place]:
                return False
    return True


@compiled
def _is_single(mask: int) -> bool:
    return mask & (mask - 1) == 0


@compiled
def _seat_of(mask: int) -> int:
    """The seat of a mask with one bit."""
    seat = 0
    while mask > 1:
        mask >>= 1
        seat += 1
    return seat


@compiled
def _note_leader(rules: RulesInNumbers, state: _State) -> None:
    """Count a change of the lead after a round."""
    most, leader = 0, -1
    for seat in range(rules.seats):
        size = state.tail[seat] - state.head[seat]
        if size > most:
            most, leader = size, seat
        elif size == most:
            leader = -1
    if leader >= 0:
        if state.leader >= 0 and state.leader != leader:
            state.lead_changes += 1
        state.leader = leader


# A round


@compiled
def _take_up_aside(rules: RulesInNumbers, state: _State, cards: Cards, seat: int) -> None:
    """The aside pile becomes the pile, which is empty."""
    state.settled[seat] = state.tail[seat]
    if rules.won == _ASIDE_SHUFFLED:
        _shuffle(cards[seat, state.head[seat] : state.tail[seat]], state.stream)


@compiled
def _lay(rules: RulesInNumbers, state: _State, cards: Cards, layers: int, mask: int) -> int:
    """These seats lay their top cards as one layer; all have one. Returns how many layers lie."""
    for seat in range(rules.seats):
        if mask >> seat & 1:
            head = state.head[seat]
            if head == state.settled[seat]:
                _take_up_aside(rules, state, cards, seat)
            cards[rules.seats + seat, layers] = cards[seat, head]
            state.head[seat] = head + 1
        else:
            cards[rules.seats + seat, layers] = NO_CARD
    return layers + 1


@compiled
def _is_turned(turned: Turned, card: uint64, against: uint64) -> uint64:
    """1 if an exception turns the order of these two round, otherwise 0."""
    height, other = _whole(card) >> 2, _whole(against) >> 2
    wanted = min(height, other) << 16 | max(height, other)
    for pair in turned:
        if pair == wanted:
            return _1
    return _0


@compiled
def _unbeaten(rules: RulesInNumbers, turned: Turned, state: _State, contenders: int) -> int:
    """Which of these seats show a card that no other beats; all of them if every card is beaten."""
    found = 0
    if not len(turned):
        best = -1
        for seat in range(rules.seats):
            if contenders >> seat & 1:
                height = state.shown[seat] >> 2
                if height > best:
                    best, found = height, 0
                if height == best:
                    found |= 1 << seat
        return found
    for seat in range(rules.seats):
        if contenders >> seat & 1:
            card = uint64(state.shown[seat])
            beaten = False
            for other in range(rules.seats):
                if contenders >> other & 1:
                    against = uint64(state.shown[other])
                    if _is_turned(turned, card, against):
                        beaten |= bool(against < card)
                    else:
                        beaten |= bool(against >> _2 > card >> _2)
            if not beaten:
                found |= 1 << seat
    return found if found else contenders


@compiled
def _with_fewer(rules: RulesInNumbers, state: _State, mask: int, wanted: int) -> int:
    """Which of these seats have fewer cards available than wanted."""
    short = 0
    for seat in range(rules.seats):
        if mask >> seat & 1 and state.tail[seat] - state.head[seat] < wanted:
            short |= 1 << seat
    return short


@compiled
def _war_step(
    rules: RulesInNumbers, state: _State, cards: Cards, layers: int, fighters: int
) -> tuple[int, int, int]:
    """Lay the face-down cards of a war step and put out who falls short.

    Returns how many layers lie, the fighters who are left, and those of them who turn up a card
    now: none when shortage has settled the war."""
    if rules.shortage == _SHORT_LOSES:
        return _step_short_loses(rules, state, cards, layers, fighters)
    if rules.shortage == _FIRST_OUT_LOSES:
        return _step_first_out_loses(rules, state, cards, layers, fighters)
    if rules.shortage == _LAST_CARD_STANDS:
        return _step_last_card_stands(rules, state, cards, layers, fighters)
    return _step_fewer_down(rules, state, cards, layers, fighters)


@compiled
def _step_short_loses(
    rules: RulesInNumbers, state: _State, cards: Cards, layers: int, fighters: int
) -> tuple[int, int, int]:
    short = _with_fewer(rules, state, fighters, rules.down + 1)
    for seat in range(rules.seats):
        if short >> seat & 1:
            while state.head[seat] < state.tail[seat]:
                layers = _lay(rules, state, cards, layers, 1 << seat)
    fighters &= ~short
    state.playing &= ~short
    if _is_single(fighters):
        return layers, fighters, 0
    for _ in range(rules.down):
        layers = _lay(rules, state, cards, layers, fighters)
    return layers, fighters, fighters


@compiled
def _step_first_out_loses(
    rules: RulesInNumbers, state: _State, cards: Cards, layers: int, fighters: int
) -> tuple[int, int, int]:
    for left in range(rules.down, -1, -1):
        short = _with_fewer(rules, state, fighters, 1)
        fighters &= ~short
        state.playing &= ~short
        if _is_single(fighters):
            return layers, fighters, 0
        if left:
            layers = _lay(rules, state, cards, layers, fighters)
    return layers, fighters, fighters


@compiled
def _step_last_card_stands(
    rules: RulesInNumbers, state: _State, cards: Cards, layers: int, fighters: int
) -> tuple[int, int, int]:
    due = fighters & ~_with_fewer(rules, state, fighters, 1)
    if not due:
        state.playing &= ~fighters
        return layers, 0, 0
    for _ in range(rules.down):
        laying = due & ~_with_fewer(rules, state, due, 2)
        if not laying:
            break
        layers = _lay(rules, state, cards, layers, laying)
    return layers, fighters, due


@compiled
def _step_fewer_down(
    rules: RulesInNumbers, state: _State, cards: Cards, layers: int, fighters: int
) -> tuple[int, int, int]:
    short = _with_fewer(rules, state, fighters, 1)
    fighters &= ~short
    state.playing &= ~short
    if _is_single(fighters):
        return layers, fighters, 0
    down = rules.down
    for seat in range(rules.seats):
        if fighters >> seat & 1:
            down = min(down, state.tail[seat] - state.head[seat] - 1)
    for _ in range(down):
        layers = _lay(rules, state, cards, layers, fighters)
    return layers, fighters, fighters


@compiled
def _move_to_front(state: _State, cards: Cards, seat: int) -> None:
    """Move a seat's queue to the front of its row, so that it ends at an even place."""
    head, size = state.head[seat], state.tail[seat] - state.head[seat]
    front = size & 1
    for step in range(size):
        place = step if front <= head else size - 1 - step  # never onto a card yet to be moved
        cards[seat, front + place] = cards[seat, head + place]
    state.head[seat] = front
    state.settled[seat] += front - head
    state.tail[seat] = front + size


@compiled
def _capture(rules: RulesInNumbers, state: _State, cards: Cards, layers: int, winner: int) -> None:
    """The winner takes up the table."""
    seats = rules.seats
    if state.tail[winner] + layers * seats > cards.shape[1]:
        _move_to_front(state, cards, winner)
    pile = cards[winner]
    start = end = state.tail[winner]
    order = rules.order
    seat = winner
    if order in (_SEAT_ORDER, _SHUFFLED):
        seat = 0
    elif order in (_OWN_LAST, _OWN_PILE_LAST):
        seat = winner + 1 if winner + 1 < seats else 0
    if order in (_OWN_PILE_FIRST, _OWN_PILE_LAST):
        for _ in range(seats):
            for layer in range(layers):
                card = cards[seats + seat, layer]
                if card != NO_CARD:
                    pile[end] = card
                    end += 1
            seat = seat + 1 if seat + 1 < seats else 0
    else:
        for layer in range(layers):
            for _ in range(seats):
                card = cards[seats + seat, layer]
                if card != NO_CARD:
                    pile[end] = card
                    end += 1
                seat = seat + 1 if seat + 1 < seats else 0
    if order == _SHUFFLED:
        _shuffle(pile[start:end], state.stream)
    state.tail[winner] = end
    if rules.won == _UNDER:
        state.settled[winner] = end
    state.carried = 0


@compiled
def _collect_all(rules: RulesInNumbers, state: _State) -> None:
    """The last seat playing takes everything. In what order no longer matters."""
    last = _seat_of(state.playing)
    for seat in range(rules.seats):
        state.head[seat] = 0
        state.tail[seat] = rules.dealt if seat == last else 0
    state.carried = 0


@compiled
def _play_round(
    rules: RulesInNumbers, turned: Turned, state: _State, cards: Cards, depths: Depths
) -> bool:
    """Play a round. Returns whether shortage ended the game."""
    carried = layers = state.carried
    steps = 0
    contenders = due = state.playing
    winner = 0
    state.rounds += 1
    while True:
        layers = _lay(rules, state, cards, layers, due)
        for seat in range(rules.seats):
            if due >> seat & 1:
                state.shown[seat] = cards[rules.seats + seat, layers - 1]
        winner = _unbeaten(rules, turned, state, contenders)
        if _is_single(winner):
            break
        steps += 1
        layers, contenders, due = _war_step(
            rules, state, cards, layers, state.playing if rules.everyone else winner
        )
        if not due:
            winner = contenders
            break
    state.layers += layers - carried
    if steps:
        depths[steps] += 1
    playing = state.playing
    ended = steps > 0 and due == 0 and _is_single(playing)
    if ended:
        if playing:
            _collect_all(rules, state)
    elif winner:
        _capture(rules, state, cards, layers, _seat_of(winner))
    else:
        state.carried = layers
    state.playing = playing & ~_with_fewer(rules, state, playing, 1)
    _note_leader(rules, state)
    return ended


# Two seats left: most rounds of most games


@compiled
def _two_pairs(order: int) -> tuple[uint64, uint64]:
    """By which two numbers to multiply two cards, the first seat's and the second's, so that their
    sum is the pair as the first seat puts it under its pile, and above that (times 2**32) the pair
    as the second does. Where it is shuffled then, the second one is the first one swapped."""
    first, second = _1 << _FIRST, _1 << _SECOND
    of_card, of_against = first, second
    if order in (_OWN_LAST, _OWN_PILE_LAST):
        of_card, of_against = second, first
    if order in (_OWN_FIRST, _OWN_PILE_FIRST, _SHUFFLED):
        first, second = second, first
    return of_card | first << uint64(32), of_against | second << uint64(32)


@compiled
def _capture_whole(
    queue: Cards,
    order: int,
    stream: Words | None,
    one: uint64,
    two: uint64,
    layers: uint64,
    two_wins: uint64,
    end: uint64,
) -> None:
    """Put the layers of a war, which begin at `one` and `two`, to the end of the winner's queue, in
    an order that isn't pair by pair: pile by pile or shuffled."""
    if stream is not None and order == _SHUFFLED:
        for layer in range(layers):
            queue[end + layer + layer] = queue[one + layer]
            queue[end + layer + layer + _1] = queue[two + layer]
        _shuffle(queue[_whole(end) : _whole(end + layers + layers)], stream)
    else:
        if two_wins ^ uint64(order == _OWN_PILE_LAST):
            one, two = two, one
        for layer in range(layers):
            queue[end + layer] = queue[one + layer]
            queue[end + layers + layer] = queue[two + layer]


@compiled
def _rounds(
    game: Game,
    order: int,
    down: uint64,
    turned: Turned | None,
    stream: Words | None,
    head_one: uint64,
    head_two: uint64,
    end_one: uint64,
    end_two: uint64,
    stop: uint64,
    limit: uint64,
    all_cards: uint64,
    most: uint64,
    leads: uint64,
) -> tuple[uint64, uint64, uint64, uint64, uint64, uint64, bool]:
    """Rounds between two seats until `head_one` comes to `stop`, the first seat has no card or
    `most`, or a war comes that is not to be fought here, because a seat is short in it or it would
    pass `limit`. `leads` is 1 if the first seat led last. This is compiled twice: with None where
    nothing is turned round nor shuffled, and without.

    Returns where the first seat's head and both ends are then, `leads`, how often the lead passed,
    the layers beyond one a round, and whether it is such a war that comes.

    It makes do without a branch that depends on who wins: a pair is written behind both piles,
    and only the winner's grows.
    """
    queue, pairs, depths = game.queue, game.pairs, game.depths
    of_card, of_against = _two_pairs(order)
    between = head_two - head_one  # both play their cards at the same pace
    most = min(most, all_cards)
    card = against = changes = beyond = _0
    # The compiler would carry whatever is reckoned from `head_one` in a war along through every
    # plain round, were it not for this bit that it cannot know to be 0: a tenth of the time.
    nothing = down >> uint64(63)
    while True:
        tied = False
        while head_one < stop:
            card, against = uint64(queue[head_one]), uint64(queue[head_one + between])
            both = card * of_card + against * of_against
            if card ^ against < _4:
                tied = True
                break
            if stream is not None and order == _SHUFFLED:
                both = _after_a_shuffle(both, stream)
            pairs[end_one] = both
            pairs[end_two] = both >> uint64(32)
            if turned is None:
                end_one += uint64(card > against)
                end_two += uint64(against > card)
            else:
                two_wins = uint64(against > card) ^ _is_turned(turned, card, against)
                end_one += _1 - two_wins
                end_two += two_wins
            head_one += _1
            twice = (end_one + end_one - head_one) << _1  # twice what the first seat holds
            led, leads = leads, uint64(twice + leads > all_cards)
            changes += led ^ leads
            if twice - _2 >= most + most - _2:
                break
        if not tied:
            return head_one, end_one, end_two, leads, changes, beyond, False
        head_one |= nothing
        held = end_one + end_one - head_one
        left = min(held, all_cards - held, limit - head_one)
        layers, steps = _0, 0
        hidden = _0  # face-down layers to come before the next face-up one
        while True:
            card = uint64(queue[head_one + layers])
            against = uint64(queue[head_one + between + layers])
            both = card * of_card + against * of_against
            pairs[end_one + layers] = both
            pairs[end_two + layers] = both >> uint64(32)
            layers += _1
            if hidden:
                hidden -= _1
                continue
            if card ^ against >= _4:
                break
            if left <= layers + down:
                return head_one, end_one, end_two, leads, changes, beyond, True
            steps += 1
            hidden = down
        depths[steps] += 1
        beyond += layers - _1
        two_wins = uint64(against > card)
        if turned is not None:
            two_wins ^= _is_turned(turned, card, against)
        if order > _SEAT_ORDER:
            pairs_before = end_two if two_wins else end_one
            _capture_whole(
                queue,
                order,
                stream,
                head_one,
                head_one + between,
                layers,
                two_wins,
                pairs_before << _1,
            )
        end_one += layers & (two_wins - _1)
        end_two += layers & (_0 - two_wins)
        head_one += layers
        held = end_one + end_one - head_one
        led, leads = leads, uint64(held + held + leads > all_cards)
        changes += led ^ leads
        if held - _1 >= most - _1:
            return head_one, end_one, end_two, leads, changes, beyond, False


@compiled
def _duel(rules: RulesInNumbers, turned: Turned, game: Game, until: int, most: int) -> bool:
    """Play the rounds between the last two seats, as far as nothing unusual happens.

    Stops before the game ends, before the round after `until`, when the first of them holds
    `most` cards, when a pile must be taken up, and before a round that `_play_round` must play:
    then it returns true.
    """
    state = game.state
    one = _seat_of(state.playing & -state.playing)
    two = _seat_of(state.playing & (state.playing - 1))
    for seat in (one, two):  # pairs end at even places, and there must be room for many
        if state.tail[seat] & 1 or 4 * state.head[seat] > game.cards.shape[1]:
            _move_to_front(state, game.cards, seat)
    row = uint64(game.cards.shape[1])
    row_one, row_two = uint64(one) * row, uint64(two) * row
    head_one, head_two = row_one + uint64(state.head[one]), row_two + uint64(state.head[two])
    tail_one, tail_two = row_one + uint64(state.tail[one]), row_two + uint64(state.tail[two])
    all_cards = tail_one - head_one + tail_two - head_two
    end_one, end_two = tail_one >> _1, tail_two >> _1  # in pairs
    full = min(row_one + row - head_one, row_two + row - head_two) - all_cards - all_cards
    if rules.won != _UNDER:
        full = min(full, uint64(state.settled[one]) + row_one - head_one)
        full = min(full, uint64(state.settled[two]) + row_two - head_two)
    limit = head_one + full
    down = uint64(rules.down)
    plain = rules.order != _SHUFFLED and len(turned) == 0
    unusual = False
    while state.rounds < until and head_one < limit and not unusual:
        start = head_one
        stop = min(limit, start + uint64(until - state.rounds))
        if state.leader < 0:  # look after each round who leads
            stop = start + _1
        leads = uint64(state.leader == one)
        piles = head_one, head_two, end_one, end_two
        bounds = stop, limit, all_cards, uint64(most)
        if plain:
            after = _rounds(game, rules.order, down, None, None, *piles, *bounds, leads)
        else:
            after = _rounds(game, rules.order, down, turned, state.stream, *piles, *bounds, leads)
        head_one, end_one, end_two, leads, changes, beyond, unusual = after
        played = head_one - start
        head_two += played
        state.rounds += _whole(played - beyond)
        state.layers += _whole(played)
        held = _whole(end_one + end_one - head_one)
        if state.leader >= 0:
            state.leader = one if leads else two
            state.lead_changes += _whole(changes)
        elif played and 2 * held != _whole(all_cards):
            state.leader = one if 2 * held > _whole(all_cards) else two
        if held in (0, _whole(all_cards)):
            state.playing = 1 << one if held else 1 << two
            break
        if held >= most:
            break
    state.head[one], state.tail[one] = (
        _whole(head_one - row_one),
        _whole(end_one + end_one - row_one),
    )
    state.head[two], state.tail[two] = (
        _whole(head_two - row_two),
        _whole(end_two + end_two - row_two),
    )
    if rules.won == _UNDER:
        state.settled[one], state.settled[two] = state.tail[one], state.tail[two]
    return unusual


# A game

_LONGEST_STRIDE = 256
"""Rounds; a power of 4."""
_GOES_ON = -1
_CAME_BACK = -2
_COLLECTED, _SHORTAGE, _REPETITION, ROUND_LIMIT, ENDLESS = range(5)
assert REASONS == ("collected", "shortage", "repetition", "round-limit", "endless")


@compiled
def _first_holds(state: _State) -> int:
    """How many cards the first seat holds that is in."""
    first = _seat_of(state.playing & -state.playing)
    held: int = state.tail[first] - state.head[first]
    return held


@compiled
def _advance(rules: RulesInNumbers, turned: Turned, game: Game, until: int, most: int) -> int:
    """Play on until so many rounds are over, or the game is, or a round leaves the first seat that
    is in with `most` cards or more. Returns the game's reason, or `_GOES_ON`."""
    state, cards = game.state, game.cards
    enough = False
    while True:
        if rules.won != _UNDER:
            for seat in range(rules.seats):
                if state.head[seat] == state.settled[seat]:
                    _take_up_aside(rules, state, cards, seat)
        if _is_single(state.playing):
            if not state.playing:
                return _SHORTAGE
            _collect_all(rules, state)
            return _COLLECTED
        if enough or state.rounds >= until:
            return _GOES_ON
        before = state.rounds
        between_two = _is_single(state.playing & (state.playing - 1)) and not state.carried
        usual = between_two and not _duel(rules, turned, game, until, most)
        if not usual and _play_round(rules, turned, state, cards, game.depths):
            return _SHORTAGE
        enough = state.rounds > before and _first_holds(state) >= most


@compiled
def _comes_back(
    rules: RulesInNumbers, turned: Turned, game: Game, until: int, earlier: Game
) -> int:
    """Play on likewise until so many rounds are over, or until the piles lie as they did after an
    earlier one of these rounds, or before the first: `_CAME_BACK`. `earlier` is set to that one.

    If positions come back, then so does the one of them in which the first seat holds most cards.
    So no other is kept and compared, and hardly a round takes longer for being watched.
    """
    _copy(rules, game, earlier)
    while game.state.rounds < until:
        most = 0 if earlier.state.carried else _first_holds(earlier.state)
        ending = _advance(rules, turned, game, until, most)
        if ending != _GOES_ON:
            return ending
        if _same_piles(rules, game, earlier):
            return _CAME_BACK
        if not game.state.carried and (earlier.state.carried or _first_holds(game.state) > most):
            _copy(rules, game, earlier)
    return _GOES_ON


@compiled
def play_out(
    rules: RulesInNumbers, turned: Turned, game: Game, earlier: Game, ahead: Game
) -> tuple[int, int]:
    """Play to the end. Returns the reason and 0; or, where a position came back, `_CAME_BACK` and
    after how many rounds: see `first_return`.

    A position that came back is found in constant memory, much as by Brent's method (An improved
    Monte Carlo factorization algorithm, 1980): forget what was kept, and begin anew with the
    position that stands, whenever as many rounds again have gone by.
    """
    state = game.state
    # A game between two lasts about a tenth of the square of its cards, nearly all less than this.
    unwatched = state.rounds + (3 * rules.dealt * rules.dealt >> 3)
    ending = _advance(
        rules, turned, game, min(unwatched, rules.limit) if rules.watched else rules.limit, NO_LIMIT
    )
    while ending == _GOES_ON and state.rounds < rules.limit:
        ending = _comes_back(rules, turned, game, min(2 * state.rounds, rules.limit), earlier)
    if ending == _CAME_BACK:
        return ending, state.rounds - earlier.state.rounds
    if ending != _GOES_ON:
        return ending, 0
    if rules.watched and rules.drawn:
        # Is this a position of a cycle of which a whole lap has been played? Then two more laps
        # show it, one to the position that is kept and one until that comes back.
        _copy(rules, game, ahead)
        if _comes_back(rules, turned, ahead, 3 * rules.limit, earlier) == _CAME_BACK:
            return _CAME_BACK, ahead.state.rounds - earlier.state.rounds
    return ROUND_LIMIT, 0


@compiled
def first_return(
    rules: RulesInNumbers,
    turned: Turned,
    game: Game,
    earlier: Game,
    ahead: Game,
    earlier_before: Game,
    ahead_before: Game,
    period: int,
) -> tuple[int, int]:
    """How the law ends a game in which a position came back after `period` rounds: the reason, and
    the round in which that position first stood.

    What `play_out` finds lies later than what the law finds. So where the cycle began is looked
    for from the beginning, at which `earlier` and `ahead` stand: they are alike from there on, so
    great strides come first, and shorter ones from where one has gone too far. The game is left
    as the law leaves it.
    """
    _advance(rules, turned, earlier, earlier.state.rounds, NO_LIMIT)  # takes up aside piles
    _advance(rules, turned, ahead, ahead.state.rounds + period, NO_LIMIT)
    stride = _LONGEST_STRIDE
    while not _same_piles(rules, ahead, earlier):
        _copy(rules, earlier, earlier_before)
        _copy(rules, ahead, ahead_before)
        while True:
            _advance(rules, turned, earlier, earlier.state.rounds + stride, NO_LIMIT)
            _advance(rules, turned, ahead, ahead.state.rounds + stride, NO_LIMIT)
            if stride == 1 or not _same_piles(rules, ahead, earlier):
                break
            _copy(rules, earlier_before, earlier)
            _copy(rules, ahead_before, ahead)
            stride //= 4
    if ahead.state.rounds > rules.limit:
        return ROUND_LIMIT, 0
    _copy(rules, ahead, game)
    return _REPETITION if rules.drawn else ENDLESS, earlier.state.rounds + 1


@compiled
def winners(rules: RulesInNumbers, state: _State, reason: int) -> int:
    """Who wins a game that ended so."""
    playing = state.playing
    if reason in (_COLLECTED, _SHORTAGE):
        if not playing:
            return 0
        return (1 << rules.seats) - 1 - playing if rules.shed else playing
    if reason != ROUND_LIMIT or not rules.most_cards:
        return 0
    best, leaders = -1, 0
    for seat in range(rules.seats):
        if playing >> seat & 1:
            size = state.tail[seat] - state.head[seat]
            if best < 0 or (size < best if rules.shed else size > best):
                best, leaders = size, 0
            if size == best:
                leaders |= 1 << seat
    return leaders if _is_single(leaders) else 0


@compiled
def play_games(
    rules: RulesInNumbers,
    turned: Turned,
    pack: Cards,
    shuffled: Cards,
    games: tuple[Game, Game, Game, Game, Game],
    seed: uint64,
    first: uint64,
    columns: NDArray[int64],
    sizes: NDArray[int64],
    depths: Depths,
) -> None:
    """Play as many games as there are rows, and record them."""
    game, earlier, ahead, earlier_before, ahead_before = games
    state = game.state
    for row in range(len(sizes)):
        begin_stream(state.stream, seed, first + uint64(row))
        for place in range(len(pack)):
            shuffled[place] = pack[place]
        _shuffle(shuffled, state.stream)
        _deal(rules, shuffled, game)
        reason, period = play_out(rules, turned, game, earlier, ahead)
        first_seen = 0
        if period:
            _deal(rules, shuffled, earlier)
            _deal(rules, shuffled, ahead)
            reason, first_seen = first_return(
                rules, turned, game, earlier, ahead, earlier_before, ahead_before, period
            )
        wars = steps = deepest = 0
        for depth in range(1, len(depths)):
            fought = game.depths[depth]
            depths[depth] += fought
            wars += fought
            steps += depth * fought
            deepest = depth if fought else deepest
        columns[0, row] = reason
        columns[1, row] = winners(rules, state, reason)
        columns[2, row] = state.rounds
        columns[3, row] = state.layers
        columns[4, row] = wars
        columns[5, row] = steps
        columns[6, row] = deepest
        columns[7, row] = state.lead_changes
        columns[8, row] = first_seen
        for seat in range(rules.seats):
            sizes[row, seat] = state.tail[seat] - state.head[seat]
