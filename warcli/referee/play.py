"""The game as it lies on a real table: the law's piles of slots, and what is known of their cards.

Everything that hands do to cards is here: turning them up, dropping a pile, counting again. What
people type, and what they are told, is the table's business (`table`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Literal

from msgspec import Struct

from warcli.cards import Card
from warcli.events import Result, Round
from warcli.game import Due, Game, Mark, Shuffle, Slot
from warcli.record import UNKNOWN, Flip, Laid
from warcli.referee.knowledge import MARK, Knowledge
from warcli.referee.ruling import Ruling, down_at_end
from warcli.rules import Rules


class Moment(Struct, frozen=True, gc=False):
    """How a game stood, to come back to."""

    mark: Mark
    knowledge: Knowledge
    shown: dict[Slot, Card]
    away: tuple[Slot, ...]
    labels: int
    shuffles: int
    rounds: int
    ruling: Ruling | None


class Play:
    """One game at a table, as the law and the referee know it."""

    game: Game
    knowledge: Knowledge
    shown: dict[Slot, Card]
    """What lies face up on the table."""
    ruling: Ruling | None
    """The last ruling, if any."""

    def __init__(
        self, rules: Rules, piles: Sequence[Sequence[Card]] | None, shuffle: Shuffle | None
    ) -> None:
        """Begin a game of unknown cards, dealt evenly as the rules say; or of these `piles`, with
        `?` for a card that isn't known.

        `shuffle` shuffles cards in play where somebody knows how; without it nobody knows their
        order afterwards. Raises ValueError when there are more or fewer piles than seats, or cards
        that the pack hasn't.
        """
        pack = rules.pack
        self.rules = rules
        self._under = rules.won_cards == "under"
        self.shown = {}
        self.ruling = None
        self._endings: list[Ruling] = []  # the last ruling of every round that is over
        self._labels = 0
        self._shuffle = shuffle
        self._orders: list[tuple[int, ...]] = []  # in which it has shuffled, one after the other
        self._shuffles = 0
        sizes = _dealt_sizes(rules) if piles is None else [len(pile) for pile in piles]
        if sum(sizes) > len(pack.cards):
            raise ValueError(f"{sum(sizes)} cards in a pack of {len(pack.cards)}")
        dealt = [self._fresh(size) for size in sizes]
        self._away = self._fresh(len(pack.cards) - sum(sizes))
        self.knowledge = Knowledge.of_nothing(pack, (*chain(*dealt), *self._away))
        if piles is not None:
            cards = zip(chain(*dealt), chain(*piles), strict=True)
            self.knowledge = self.knowledge.see(
                {slot: card for slot, card in cards if card != UNKNOWN}
            )
        self.game = Game(rules, dealt, self.mixed if shuffle is None else self._shuffled_again)
        # Which cards are equal the law must know where it looks for a repetition.
        self._tells_equal_cards = (
            len(pack.kinds) < len(pack.cards) and rules.repetition == "draw" and not rules.shuffles
        )
        self._named: dict[Slot, Card] = {}
        self._name_equal_cards()

    # Moments

    def moment(self) -> Moment:
        """How the game stands now."""
        return Moment(
            self.game.mark(),
            self.knowledge.at_rest(),
            self.shown,
            self._away,
            self._labels,
            self._shuffles,
            len(self._endings),
            self.ruling,
        )

    def back_to(self, moment: Moment) -> None:
        """Stand again as at that moment."""
        self.game.back_to(moment.mark)
        self.knowledge = moment.knowledge
        self.shown = moment.shown
        self._away = moment.away
        self._labels = moment.labels
        self._shuffles = moment.shuffles
        self.ruling = moment.ruling
        del self._endings[moment.rounds :]
        self._name_equal_cards()

    # Cards

    @property
    def due(self) -> Due:
        """What is turned up next. Only while the game goes on."""
        due = self.game.due
        assert due is not None
        return due

    def line(self, cards: Sequence[Card]) -> dict[Slot, Card]:
        """These cards as what the slots that are due show."""
        game = self.game
        turning_up = zip(game.turning_up, cards, strict=True)
        return {game.piles[seat][0]: card for seat, card in turning_up}

    def turn_up(self, cards: Sequence[Card], hidden: Mapping[Slot, Card] | None = None) -> Ruling:
        """The seats that are due turn up these cards; `hidden` ones are known from elsewhere.

        Raises Impossible, changing nothing, when they can't be there.
        """
        game = self.game
        seats = game.turning_up
        line = self.line(cards)
        self.knowledge = self.knowledge.see({**hidden, **line} if hidden else line)
        self._name_equal_cards()
        laid, carried, out, standing = game.laid, game.carried, game.out, game.standing
        asides = () if self._under else tuple(map(len, game.asides))
        self.shown = shown = self.shown | line
        seen = self.knowledge.seen
        ended = game.turn_up(cards)
        self.ruling = ruling = Ruling(
            number=game.rounds,
            seats=seats,
            cards=tuple(cards),
            stood=standing,
            laid=game.laid if ended is None else ended.layers,
            before=len(laid),
            taken=ended,
            carried=carried,
            faces=shown,
            seen=seen,
            due=game.turning_up if ended is None else (),
            still_standing=game.standing,
            out=(game.out if ended is None else ended.out)[len(out) :],
            taken_up={} if self._under else self._taken_up(asides, ended),
            sizes=game.sizes(),
            result=game.result,
        )
        if ended is not None:
            self._endings.append(ruling)
            if not game.carried:
                self.shown = {}
        return ruling

    def turn_up_as_written(self, flip: Flip) -> Ruling | None:
        """The seats that are due turn up what a flip of a record shows; None, and nothing is done,
        if those aren't the cards of all who are due. Raises Impossible as `turn_up` does."""
        cards = self.written(flip)
        return None if cards is None else self.turn_up(cards, self.hidden(flip))

    def written(self, flip: Flip) -> tuple[Card, ...] | None:
        """The cards that a flip of a record turns up; None unless they are those of all who are
        due, and of nobody else."""
        shown, seats = flip.shown, self.game.turning_up
        cards = tuple([card for card in shown if card is not None])
        if len(cards) != len(seats) or UNKNOWN in cards:
            return None
        if len(cards) < len(shown) and None in [shown[seat] for seat in seats]:
            return None
        return cards

    def look_under(self, laid: Laid) -> None:
        """What was laid face down are these cards, as a record knows them. Raises Impossible,
        changing nothing, when they can't be there."""
        self.knowledge = self.knowledge.see(self.hidden(laid))
        self._name_equal_cards()

    def hidden(self, entry: Flip | Laid) -> dict[Slot, Card]:
        """What a record knows of the cards that were laid face down for this flip."""
        if isinstance(entry, Flip) and entry.begins:
            return {}
        laid = self.game.laid
        down = laid[len(laid) - down_at_end(laid) :]
        return {
            slot: card
            for layer, written in zip(down, entry.layers, strict=False)
            if written.face == "down"
            for slot, card in zip(layer.cards, written.cards, strict=True)
            if slot is not None and card is not None and card != UNKNOWN
        }

    def stop(self, reason: Literal["time-limit", "abandoned"]) -> Result:
        """End the game for this reason; see `Game.stop`."""
        return self.game.stop(reason)

    def _taken_up(self, asides: Sequence[int], ended: Round | None) -> dict[int, int]:
        """Whose won cards became their pile just now, and how many those are."""
        game = self.game
        if game.due is None:
            return {}
        won = [*asides]
        if ended is not None and ended.winner is not None:
            won[ended.winner] += len(ended.captured)
        return {seat: size for seat, size in enumerate(won) if size and not game.asides[seat]}

    # Where cards are

    def last_rounds(self, many: int | None = None) -> list[Round]:
        """So many of the last rounds that are over, or all; `?` for a card that isn't known."""
        rulings = self._endings[-many:] if many else self._endings
        return [ended for ruling in rulings if (ended := ruling.ended) is not None]

    def taken_in(self, slot: Slot) -> int | None:
        """The round in which the card at this slot was captured last; None: it never was."""
        captures = ((each.number, each.taken) for each in reversed(self._endings))
        return next(
            (number for number, taken in captures if taken and slot in taken.captured), None
        )

    def is_away(self, slot: Slot) -> bool:
        """Whether the card at this slot lies aside for the game."""
        return slot in self._away

    @property
    def away(self) -> int:
        """How many cards lie aside for the game."""
        return len(self._away)

    # What nobody knows any more

    def forget_order(self, seat: int) -> None:
        """How the cards of this seat's pile lie, and those of its aside pile."""
        self._mix([seat])
        self._mix([len(self.game.piles) + seat])

    def forget_owners(self) -> None:
        """Who holds which card."""
        self._mix(range(2 * len(self.game.piles)))

    def forget_all_but(self, remembered: Mapping[Slot, Card]) -> None:
        """Every card, but for these."""
        self.forget_owners()
        self.knowledge = self.knowledge.forget(remembered)

    def recount(self, sizes: Sequence[int]) -> tuple[int, ...]:
        """The seats hold so many cards, between rounds; returns the seats that this changes.

        Which cards changed hands, or were lost or found, nobody knows: those of the seats that it
        changes are all mixed up, with those that lie aside if cards are lost or found.
        """
        game = self.game
        seats = len(sizes)
        more = sum(sizes) - sum(game.sizes())
        changed = [seat for seat, held in enumerate(game.sizes()) if held != sizes[seat]]
        held = [*map(len, game.piles), *map(len, game.asides), len(self._away) - more]
        for seat in changed:
            aside = min(held[seats + seat], sizes[seat])
            held[seats + seat] = aside
            held[seat] = sizes[seat] - aside
        places = [*changed, *(seats + seat for seat in changed), *([2 * seats] if more else [])]
        if changed:
            self._mix(places, held)
        return tuple(changed)

    def _mix(self, places: Iterable[int], sizes: Sequence[int] | None = None) -> None:
        """Nobody knows any more how the cards of these places lie, taken together.

        A place is a seat's pile (its number), its aside pile (after all the piles), or, last of
        all, what lies aside for the game. `sizes` says how many cards lie at every place now.
        """
        game = self.game
        seats = len(game.piles)
        lying = [*map(tuple, game.piles), *game.asides, self._away]
        places = list(places)
        fresh = iter(self.mixed(tuple(slot for place in places for slot in lying[place])))
        for place in places:
            size = len(lying[place]) if sizes is None else sizes[place]
            lying[place] = tuple(slot for _, slot in zip(range(size), fresh, strict=False))
        self._away = lying[-1]
        game.disturb(lying[:seats], lying[seats:-1])

    def mixed(self, block: tuple[Slot, ...]) -> tuple[Slot, ...]:
        """The same cards under new labels, which nobody can tell apart."""
        if len(block) < 2:
            return block
        fresh = self._fresh(len(block))
        self.knowledge = self.knowledge.mix(block, fresh)
        return fresh

    def _shuffled_again(self, block: tuple[Slot, ...]) -> tuple[Slot, ...]:
        """The cards as somebody shuffled them; what was taken back is shuffled as before."""
        assert self._shuffle is not None
        number = self._shuffles
        if number == len(self._orders) or len(self._orders[number]) != len(block):
            places = tuple(map(str, range(len(block))))
            self._orders[number:] = [tuple(map(int, self._shuffle(places)))]
        self._shuffles += 1
        return tuple([block[place] for place in self._orders[number]])

    def _fresh(self, many: int) -> tuple[Slot, ...]:
        first = self._labels + 1
        self._labels += many
        return tuple([f"{MARK}{number}" for number in range(first, first + many)])

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


def _dealt_sizes(rules: Rules) -> list[int]:
    """How many cards each seat is dealt."""
    each, rest = divmod(len(rules.pack.cards), rules.players)
    dealt_on = rest if rules.leftover == "dealt" else 0
    return [each + (seat < dealt_on) for seat in range(rules.players)]
