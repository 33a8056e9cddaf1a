"""What the table tells when it is asked. Nothing changes by it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from typing import TYPE_CHECKING

from warcli.game import Slot
from warcli.record import UNKNOWN
from warcli.referee.commands import COMMANDS
from warcli.referee.knowledge import Knowledge
from warcli.referee.voice import Voice
from warcli.referee.why import rules_of_end, rules_of_ruling
from warcli.words import say

if TYPE_CHECKING:
    from warcli.referee.table import Table


def help_(_table: Table) -> Iterator[str]:
    """How cards are typed, and every command."""
    yield say("Type the cards as they are turned up, in the order of the players, such as:")
    yield say("  k9    10 q    ks 9d    (suits c d h s may be left out)")
    yield from (say("  {usage}", usage=say(usage)) for usage in COMMANDS.values())


def why(table: Table) -> Iterator[str]:
    """The last ruling, how the game ended if it did, and the rules that these rest on."""
    voice = Voice(table.rules, table.players)
    ruling, result = table.ruling, table.result
    if ruling is None and result is None:
        yield say("Nothing was ruled yet.")
    if ruling is not None:
        yield from voice.ruling(ruling)
    if result is not None and (ruling is None or ruling.result is None):
        yield voice.ending(result)
    if ruling is not None:
        yield from rules_of_ruling(table.rules, ruling)
    if result is not None:
        yield from rules_of_end(table.rules, result)


def history(table: Table, many: int) -> Iterator[str]:
    """The last rounds."""
    rounds = table.last_rounds(many)
    if not rounds:
        yield say("No round is over yet.")
    yield from map(Voice(table.rules, table.players).round, rounds)


def piles(table: Table) -> Iterator[str]:
    """What is known of every pile, the top card first."""
    game, known = table.game, table.knowledge
    for player, pile, aside in zip(table.players, game.piles, game.asides, strict=True):
        cards = _lie(known, pile)
        yield say("{player} ({count}): {cards}", player=player, count=len(pile), cards=cards)
        if aside:
            yield say("  won ({count}): {cards}", count=len(aside), cards=_lie(known, aside))


def _lie(known: Knowledge, slots: Iterable[Slot]) -> str:
    """What is known of these slots: `9♣ 7 K♠/Q♥ ?×3`."""
    told: list[str] = []
    for text, alike in groupby(slots, lambda slot: _slot_text(known, slot)):
        many = len(list(alike))
        told += [f"{UNKNOWN}×{many}"] if text == UNKNOWN and many > 1 else [text] * many
    return " ".join(told)


def _slot_text(known: Knowledge, slot: Slot) -> str:
    certain = known.certain(slot)
    if certain is not None:
        return certain
    possible = known.possible(slot)
    if len(possible) > 3:
        return UNKNOWN
    return "/".join(card for card in known.pack.kinds if card in possible)


def odds(table: Table) -> Iterator[str]:
    """Everybody's chances, and how long the game may still take; or how it must end, if that can
    be known."""
    from warcli.referee.odds import estimate

    told = [*_future(table)]
    if told:
        yield from told
    else:
        chances = estimate(table.game, table.knowledge, seed=table.number)
        yield from Voice(table.rules, table.players).odds(chances)


def foretell(table: Table) -> Iterator[str]:
    """How the game must end, once every card is known."""
    told = [*_future(table)]
    yield from told or [say("That cannot be known yet; odds gives the chances.")]


def _future(table: Table) -> Iterator[str]:
    """How the game ended, or must end; nothing if that can't be known yet."""
    from warcli.referee.odds import foretell

    voice = Voice(table.rules, table.players)
    if table.result is not None:
        yield voice.ending(table.result)
    elif (result := foretell(table.game, table.knowledge)) is not None:
        yield from voice.foretold(result, table.game.rounds)


QUESTIONS: dict[str, Callable[[Table], Iterator[str]]] = {
    "why": why,
    "piles": piles,
    "odds": odds,
    "foretell": foretell,
    "help": help_,
}
"""The commands that ask, and what answers them; `history` needs a number besides."""
