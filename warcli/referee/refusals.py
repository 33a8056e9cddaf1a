"""Why a typed line is refused, in words that help to find the slip."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from warcli.cards import Card, Pack, UnknownCard
from warcli.game import Slot
from warcli.referee.commands import COMMANDS, nearest
from warcli.referee.typed import lengths
from warcli.spoken import either, listed, rank_name
from warcli.words import say, say_count

if TYPE_CHECKING:
    from warcli.referee.knowledge import Knowledge, Lying
    from warcli.referee.table import Table

_FEW = 4
"""So many possible cards are told one by one."""

_LONG = 30
"""Characters of a word after which nobody meant it as a card."""

_MOST = 12
"""More cards than these on one line aren't counted."""

_MANY = 8
"""So many cards are told where they lie; and so many possible ones are told, for want of another
reason."""


def impossible(table: Table, slot: Slot, card: Card, line: Mapping[Slot, Card]) -> Iterator[str]:
    """Why this card, of a line that shows these cards, can't be the one at this slot."""
    player = table.players[_whose(table, slot)]
    yield say("{card} cannot be {player}'s card here.", card=card, player=player)
    reasons = [
        *_what_is_there(table, slot, card, _FEW),
        *_where_it_is(table, slot, card, line),
    ]
    yield from reasons or _what_is_there(table, slot, card, _MANY)
    if not reasons:
        yield say(
            "No single card tells why: all that was turned up so far, taken together, leaves no "
            "place for it here."
        )


def _what_is_there(table: Table, slot: Slot, card: Card, few: int) -> Iterator[str]:
    """What lies at this slot, where this card doesn't, if that is known or one of a few."""
    rank, known = table.rules.pack.rank, table.knowledge
    possible = known.possible(slot)
    if any(rank[card] == one or card in (one, rank[one]) for one in possible):
        return
    certain = known.certain(slot)
    if certain is not None:
        yield say("The next card here must be {card}.", card=certain)
    elif len(possible) <= few:
        cards = " ".join(card for card in known.pack.kinds if card in possible)
        yield say("The next card here is one of {cards}.", cards=cards)


def _whose(table: Table, slot: Slot) -> int:
    """The seat that turns this slot up next, or laid it face down."""
    due = table.game.due
    turning = dict(zip(due.slots, due.seats, strict=True)) if due else {}
    laid = {
        slot: seat for layer in table.game.laid for seat, slot in enumerate(layer.cards) if slot
    }
    return {**laid, **turning}[slot]


def _where_it_is(table: Table, slot: Slot, card: Card, line: Mapping[Slot, Card]) -> Iterator[str]:
    """Where all cards like this one are, or all of its rank, if none of them can be at this slot
    once others of the line are where they are."""
    known = table.knowledge
    for other, shown in line.items():
        if other != slot and known.fits({slot: card}) and known.fits({other: shown}):
            known = known.see({other: shown})
    for sort in dict.fromkeys((card, table.rules.pack.rank[card])):
        elsewhere = [lying for lying in known.lying(sort) if slot not in lying.slots]
        copies = table.rules.pack.copies[sort]
        if sum(lying.many for lying in elsewhere) < copies:
            continue
        places = _places(table, known, sort, [at for at in elsewhere if not at.slots <= set(line)])
        if copies == 1 and places:
            yield say("{sentence}.", sentence=places[0])
            return
        one_more = say(
            "That would be a {ordinal} {card}",
            ordinal=_ordinal(copies + 1),
            card=rank_name(sort) if sort in table.rules.pack.ranks else sort,
        )
        if 0 < len(places) <= _MANY:
            yield say("{sentence}: {places}.", sentence=one_more, places="; ".join(places))
        else:
            yield say("{sentence}.", sentence=one_more)
        return


def _places(table: Table, known: Knowledge, sort: Card, lying: Iterable[Lying]) -> list[str]:
    """Where cards of this sort lie, as sentences: `9♣ lies in Ana's pile`."""
    found = Counter[tuple[Card, str]]()
    for many, slots in lying:
        place = either(list(dict.fromkeys(_place(table, slot) for slot in sorted(slots))))
        (slot, *others) = slots
        card = sort if others else known.seen.get(slot, sort)
        if not others and (number := table.taken_in(slot)) is not None:
            place = say("{place}, taken in round {number}", place=place, number=number)
        found[card, place] += many
    return [
        say_count(
            "{card} lies {place}", "{count} of them lie {place}", many, card=card, place=place
        )
        for (card, place), many in found.items()
    ]


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
    """Where a slot is, as what can be said of a card that lies there."""
    for seat, player in enumerate(table.players):
        if slot in table.game.asides[seat]:
            return say("among {player}'s won cards", player=player)
        if slot in table.game.piles[seat]:
            return say("in {player}'s pile", player=player)
    return say("aside") if table.is_away(slot) else say("on the table")


def unreadable(table: Table, text: str) -> Iterator[str]:
    """Why a line is neither a command nor the cards that are due, and what to type instead."""
    if table.result is not None:
        yield (
            say("The game is over, so no card is wanted; type leave, or help to see every command.")
            if lengths(table.rules.pack, text, _MOST)
            else say(
                "The game is over, and {line} is no command; type leave, or help to see them all.",
                line=_in_short(text),
            )
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
    """What is wrong with a line that isn't made of cards: its first word that isn't, or its
    length."""
    for word in text.split():
        if len(word) > _LONG:
            yield say("{word} is not a card of this pack.", word=repr(_in_short(word)))
            return
        if not lengths(pack, word, count):
            try:
                pack.read(word)
            except UnknownCard as unknown:
                yield say("{problem}.", problem=str(unknown))
            return
    yield say("That is too much for one line.")


def _in_short(text: str) -> str:
    """The text, or its beginning."""
    return text if len(text) <= _LONG else text[:_LONG] + "…"
