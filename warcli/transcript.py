"""A game as text, made to be read aloud: a head, a block a round, and the result in a sentence."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from textwrap import TextWrapper
from typing import NamedTuple

from msgspec import UNSET

from warcli.cards import SUITS, Card, ascii_form
from warcli.events import Deal, Event, Layer, Result, Round
from warcli.game import Game
from warcli.rules import Rules
from warcli.spoken import listed, rank_first, rank_name
from warcli.story import Step, cards_in, held_before, laid_by, steps, taker
from warcli.words import say, say_count

_BACK, _ASCII_BACK = "▒▒", "##"
"""How a card that lies face down is shown."""

SIGNS = SUITS + _BACK
"""What a terminal must be able to show besides ASCII, unless the look is `ascii`."""

_UNKNOWN = "?"
"""What events have for a card that nobody saw (see `record`)."""


class Look(NamedTuple):
    """How a transcript looks."""

    ascii: bool = False
    """Suits as letters, backs as `##`."""
    colour: bool = False
    """Red suits in red, by the usual escape sequences; nothing is said by colour alone."""
    width: int = 80
    """Columns; longer lines are broken, and what follows is indented further."""


PLAIN = Look()
"""Suits and backs as they are, without colour."""


def text(events: Iterable[Event], rules: Rules, look: Look = PLAIN) -> Iterator[str]:
    """The events of one game under these rules as text, piece by piece."""
    transcript = Transcript(rules, look)
    for event in events:
        yield transcript.tell(event)


class Transcript:
    """Tells one game, event by event, in their order."""

    def __init__(self, rules: Rules, look: Look = PLAIN, *, supplied: bool = False) -> None:
        """`supplied`: the deal isn't that of the seed, which is only for shuffles in play."""
        self._rules = rules
        self._look = look
        self._supplied = supplied
        self._players: tuple[str, ...] = ()
        self._in_play = 0  # cards, all seats and the table together
        self._sizes: tuple[int, ...] = ()
        self._carried = 0  # cards on the table from rounds before

    def tell(self, event: Event) -> str:
        """The event as lines of text; rounds must come after their deal, and in order."""
        match event:
            case Deal():
                lines = self._deal(event)
            case Round():
                lines = self._round(event)
            case Result():
                lines = self._result(event)
        return self._show(lines)

    def piles(self, game: Game) -> str:
        """What every seat holds at this moment, as lines of text."""
        return self._show(_indented(self._pile_lines(game.piles, game.asides)))

    # The head

    def _deal(self, deal: Deal) -> Iterator[str]:
        self._players = deal.players
        self._sizes = tuple(map(len, deal.piles))
        self._in_play = sum(self._sizes)
        if {card for pile in deal.piles for card in pile} == {_UNKNOWN}:
            yield say("War by the rules {rules}, with cards that nobody knew.", rules=deal.rules)
            yield ""
            yield self._held(list(zip(self._players, self._sizes, strict=True)))
            return
        yield self._origin(deal)
        yield ""
        yield from self._pile_lines(deal.piles, [()] * len(deal.piles))
        if deal.leftover:
            yield say("Set aside for the whole game: {cards}.", cards=self._cards(deal.leftover))

    def _origin(self, deal: Deal) -> str:
        if deal.seed is None:
            return say("War by the rules {rules}, from a given deal.", rules=deal.rules)
        game = say(", game {game}", game=deal.game) if deal.game else ""
        if self._supplied:
            return say(
                "War by the rules {rules}, from a given deal, shuffling by seed {seed}{game}.",
                rules=deal.rules,
                seed=deal.seed,
                game=game,
            )
        return say(
            "War by the rules {rules}, seed {seed}{game}.",
            rules=deal.rules,
            seed=deal.seed,
            game=game,
        )

    def _pile_lines(
        self, piles: Iterable[Sequence[Card]], asides: Iterable[Sequence[Card]]
    ) -> Iterator[str]:
        for player, pile, aside in zip(self._players, piles, asides, strict=True):
            if pile:
                yield say_count(
                    "{player}'s pile, {count} card: {cards}",
                    "{player}'s pile, {count} cards from the top: {cards}",
                    len(pile),
                    player=player,
                    cards=self._cards(pile),
                )
            elif not aside:
                yield say("{player} holds no card.", player=player)
            if aside:
                yield say_count(
                    "{player}'s won cards, {count} aside: {cards}",
                    "{player}'s won cards, {count} aside: {cards}",
                    len(aside),
                    player=player,
                    cards=self._cards(aside),
                )

    # A round

    def _round(self, round_: Round) -> Iterator[str]:
        yield ""
        yield say("Round {number}", number=round_.round)
        yield from _indented(self._told(round_))
        self._carried = 0 if round_.captured else self._carried + cards_in(round_.layers)
        self._sizes = round_.sizes

    def _told(self, round_: Round) -> Iterator[str]:
        held = held_before(round_, self._carried, self._in_play)
        told = steps(self._rules, held, round_)
        laid: list[Layer] = []
        for number, step in enumerate(told):
            if number:
                yield self._war(told[number - 1], step, again=number > 1)
            layers = [*step.down, *([step.up] if step.up else [])]
            yield from self._taken_up(round_, held, laid, layers)
            laid += layers
            yield from self._went_down(step)
            if step.up is not None:
                yield self._turned_up(step)
            if step.standing:
                yield from self._stood(step)
        yield self._taken(round_, told[-1])
        yield self._sizes_after(round_)
        yield from self._ran_out(round_)

    def _taken_up(
        self, round_: Round, held: Sequence[int], laid: Sequence[Layer], layers: Sequence[Layer]
    ) -> Iterator[str]:
        """The aside piles from which cards were wanted for these layers, after those laid."""
        for seat, cards in _aside_piles(round_):
            before = held[seat] - len(cards)  # what was left of the pile itself
            if not 0 <= before - laid_by(seat, laid) < laid_by(seat, layers):
                continue
            player = self._players[seat]
            if self._rules.won_cards == "aside-shuffled":
                yield say_count(
                    "{player}'s pile is gone: {player} goes on with the {count} card won.",
                    "{player}'s pile is gone: {player} shuffles the {count} cards won and goes on "
                    "with them.",
                    len(cards),
                    player=player,
                )
            else:
                yield say_count(
                    "{player}'s pile is gone: {player} goes on with the {count} card won.",
                    "{player}'s pile is gone: {player} goes on with the {count} cards won, in the "
                    "order in which they lie.",
                    len(cards),
                    player=player,
                )

    def _turned_up(self, step: Step) -> str:
        assert step.up is not None
        shown = [(seat, card) for seat, card in enumerate(step.up.cards) if card is not None]
        first, *others = [(self._players[seat], self._card(card)) for seat, card in shown]
        if not others:
            return say("{player} turns up {card}.", player=first[0], card=first[1])
        return say(
            "{player} turns up {card}, {others}.",
            player=first[0],
            card=first[1],
            others=", ".join(say("{player} {card}", player=p, card=c) for p, c in others),
        )

    def _stood(self, step: Step) -> Iterator[str]:
        for seat in step.standing:
            yield say(
                "{player} has no card left, so {card} counts again.",
                player=self._players[seat],
                card=self._card(step.shown[seat]),
            )

    def _war(self, tied: Step, step: Step, *, again: bool) -> str:
        ranks = list(dict.fromkeys(self._rank(tied.shown[seat]) for seat in tied.unbeaten))
        if len(ranks) > 1:
            why = say("every card is beaten by another")
        else:
            why = say("{rank} against {rank}", rank=ranks[0])
        if len(self._players) == 2:
            war = say("War again: {why}!", why=why) if again else say("War: {why}!", why=why)
        else:
            among = self._named(step.fighters)
            war = (
                say("War again between {players}: {why}!", players=among, why=why)
                if again
                else say("War between {players}: {why}!", players=among, why=why)
            )
        return war

    def _went_down(self, step: Step) -> Iterator[str]:
        """The cards laid face down and the players who are out, in the order in which it was."""
        if step.keeping:
            yield say_count(
                "{players} keeps the last card to turn up.",
                "{players} keep their last card to turn up.",
                len(step.keeping),
                players=self._named(step.keeping),
            )
        lost = [layer for layer in step.down if cards_in([layer]) == 1 and _laying(step.out, layer)]
        down = step.down[len(lost) :]
        last = dict.fromkeys(step.out, 0)  # how many layers there were when a seat was out
        for number, layer in enumerate(down, 1):
            last |= dict.fromkeys(_laying(step.out, layer), number)
        fighters, begin = step.fighters, 0
        for end in sorted({*last.values(), len(down)}):
            if begin < end:
                yield self._laid_down(fighters, down[begin:end])
            if going := [seat for seat in step.out if last[seat] == end]:
                yield self._out(going)
            if lost and not end:
                yield self._lost(going, lost)
            fighters, begin = tuple(seat for seat in fighters if seat not in going), end

    def _out(self, going: Sequence[int]) -> str:
        return say_count(
            "{players} has too few cards for the war and is out.",
            "{players} have too few cards for the war and are out.",
            len(going),
            players=self._named(going),
        )

    def _lost(self, going: Sequence[int], layers: Sequence[Layer]) -> str:
        """The last cards of players who are out already."""
        counts = {seat: count for seat in going if (count := laid_by(seat, layers))}
        if len(counts) == 1:
            ((seat, count),) = counts.items()
            return say_count(
                "{player}'s last card goes onto the table face down: {cards}.",
                "{player}'s last {count} cards go onto the table face down: {cards}.",
                count,
                player=self._players[seat],
                cards=self._backs(count),
            )
        return say(
            "Their last cards go onto the table face down, one after the other: {cards}.",
            cards=self._backs_of(counts),
        )

    def _laid_down(self, fighters: Sequence[int], layers: Sequence[Layer]) -> str:
        """These layers, laid face down by fighters who are still in."""
        counts = {seat: count for seat in fighters if (count := laid_by(seat, layers))}
        cards = self._backs_of(counts)
        (first, count), *others = counts.items()
        if len(counts) == len(fighters) and len(set(counts.values())) == 1:
            return say_count(
                "Each lays {count} card face down: {cards}.",
                "Each lays {count} cards face down: {cards}.",
                count,
                cards=cards,
            )
        if not others:
            return say_count(
                "{player} lays {count} card face down: {cards}.",
                "{player} lays {count} cards face down: {cards}.",
                count,
                player=self._players[first],
                cards=self._backs(count),
            )
        return say_count(
            "{player} lays {count} card face down, {others}: {cards}.",
            "{player} lays {count} cards face down, {others}: {cards}.",
            count,
            player=self._players[first],
            others=", ".join(
                say("{player} {size}", player=self._players[seat], size=size)
                for seat, size in others
            ),
            cards=cards,
        )

    def _taken(self, round_: Round, last: Step) -> str:
        if round_.winner is None:
            return self._not_taken(round_)
        player = self._players[round_.winner]
        why = (
            self._why(last)
            if last.unbeaten
            else say("Only {player} is left in the war", player=player)
        )
        taken = say_count(
            "{player} takes {count} card",
            "{player} takes {count} cards",
            len(round_.captured),
            player=player,
        )
        if self._carried:
            taken += say_count(
                ", {count} of them still on the table from before",
                ", {count} of them still on the table from before",
                self._carried,
            )
        return say(
            "{why}: {taken}, {cards}.",
            why=why,
            taken=taken,
            cards=self._cards(round_.captured),
        )

    def _why(self, last: Step) -> str:
        """Why the last comparison came out as it did: `Queen beats seven`."""
        (winner,) = last.unbeaten
        rank = self._rules.pack.rank
        best = rank[last.shown[winner]]
        beaten = list(
            dict.fromkeys(rank[card] for seat, card in last.shown.items() if seat != winner)
        )
        losers = listed(list(map(rank_name, beaten)))
        if any((best, loser) in self._rules.exceptions for loser in beaten):
            return say(
                "By the exception in these rules, {winner} beats {losers}",
                winner=rank_name(best),
                losers=losers,
            )
        return say("{winner} beats {losers}", winner=rank_first(best), losers=losers)

    def _not_taken(self, round_: Round) -> str:
        if not any(round_.sizes):
            return say("Nobody has a card left.")
        if (last := taker(round_, self._in_play)) is not None:
            return say("Only {player} is left, and takes everything.", player=self._players[last])
        return say_count(
            "Nobody is left in the war: the {count} card on the table goes to whoever captures "
            "next.",
            "Nobody is left in the war: the {count} cards on the table go to whoever captures "
            "next.",
            self._in_play - sum(round_.sizes),
        )

    def _sizes_after(self, round_: Round) -> str:
        """What each seat holds, those left out that held nothing before."""
        sizes = [
            (self._players[seat], size)
            for seat, (before, size) in enumerate(zip(self._sizes, round_.sizes, strict=True))
            if before or size
        ]
        return self._held(sizes)

    def _ran_out(self, round_: Round) -> Iterator[str]:
        """Who lost the last card without any shortage; at the end of the game the result tells."""
        gone = [
            seat
            for seat, (before, size) in enumerate(zip(self._sizes, round_.sizes, strict=True))
            if before and not size and seat not in round_.out
        ]
        if gone and len(list(filter(None, round_.sizes))) > 1:
            yield say_count(
                "{players} has no card left and is out.",
                "{players} have no card left and are out.",
                len(gone),
                players=self._named(gone),
            )

    def _held(self, sizes: Sequence[tuple[str, int]]) -> str:
        """How many cards these players have."""
        (player, size), *others = sizes
        held = (
            say_count(
                "{player} has {count} card", "{player} has {count} cards", size, player=player
            )
            if size
            else say("{player} has none", player=player)
        )
        rest = (
            say("{player} {size}", player=player, size=size or say("none"))
            for player, size in others
        )
        return ", ".join((held, *rest)) + "."

    # The result

    def _result(self, result: Result) -> Iterator[str]:
        yield ""
        rounds = say_count("{count} round", "{count:,} rounds", result.rounds)
        match result.reason:
            case "collected" | "shortage":
                yield self._collected(result, rounds)
            case "repetition":
                yield say(
                    "Drawn after {rounds}: every pile is again, card by card, as it was at the "
                    "start of round {first}.",
                    rounds=rounds,
                    first=result.first_seen,
                )
            case "endless":
                yield say(
                    "Nobody wins, because this game would never end: after {rounds} every pile "
                    "is again, card by card, as it was at the start of round {first}.",
                    rounds=rounds,
                    first=result.first_seen,
                )
            case "round-limit":
                limit = say("the limit of {rounds} is reached", rounds=rounds)
                yield self._limited(result, limit)
            case "time-limit":
                yield self._limited(result, say("the time is up after {rounds}", rounds=rounds))
            case "abandoned":
                yield say("The game was given up after {rounds}; nobody wins.", rounds=rounds)

    def _limited(self, result: Result, why: str) -> str:
        most = self._rules.goal == "collect"
        if result.winners:
            winner, size = self._named(result.winners), result.sizes[result.winners[0]]
            if most:
                return say(
                    "{winner} wins with the most cards, {size}: {why}.",
                    winner=winner,
                    size=size,
                    why=why,
                )
            return say(
                "{winner} wins with the fewest cards, {size}: {why}.",
                winner=winner,
                size=size,
                why=why,
            )
        if self._rules.limit_result == "draw":
            return say("Drawn: {why}.", why=why)
        if most:
            return say("Drawn: {why}, and nobody alone has the most cards.", why=why)
        return say("Drawn: {why}, and nobody alone has the fewest cards.", why=why)

    def _collected(self, result: Result, rounds: str) -> str:
        """The result when one seat has everything, or when shortage left nobody."""
        if not any(result.sizes):
            return say("Drawn after {rounds}: nobody has a card left to go on with.", rounds=rounds)
        collector = max(range(len(result.sizes)), key=result.sizes.__getitem__)
        player, count = self._players[collector], result.sizes[collector]
        if result.reason == "shortage":
            how = say("Only {player} has enough cards to go on", player=player)
        elif count == 2:
            how = say("{player} has collected both cards", player=player)
        else:
            how = say_count(
                "{player} has collected the only card",
                "{player} has collected all {count} cards",
                count,
                player=player,
            )
        if collector in result.winners:
            return say("{how} and wins after {rounds}.", how=how, rounds=rounds)
        return say_count(
            "{how} and so loses: {winners} wins after {rounds}.",
            "{how} and so loses: {winners} win after {rounds}.",
            len(result.winners),
            how=how,
            winners=self._named(result.winners),
            rounds=rounds,
        )

    # Words and cards

    def _named(self, seats: Sequence[int]) -> str:
        return listed([self._players[seat] for seat in seats]) if seats else ""

    def _rank(self, card: Card) -> str:
        return rank_name(self._rules.pack.rank[card])

    def _card(self, card: Card) -> str:
        if card == _UNKNOWN:
            return self._backs(1)
        return ascii_form(card) if self._look.ascii else card

    def _backs(self, count: int) -> str:
        return " ".join([_ASCII_BACK if self._look.ascii else _BACK] * count)

    def _backs_of(self, counts: Mapping[int, int]) -> str:
        """So many cards face down of each of these seats: `Ana ▒▒, Luis ▒▒ ▒▒`."""
        return ", ".join(
            say("{player} {card}", player=self._players[seat], card=self._backs(count))
            for seat, count in counts.items()
        )

    def _cards(self, cards: Iterable[Card]) -> str:
        return " ".join(map(self._card, cards))

    def _show(self, lines: Iterable[str]) -> str:
        return dressed(lines, self._look)


def dressed(lines: Iterable[str], look: Look) -> str:
    """The lines as a text that looks so, those longer than its width broken."""
    shown = "".join(_broken(line, look.width) + "\n" for line in lines)
    if look.ascii:
        shown = in_ascii(shown)
    return _RED.sub("\N{ESCAPE}[31m\\g<0>\N{ESCAPE}[0m", shown) if look.colour else shown


def in_ascii(text: str) -> str:
    """The text with suits as letters, and other signs of our sentences as ASCII has them."""
    return ascii_form(text).translate(_IN_ASCII)


def _laying(seats: Iterable[int], layer: Layer) -> list[int]:
    """Those of these seats who laid a card in this layer."""
    return [seat for seat in seats if layer.cards[seat] is not None]


def _aside_piles(round_: Round) -> Iterator[tuple[int, tuple[Card, ...]]]:
    """The aside piles that were taken up for this round: whose, and which cards."""
    if round_.taken_up is not UNSET:
        for taken in round_.taken_up:
            yield taken.seat, taken.cards


_INDENT = "  "

_IN_ASCII = str.maketrans({"×": "x", "…": "...", "–": "-"})
"""Signs in sentences, besides suits and backs, that ASCII doesn't have."""

_RED = re.compile("[^\\s,.]+[♦♥]")


def _indented(lines: Iterable[str]) -> Iterator[str]:
    return (_INDENT + line for line in lines)


def _broken(line: str, width: int) -> str:
    """The line as it is, or as several when it is long."""
    if len(line) <= width:
        return line
    indent = line[: len(line) - len(line.lstrip())] + _INDENT
    return TextWrapper(
        width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    ).fill(line)
