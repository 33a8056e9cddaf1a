"""Deal files, both ways: who sits where, and the piles, top card first.

    Ana:  9♣ 3♦ Q♦
    Luis: 9♥ K♠ 7♣

A YAML mapping from player to pile, its order the order of the seats. A pile is one string, cards
parted by spaces or commas, or a list. A deal may be a position: uneven, or part of the pack.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import yaml

from warcli.cards import USUAL_RANKS, Card, UnknownCard, ascii_form
from warcli.diagnostics import Problem
from warcli.keys import KEYS
from warcli.players import BadName, check_name
from warcli.rules import Rules
from warcli.words import say, say_count
from warcli.yamlfile import Faulty, Place, Source, Unreadable, compose, read, read_standard_input

_CARD = re.compile(r"[^\s,]+")
_SUITED = re.compile("([2-9TJQKA]|10)[cdhs♣♦♥♠♧♢♡♤]\ufe0f?", re.IGNORECASE)
_LINE_BREAK = re.compile("\r\n|[\n\r\x85\u2028\u2029]")


class BadDeal(ValueError):
    """A file that is no deal for these rules; `str()` is the whole diagnosis, for a person."""


class SuppliedDeal(NamedTuple):
    """A deal that somebody wrote."""

    players: tuple[str, ...]
    piles: tuple[tuple[Card, ...], ...]
    """A pile a seat, top card first; a card whose suit wasn't written is its rank alone."""
    notes: tuple[str, ...]
    """What is unusual about it, and perhaps not meant."""


def read_deal(path: Path, rules: Rules) -> SuppliedDeal:
    """The deal that a file holds; `-`: standard input.

    Raises BadDeal when it isn't one for these rules.
    """
    try:
        source = read_standard_input() if str(path) == "-" else read(path)
    except Unreadable as why:
        raise BadDeal(str(Problem(path=str(path), message=str(why)))) from None
    return parse_deal(source, rules)


def parse_deal(source: Source, rules: Rules) -> SuppliedDeal:
    """The deal that a text holds. Raises BadDeal when it isn't one for these rules."""
    try:
        node = compose(source)
    except Faulty as fault:
        raise BadDeal(str(fault.problem)) from None
    return deal_in(source, node, rules)


def deal_in(source: Source, node: yaml.Node | None, rules: Rules) -> SuppliedDeal:
    """The deal in this part of a text. Raises BadDeal when it isn't one for these rules."""
    try:
        piles = _piles(source, node)
    except Faulty as fault:
        raise BadDeal(str(fault.problem)) from None
    players = tuple(pile.player for pile in piles)
    if len(players) != rules.players:
        message = say_count(
            "{count} player ({names}), but the rules {rules} are for {players} players",
            "{count} players ({names}), but the rules {rules} are for {players} players",
            len(players),
            names=", ".join(players),
            rules=rules.name,
            players=rules.players,
        )
        raise BadDeal(str(Problem(path=source.path, message=message)))
    cards = _read_cards(piles, rules)
    if not any(cards):
        message = say("all the piles are empty; deal somebody a card")
        raise BadDeal(str(Problem(path=source.path, message=message)))
    return SuppliedDeal(players, cards, tuple(_notes(cards, rules)))


def deal_yaml(players: Sequence[str], piles: Sequence[Sequence[Card]], *, letters: bool) -> str:
    """The deal as a deal file; `letters`: suits as letters, in ASCII."""
    written = [" ".join(map(ascii_form, pile) if letters else pile) for pile in piles]
    names = [f"{_scalar(player)}:" for player in players]
    width = max(map(len, names))
    return "".join(
        f"{name:{width}} {_scalar(pile)}\n" for name, pile in zip(names, written, strict=True)
    )


def _scalar(text: str) -> str:
    """The text as YAML, in quotes where YAML would take it for something else."""
    return yaml.safe_dump([text], allow_unicode=True, width=1 << 30)[2:-1]


def looks_like_deal(mapping: yaml.MappingNode) -> bool:
    """Whether a mapping is piles of cards with their suits, and so can be no rules."""
    piles = [
        " ".join(str(each.value) for each in value.value)
        if isinstance(value, yaml.SequenceNode)
        else str(value.value)
        for _, value in mapping.value
    ]
    cards = [card for pile in piles for card in _CARD.findall(pile)]
    return any(_SUITED.fullmatch(card) for card in cards) and all(
        _SUITED.fullmatch(card) or card.upper() in USUAL_RANKS for card in cards
    )


# What stands where


class _Written(NamedTuple):
    """A card as the file has it, and where."""

    text: str
    start: int
    """In characters from the beginning of the file."""


class _Pile(NamedTuple):
    source: Source
    player: str
    cards: tuple[_Written, ...]

    def where(self, card: _Written) -> Place:
        before = _LINE_BREAK.split(self.source.text[: card.start])
        return Place(len(before), len(before[-1]) + 1, len(card.text))

    def problem(self, card: _Written, message: str, advice: str = "") -> BadDeal:
        return BadDeal(str(self.source.problem(self.where(card), message, advice=advice)))


def _piles(source: Source, node: yaml.Node | None) -> list[_Pile]:
    """Who has which cards, as written. Raises Faulty."""
    example = say("a player and a pile in each line, such as {line}", line="Ana: 9♣ 3♦ Q♦")
    if node is None:
        raise Faulty(Problem(path=source.path, message=say("the file is empty"), allowed=example))
    if not isinstance(node, yaml.MappingNode):
        raise Faulty(source.problem(node, say("this is no deal: names and piles"), allowed=example))
    if sum(key.value in KEYS for key, _ in node.value) * 2 > len(node.value):
        message = say("these are the rules of a game, not a deal")
        advice = say("give them as rules: --rules {file}", file=source.path)
        raise Faulty(source.problem(node, message, advice=advice))
    piles: list[_Pile] = []
    seats: dict[str, yaml.Node] = {}
    for key, value in node.value:
        if not isinstance(key, yaml.ScalarNode):
            raise Faulty(source.problem(key, say("a player's name is wanted here")))
        try:
            player = check_name(key.value)
        except BadName as why:
            raise Faulty(source.problem(key, str(why))) from None
        if (other := seats.setdefault(player.casefold(), key)) is not key:
            raise Faulty(
                source.problem(
                    key,
                    say(
                        "{player} has a pile in line {line} already",
                        player=player,
                        line=other.start_mark.line + 1,
                    ),
                    advice=say("give each player one pile, and a name of their own"),
                )
            )
        piles.append(_Pile(source, player, tuple(_cards_in(source, player, value))))
    return piles


def _cards_in(source: Source, player: str, node: yaml.Node) -> Iterator[_Written]:
    if isinstance(node, yaml.ScalarNode):
        if node.tag != "tag:yaml.org,2002:null":
            yield from _cards_of_text(source, node)
        return
    if not isinstance(node, yaml.SequenceNode):
        raise Faulty(
            source.problem(
                node,
                say("{player}'s pile is a mapping", player=player),
                allowed=say("the cards as one text, or as a list: {list}", list="[9♣, 3♦, Q♦]"),
            )
        )
    for entry in node.value:
        if not isinstance(entry, yaml.ScalarNode) or not entry.value.strip():
            raise Faulty(source.problem(entry, say("a card is wanted here")))
        yield from _cards_of_text(source, entry)


def _cards_of_text(source: Source, node: yaml.ScalarNode) -> Iterator[_Written]:
    """The cards of one YAML text, each with its own place, which may be lines below the first."""
    place = node.start_mark.index
    for found in _CARD.finditer(node.value):
        at = source.text.find(found[0], place, node.end_mark.index)
        yield _Written(found[0], max(at, place))  # not found if written with escapes
        if at >= 0:
            place = at + len(found[0])


# What the cards are


def _read_cards(piles: Iterable[_Pile], rules: Rules) -> tuple[tuple[Card, ...], ...]:
    pack = rules.pack
    places: dict[Card, list[tuple[_Pile, _Written]]] = {}
    read: list[tuple[Card, ...]] = []
    for pile in piles:
        cards: list[Card] = []
        for written in pile.cards:
            try:
                card = pack.read(written.text)
            except UnknownCard as why:
                raise pile.problem(written, str(why)) from None
            cards.append(card)
            for counted in dict.fromkeys((card, pack.rank[card])):
                before = places.setdefault(counted, [])
                if len(before) == pack.copies[counted]:
                    raise _too_many(counted, pile, written, before)
                before.append((pile, written))
        read.append(tuple(cards))
    return tuple(read)


def _too_many(
    card: Card, pile: _Pile, written: _Written, before: Sequence[tuple[_Pile, _Written]]
) -> BadDeal:
    places = [(other.where(card_there), other.player) for other, card_there in before[-4:]]
    others = ", ".join(
        say(
            "line {line}, column {column} ({player})", line=at.line, column=at.column, player=player
        )
        for at, player in places
    )
    if len(before) > 4:
        others = say("the last of them in {others}", others=others)
    message = say_count(
        "one {card} too many for {player}: the pack has {count}, and it is dealt already",
        "one {card} too many for {player}: the pack has {count}, and they are dealt already",
        len(before),
        card=card,
        player=pile.player,
    )
    return pile.problem(written, message, advice=say("already dealt: {others}", others=others))


def _notes(piles: Sequence[Sequence[Card]], rules: Rules) -> Iterator[str]:
    dealt = Counter(card for pile in piles for card in pile)
    missing = rules.deck_size - dealt.total()
    suitless = bool(rules.pack.suits) and any(
        card in rules.pack.ranks and card not in rules.pack.cards for card in dealt
    )
    if missing:
        absent = list((Counter(rules.pack.cards) - dealt).elements())
        which = ": " + " ".join(absent) if not suitless and missing <= 8 else ""
        yield say_count(
            "{count} of the {size} cards of the pack is not in this deal{which}",
            "{count} of the {size} cards of the pack are not in this deal{which}",
            missing,
            size=rules.deck_size,
            which=which,
        )
    if suitless and rules.repetition == "draw":
        yield say(
            "some cards are written without a suit, so a repetition is judged by their rank alone"
        )
