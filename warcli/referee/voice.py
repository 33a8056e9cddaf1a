"""What the referee says: rulings, and all else that people are told, as sentences.

A ruling is data; here it becomes words. Nothing is ruled here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from warcli.cards import Card
from warcli.events import Result, Round
from warcli.game import unbeaten_by
from warcli.record import Entry, Flip, Note
from warcli.referee.ruling import Ruling
from warcli.rules import Rules
from warcli.spoken import listed
from warcli.words import say, say_count

if TYPE_CHECKING:
    from warcli.referee.odds import Odds


class Voice:
    """Says rulings under these rules to these players."""

    def __init__(self, rules: Rules, players: Sequence[str]) -> None:
        self.rules = rules
        self.players = tuple(players)

    # The parts of a sentence

    def names(self, seats: Sequence[int]) -> str:
        """`Ana`, `Ana and Luis`, `Ana, Luis and Eva`."""
        return listed([self.players[seat] for seat in seats])

    def sizes(self, sizes: Sequence[int]) -> str:
        """`Ana 27, Luis 25`."""
        return ", ".join(
            say("{player} {size}", player=player, size=size)
            for player, size in zip(self.players, sizes, strict=True)
        )

    def cards(self, shown: Mapping[int, Card]) -> str:
        """`Ana K♠, Luis 9♦`."""
        return ", ".join(
            say("{player} {card}", player=self.players[seat], card=card)
            for seat, card in shown.items()
        )

    # A ruling

    def ruling(self, ruling: Ruling) -> Iterator[str]:
        """What was turned up and what follows from it, in the order in which hands need it."""
        yield say("Round {number}: {cards}.", number=ruling.number, cards=self.cards(ruling.shown))
        for seat, card in ruling.standing.items():
            yield say("{player}'s {card} stands.", player=self.players[seat], card=card)
        if not ruling.is_last or ruling.out:
            yield self._war(ruling)
        yield from self._laid_down(ruling)
        if ruling.taken is not None:
            yield from self._end_of_round(ruling, ruling.taken)
        else:
            yield say_count(
                "{players} turns up the next card.",
                "{players} each turn up the next card.",
                len(ruling.due),
                players=self.names(ruling.due),
            )
        for seat, count in ruling.taken_up.items():
            yield self._taken_up(seat, count)
        if ruling.is_last and ruling.result is None:
            yield from self._without_cards(ruling)
            yield say("Now: {sizes}.", sizes=self.sizes(ruling.sizes))
        if ruling.result is not None:
            yield self.ending(ruling.result)

    def _war(self, ruling: Ruling) -> str:
        """Who tied, and who is in the war that follows from it."""
        seats = list(ruling.compared)
        unbeaten = unbeaten_by(self.rules)(tuple(ruling.compared.values()))
        tied = self.names([seats[place] for place in unbeaten])
        if self.rules.war_between == "everyone" and len(unbeaten) < len(seats):
            return say("{players} tie: everybody is in this war!", players=tied)
        return say("War between {players}!", players=tied)

    def _laid_down(self, ruling: Ruling) -> Iterator[str]:
        """Who lays how many cards face down now, and who is out."""
        counts: dict[int, list[int]] = {}
        for seat, player in enumerate(self.players):
            count = sum(layer.cards[seat] is not None for layer in ruling.laid_down)
            if seat in ruling.out:
                yield self._put_out(player, count)
            elif count:
                counts.setdefault(count, []).append(seat)
        for count, seats in counts.items():
            players = self.names(seats)
            if len(seats) == 1:
                one, many = (
                    "{players} lays {count} card face down.",
                    "{players} lays {count} cards face down.",
                )
            else:
                one, many = (
                    "{players} each lay {count} card face down.",
                    "{players} each lay {count} cards face down.",
                )
            yield say_count(one, many, count, players=players)
        for seat in ruling.still_standing:
            yield say(
                "{player} has no card left, so the last one turned up stands.",
                player=self.players[seat],
            )

    def _put_out(self, player: str, count: int) -> str:
        if not count:
            return say("{player} has no card to lay and is out.", player=player)
        return say_count(
            "{player} has too few cards: lays the last one face down and is out.",
            "{player} has too few cards: lays the last {count} face down and is out.",
            count,
            player=player,
        )

    def _end_of_round(self, ruling: Ruling, taken: Round) -> Iterator[str]:
        if taken.winner is None:
            if ruling.result is None:
                yield say(
                    "Nobody is left in this war: the cards stay on the table, for whoever takes "
                    "the next ones."
                )
            return
        winner = self.players[taken.winner]
        yield say_count(
            "{player} takes {count} card: {reason}.",
            "{player} takes {count} cards: {reason}.",
            len(taken.captured),
            player=winner,
            reason=self._reason(ruling, taken.winner),
        )
        if self.rules.capture_order == "shuffled":
            yield say("Shuffle them, and put them under {player}'s pile.", player=winner)
            return
        order = ", ".join(self._laid_card(seat, card) for seat, card in ruling.block)
        if self.rules.won_cards == "under":
            yield say(
                "Under {player}'s pile, the first named to be played first: {order}.",
                player=winner,
                order=order,
            )
        else:
            yield say(
                "Onto the end of {player}'s won cards, the first named to be played first: "
                "{order}.",
                player=winner,
                order=order,
            )

    def _without_cards(self, ruling: Ruling) -> Iterator[str]:
        """Who has laid the last card in this round, and got none back."""
        if ruling.taken is None:
            return
        for seat, player in enumerate(self.players):
            laid = any(layer.cards[seat] is not None for layer in ruling.taken.layers)
            if laid and not ruling.sizes[seat] and seat not in ruling.taken.out:
                yield (
                    say("{player} has no card left and is out.", player=player)
                    if self.rules.goal == "collect"
                    else say("{player} has no card left, and cannot lose any more.", player=player)
                )

    def _laid_card(self, seat: int, card: Card | None) -> str:
        return card or say("{player}'s face-down card", player=self.players[seat])

    def _reason(self, ruling: Ruling, winner: int) -> str:
        if ruling.out:
            return say("nobody else is left in the war")
        rank = self.rules.pack.rank
        compared = ruling.compared
        best = rank[compared.pop(winner)]
        beaten = listed(list(dict.fromkeys(rank[card] for card in compared.values())))
        if any((best, rank[card]) in self.rules.exceptions for card in compared.values()):
            return say(
                "{best} beats {beaten}, by an exception in these rules", best=best, beaten=beaten
            )
        return say("{best} beats {beaten}", best=best, beaten=beaten)

    def _taken_up(self, seat: int, count: int) -> str:
        player = self.players[seat]
        if self.rules.won_cards == "aside-shuffled":
            return say_count(
                "{player} shuffles the won cards ({count}): they are the pile now.",
                "{player} shuffles the won cards ({count}): they are the pile now.",
                count,
                player=player,
            )
        return say_count(
            "{player} takes up the won cards ({count}) as they lie: they are the pile now.",
            "{player} takes up the won cards ({count}) as they lie: they are the pile now.",
            count,
            player=player,
        )

    # The end

    def ending(self, result: Result) -> str:
        """How the game ended, and why, in one or two sentences."""
        return say(
            "{reason} {outcome}", reason=self._end_reason(result), outcome=self._outcome(result)
        )

    def _end_reason(self, result: Result) -> str:
        rounds = result.rounds
        holder = self.players[max(range(len(self.players)), key=result.sizes.__getitem__)]
        sentences = {
            "collected": say_count(
                "The game is over after {count} round: {player} holds every card{loses}.",
                "The game is over after {count} rounds: {player} holds every card{loses}.",
                rounds,
                player=holder,
                loses="" if self.rules.goal == "collect" else say(", and so loses"),
            ),
            "shortage": say(
                "The game is over in round {number}: there are too few cards for the war.",
                number=rounds,
            ),
            "repetition": say_count(
                "The game is over after {count} round: every pile lies as it lay before round "
                "{first}.",
                "The game is over after {count} rounds: every pile lies as it lay before round "
                "{first}.",
                rounds,
                first=result.first_seen,
            ),
            "round-limit": say_count(
                "The game is over: {count} round is played.",
                "The game is over: all {count} rounds are played.",
                rounds,
            ),
            "time-limit": say_count(
                "Time is up, after {count} round.", "Time is up, after {count} rounds.", rounds
            ),
            "endless": say("The game would never end."),
            "abandoned": say_count(
                "The game is stopped; {count} round was played.",
                "The game is stopped; {count} rounds were played.",
                rounds,
            ),
        }
        return sentences[result.reason]

    def _outcome(self, result: Result) -> str:
        by_limit = result.reason in ("round-limit", "time-limit")
        if result.winners and by_limit and self.rules.goal == "shed":
            return say_count(
                "{players} wins, with the fewest cards!",
                "{players} win, with the fewest cards!",
                len(result.winners),
                players=self.names(result.winners),
            )
        if result.winners:
            return say_count(
                "{players} wins!",
                "{players} win!",
                len(result.winners),
                players=self.names(result.winners),
            )
        if result.reason in ("abandoned", "endless"):
            return say("Nobody wins.")
        return say("It is a draw.")

    # Other things

    def step(self, entries: Sequence[Entry]) -> str:
        """What was accepted at one time, in a few words: `Ana K♠, Luis 9♦`, `unordered Luis`."""
        for entry in entries:
            if isinstance(entry, Flip):
                return self.cards({seat: card for seat, card in enumerate(entry.shown) if card})
        first = entries[0]
        if isinstance(first, Note):
            return f"{first.word} {first.value}"
        return say("the end of the game")

    def round(self, ended: Round) -> str:
        """A round in short, as in a record: `12. K♠ 9♦ > Ana`."""
        layers = " | ".join(
            " ".join(
                "-" if card is None else card if layer.face == "up" else f"({card})"
                for card in layer.cards
            )
            for layer in ended.layers
        )
        taker = "-" if ended.winner is None else self.players[ended.winner]
        return say("{number}. {layers} > {player}", number=ended.round, layers=layers, player=taker)

    def odds(self, odds: Odds) -> Iterator[str]:
        """Everybody's chances, and how long the game may still take."""
        chances = [
            say("{player} {percent}%", player=player, percent=round(100 * share))
            for player, share in zip(self.players, odds.wins, strict=True)
        ]
        for name, share in ((say("drawn"), odds.drawn), (say("endless"), odds.endless)):
            if share:
                chances.append(say("{player} {percent}%", player=name, percent=round(100 * share)))
        yield ", ".join(chances)
        if odds.rounds is not None:
            yield say(
                "Rounds still to go: most likely {few} to {many}, half of the games within "
                "{middle}.",
                few=odds.rounds[0],
                middle=odds.rounds[1],
                many=odds.rounds[2],
            )
        yield say_count(
            "Reckoned from {count} game played on from here.",
            "Reckoned from {count} games played on from here.",
            odds.games,
        )

    def foretold(self, result: Result, rounds: int) -> Iterator[str]:
        """How the game must end, when `rounds` have been played so far."""
        if result.reason == "endless":
            yield say("Every card is known. The game will never end.")
            return
        yield say_count(
            "Every card is known. {count} round to go.",
            "Every card is known. {count} rounds to go.",
            result.rounds - rounds,
        )
        if not result.winners:
            yield say("It will end after round {number}, in a draw.", number=result.rounds)
            return
        yield say(
            "It will end after round {number}, and {players} will win.",
            number=result.rounds,
            players=self.names(result.winners),
        )
