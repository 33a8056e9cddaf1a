"""Why a typed line is refused, in words that help to find the slip."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from warcli.cards import Card, Pack, UnknownCard
from warcli.game import Slot
from warcli.referee.commands import COMMANDS, nearest
from warcli.referee.typed import lengths
from warcli.spoken import listed, rank_name
from warcli.words import say, say_count

if TYPE_CHECKING:
    from warcli.referee.table import Table

_FEW = 4
"""So many possible cards are told one by one."""

_LONG = 30
"""Characters of a word after which nobody meant it as a card."""

_MOST = 12
"""More cards than these on one line aren't counted."""

_MANY = 8
"""So many cards are told where they lie."""


def impossible(table: Table, slot: Slot, card: Card, line: Mapping[Slot, Card]) -> Iterator[str]:
    """Why this card, of a line that shows these cards, can't be the one at this slot."""
    player = table.players[_whose(table, slot)]
    pack = table.rules.pack
    possible = table.knowledge.possible(slot)
    yield say("{card} cannot be {player}'s card here.", card=card, player=player)
    if not any(pack.rank[card] == one or card in (one, pack.rank[one]) for one in possible):
        certain = table.knowledge.certain(slot)
        if certain is not None:
            yield say("The next card here must be {card}.", card=certain)
        elif len(possible) <= _FEW:
            cards = " ".join(card for card in table.knowledge.pack.kinds if card in possible)
            yield say("The next card here is one of {cards}.", cards=cards)
    yield from _where(table, card, line)


def _whose(table: Table, slot: Slot) -> int:
    """The seat that turns this slot up next, or laid it face down."""
    due = table.game.due
    turning = dict(zip(due.slots, due.seats, strict=True)) if due else {}
    laid = {
        slot: seat for layer in table.game.laid for seat, slot in enumerate(layer.cards) if slot
    }
    return {**laid, **turning}[slot]


def _where(table: Table, card: Card, line: Mapping[Slot, Card]) -> Iterator[str]:
    """Where all cards like this one are, as far as that is known."""
    pack = table.rules.pack
    copies = pack.copies[card]
    told = {**table.knowledge.seen, **line}
    like = {slot: one for slot, one in told.items() if card in (one, pack.rank[one])}
    elsewhere = {slot: one for slot, one in like.items() if slot not in line}
    places = [
        say("{card} {place}", card=one, place=_place(table, slot))
        for slot, one in elsewhere.items()
    ]
    if len(elsewhere) == copies == 1:
        yield say("{sentence}.", sentence=places[0])
    elif len(like) > copies:
        one_more = say(
            "That would be a {ordinal} {card}",
            ordinal=_ordinal(copies + 1),
            card=rank_name(card) if card in pack.ranks else card,
        )
        if 0 < len(places) <= _MANY:
            yield say("{sentence}: {places}.", sentence=one_more, places="; ".join(places))
        else:
            yield say("{sentence}.", sentence=one_more)


def _ordinal(number: int) -> str:
    """`second`, `third`, and so on."""
    if number in _ORDINALS:
        return say(_ORDINALS[number])
    return say("{number}th", number=number)


_ORDINALS = {
    2: "second",
    3: "third",
    4: "fourth",
    5: "fifth",
    6: "sixth",
    7: "seventh",
    8: "eighth",
    9: "ninth",
}


def _place(table: Table, slot: Slot) -> str:
    """Where a slot is, as what can be said of a card."""
    taken = table.taken_in(slot)
    for seat, player in enumerate(table.players):
        if slot in table.game.asides[seat]:
            return say("lies among {player}'s won cards", player=player)
        if slot in table.game.piles[seat]:
            if taken is None:
                return say("lies in {player}'s pile", player=player)
            return say(
                "lies in {player}'s pile, taken in round {number}", player=player, number=taken
            )
    if table.is_away(slot):
        return say("lies aside")
    return say("lies on the table")


def unreadable(table: Table, text: str) -> Iterator[str]:
    """Why a line is neither a command nor the cards that are due, and what to type instead."""
    if table.result is not None:
        yield say(
            "The game is over, and {line} is no command; type leave, or help to see them all.",
            line=text if len(text) <= _LONG else text[:_LONG] + "…",
        )
        yield from _nearest_command(text)
        return
    due = table.due
    players = listed([table.players[seat] for seat in due])
    if found := lengths(table.rules.pack, text, _MOST):
        yield say_count(
            "That is {found}, but {count} card is wanted: {players}.",
            "That is {found}, but {count} cards are wanted: {players}, in this order.",
            len(due),
            found=say_count("{count} card", "{count} cards", found[0]),
            players=players,
        )
        return
    if near := [*_nearest_command(text)]:
        yield from near
        return
    yield from _unreadable_word(table.rules.pack, text, len(due))
    yield say_count(
        "Type {count} card: {players}; or help.",
        "Type {count} cards, in this order: {players}; or help.",
        len(due),
        players=players,
    )


def _nearest_command(text: str) -> Iterator[str]:
    """The command that was probably meant by a line that is none; nothing if none is near."""
    word = text.split(maxsplit=1)[0]
    if len(word) <= _LONG and (near := nearest(word)) is not None:
        usage = say(COMMANDS[near])
        yield say("Did you mean {command}? Type it so: {usage}.", command=near, usage=usage)


def _unreadable_word(pack: Pack, text: str, count: int) -> Iterator[str]:
    """What is wrong with the first word of a line that isn't made of cards."""
    for word in text.split():
        if len(word) > _LONG:
            return
        if not lengths(pack, word, count):
            try:
                pack.read(word)
            except UnknownCard as unknown:
                yield say("{problem}.", problem=str(unknown))
            return
