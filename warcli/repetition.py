"""Whether a game has come back to a position, in little time and memory however long it is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING

from warcli.cards import Card

if TYPE_CHECKING:
    from warcli.game import Game, Position, Slot


class Positions:
    """The positions that a game has had at the start of its rounds.

    Of each only a hash is kept, and how many rounds had been played: a long game has very many,
    and each is a whole pack. The hash is of a single pile, as long as that never lies as it lay
    before; once it did and the other piles didn't, hashes are of whole positions. What has the
    same hash is compared by playing up to it again, so nothing is taken for a repetition that
    isn't one. It serves where nothing is shuffled during the game.

    There are rules whose games take many million rounds to come back to a position. So where slots
    are cards, and what comes can be known, no more than `most` are kept: then they are forgotten,
    and where the game comes back is found out by playing ahead.
    """

    most = 1_000_000
    """Positions that are kept at most: some 130 MB."""

    def __init__(self) -> None:
        self._start: Game | None = None  # as it stood when it was first asked for
        self._faces: dict[Slot, Card] = {}
        self._names: Mapping[Slot, Card] = {}
        self._whole = False  # whether hashes are of whole positions
        self._seen: dict[int, int] = {}  # after how many rounds, by hash; in their order
        self._others: dict[int, list[int]] = {}  # likewise, for other positions of those hashes
        self._foreseen: tuple[int, int] | None = None  # see `_foresee`, when it has been done

    def copy(self) -> Positions:
        """The same positions; what comes to be known of one isn't known of the other."""
        twin = self.anew()
        twin._start = self._start
        twin._faces = self._faces.copy()
        twin._seen = self._seen.copy()
        twin._others = {found: [*seen] for found, seen in self._others.items()}
        twin._foreseen = self._foreseen
        return twin

    def anew(self) -> Positions:
        """No positions yet, of slots that go by the same names."""
        begun = Positions()
        begun._names = self._names
        begun._whole = self._whole
        return begun

    def turned_up(self, slots: Sequence[Slot], faces: Sequence[Card]) -> None:
        """These slots show these faces; without this a slot is the card that it is named by.

        A slot is one card: whenever it is turned up it shows that card, or its rank.
        """
        self._faces.update(zip(slots, faces, strict=True))

    def first_seen(self, game: Game) -> int | None:
        """The earlier round at whose start every pile lay as now, before the coming round.

        None if there is none; the position is noted. It must be asked before every round from
        the first on, save those before which something is carried, when no position comes back.
        """
        if self._start is None:
            self._start = game.without_positions()
        rounds = game.rounds
        if self._foreseen is not None:
            return self._foreseen[1] if self._foreseen[0] == rounds else None
        found = self._hash(game) if self._whole else hash(tuple(game.piles[game.playing[0]]))
        seen = self._seen.setdefault(found, rounds)
        if seen != rounds:
            return self._proved(game, found)
        if not self._faces and len(self._seen) >= self.most:
            self._foreseen = self._foresee()
            self._seen, self._others = {}, {}
        return None

    def _proved(self, game: Game, found: int) -> int | None:
        """What `first_seen` answers where this hash was found before."""
        position = self._named(game.position())
        others = self._others.setdefault(found, [])
        for then in self._again((self._seen[found], *others)):
            if self._named(then.position()) == position:
                return then.rounds + 1
        if not self._whole:
            self._hash_whole_positions()
            return self.first_seen(game)
        others.append(game.rounds)
        return None

    def cut_back(self, coming: int) -> None:
        """Forget what was noted before rounds later than this one, which were taken back."""
        if self._foreseen is not None:
            return
        while self._seen and next(reversed(self._seen.values())) >= coming:
            self._seen.popitem()
        self._others = {
            found: [rounds for rounds in seen if rounds < coming]
            for found, seen in self._others.items()
        }
        if not self._seen:
            self._start = None

    def name(self, names: Mapping[Slot, Card]) -> None:
        """These slots hold these cards, which others hold too, in all positions so far and to
        come. Replaces what was named before."""
        self._names = names
        self._hash_whole_positions()

    def _hash_whole_positions(self) -> None:
        """From now on, and those that were noted too, under the names that they have now."""
        self._whole = True
        noted = sorted(chain(self._seen.values(), *self._others.values()))
        self._seen, self._others = {}, {}
        for then in self._again(noted):
            found = self._hash(then)
            if self._seen.setdefault(found, then.rounds) != then.rounds:
                self._others.setdefault(found, []).append(then.rounds)

    def _hash(self, game: Game) -> int:
        return hash(self._named(game.position()))

    def _named(self, position: Position) -> Position:
        names = self._names
        if not names:
            return position
        return tuple([tuple([names.get(slot, slot) for slot in pile]) for pile in position])

    def _again(self, noted: Iterable[int]) -> Iterator[Game]:
        """The game as it stood after each of these numbers of rounds, the smallest first: played
        once more from the start."""
        game = self._start and self._start.copy()
        for rounds in noted:
            assert game is not None
            while game.laid or game.rounds < rounds:
                assert game.due is not None
                game.turn_up([self._faces.get(slot, slot) for slot in game.due.slots])
            yield game

    def _foresee(self) -> tuple[int, int]:
        """After how many rounds a position comes back for the first time, and the round at whose
        start it stood before. Both are -1 if none does.

        This takes no more memory than three games, and a few times as long as playing up to there.
        """
        assert self._start is not None
        start = self._start.without_limit()
        lap = _lap(start.copy())
        if lap is None:
            return -1, -1
        earlier, ahead = start.copy(), start
        for _ in range(lap):
            _play_round(ahead)
        while earlier.carried or ahead.carried or earlier.position() != ahead.position():
            _play_round(earlier)
            _play_round(ahead)
        return ahead.rounds, earlier.rounds + 1


def _lap(game: Game) -> int | None:
    """How many rounds lie between a position and its return, once this game, which no limit ends,
    has come to where all positions return; None if it ends.

    If positions return, so does the one of them in which the first seat holds most cards. That is
    kept, and forgotten whenever as many rounds again have gone by (after Brent, An improved Monte
    Carlo factorization algorithm, 1980), lest it be one from before.
    """
    forgotten = 0  # when that was, in rounds
    kept: tuple[int, int, Position] | None = None  # the first seat's cards, rounds, and all piles
    while game.turning_up:
        if not game.carried:
            holds = game.sizes()[game.playing[0]]
            if game.rounds >= 2 * forgotten:
                kept, forgotten = None, max(game.rounds, 1)
            if kept is None or holds > kept[0]:
                kept = holds, game.rounds, game.position()
            elif holds == kept[0] and game.position() == kept[2]:
                return game.rounds - kept[1]
        _play_round(game)
    return None


def _play_round(game: Game) -> None:
    while game.turn_up_named() is None:
        pass
