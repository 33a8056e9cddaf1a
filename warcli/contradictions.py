"""Rules that cannot be: keys that are each well written, but don't fit together."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from warcli.cards import JOKER, SUITS, USUAL_RANKS
from warcli.words import printable, say, say_count

Ranks = tuple[str, ...]
"""Every rank of a pack, the highest first."""


class Remark(NamedTuple):
    """Something about a well-written key: it contradicts others, or it may surprise."""

    keys: tuple[str, ...]
    """The keys that it is about, the likeliest culprit first."""
    message: str
    entry: int | None = None
    """Which entry of the first key's list is meant, from 0; None: the key as a whole."""
    advice: str = ""
    """What to do about it."""


def exception_pair(text: str) -> tuple[str, str]:
    """The ranks (winner, loser) of a rank exception such as `6 beats A`."""
    winner, _, loser = text.split(" ")
    return winner, loser


def pack_size(rank_order: Sequence[str], suits: int, packs: int, jokers: int) -> int:
    """How many cards a pack of these ranks, suits, packs and jokers has."""
    return len([rank for rank in rank_order if rank != JOKER]) * suits * packs + jokers


def seconds(time_limit: str) -> int | None:
    """A duration such as `1h30m` in seconds; None for `none`."""
    if time_limit == "none":
        return None
    parts = re.findall(r"([0-9]+)([hms])", time_limit)
    return sum(int(count) * {"h": 3600, "m": 60, "s": 1}[unit] for count, unit in parts)


def contradictions(keys: Mapping[str, Any]) -> Iterator[Remark]:
    """Every way in which these keys don't fit together.

    Each of them is well written by itself, but they may be only some of the keys: what needs one
    that isn't there is not judged. So a file with a bad key is told at once what else is wrong.
    """
    for check, needed in _CHECKS:
        if all(key in keys for key in needed):
            yield from check(*[keys[key] for key in needed])


def _name_in_sight(name: str) -> Iterator[Remark]:
    if name and not name.strip():
        yield Remark(("name",), say("the name is nothing but spaces"), advice=say("leave it out"))
    if printable(name) != name:
        yield Remark(("name",), say("the name holds what cannot be shown: {name}", name=name))


def _description_in_sight(description: str) -> Iterator[Remark]:
    for line in description.replace("\t", " ").split("\n"):
        if printable(line) != line:
            message = say("the description holds what cannot be shown: {line}", line=line)
            yield Remark(("description",), message)


def _ranks_are_fit(rank_order: Ranks) -> Iterator[Remark]:
    if len(rank_order) > 1 and all(rank.endswith((",", ";")) for rank in rank_order[:-1]):
        parted = " ".join(rank.rstrip(",;") for rank in rank_order)
        yield Remark(
            ("rank_order",),
            say("in one text, spaces alone part the ranks"),
            advice=say("write {ranks}", ranks=parted),
        )
        return
    places: dict[str, int] = {}
    for entry, rank in enumerate(rank_order):
        first = places.setdefault(rank.casefold(), entry)
        if message := _unfit_rank(rank, rank_order[first] if first != entry else None):
            yield Remark(("rank_order",), message, entry)


def _unfit_rank(rank: str, alike: str | None) -> str:
    """What is wrong with one rank; `alike` is an earlier one that differs at most in capitals."""
    if alike == rank:
        message = say("the rank {rank} is there twice", rank=rank)
    elif alike:
        message = say(
            "the ranks {alike} and {rank} differ only in capitals, which a player may leave out",
            alike=alike,
            rank=rank,
        )
    elif any(mark in rank for mark in SUITS + "♧♢♡♤"):
        message = say("the rank {rank} holds a suit; write ranks alone", rank=rank)
    elif printable(rank) != rank:
        message = say("the rank {rank} holds what cannot be shown", rank=rank)
    elif any(mark in rank for mark in "?(){}[]|>#,;:*-&!%@`'\"\\"):
        message = say(
            "the rank {rank} holds a sign that means something else in a deal or the record of a "
            "game; use letters and digits",
            rank=rank,
        )
    elif rank != JOKER and rank.casefold() == JOKER.casefold():
        message = say("the rank of the jokers is written {joker}", joker=JOKER)
    else:
        message = ""
    return message


def _jokers_have_a_rank(rank_order: Ranks, jokers: int) -> Iterator[Remark]:
    if jokers and JOKER not in rank_order:
        yield Remark(
            ("jokers", "rank_order"),
            say("there are jokers, but no {joker} in rank_order", joker=JOKER),
            advice=say("write {joker} where it ranks: first if it beats all", joker=JOKER),
        )
    if JOKER in rank_order and not jokers:
        yield Remark(
            ("rank_order", "jokers"),
            say("{joker} is in rank_order, but there are no jokers", joker=JOKER),
            rank_order.index(JOKER),
            advice=say("say how many, such as {example}", example="jokers: 2"),
        )


def _pack_has_its_size(
    deck_size: int, rank_order: Ranks, suits: int, packs: int, jokers: int
) -> Iterator[Remark]:
    size = pack_size(rank_order, suits, packs, jokers)
    if size == deck_size or len(set(rank_order)) < len(rank_order):
        return
    ranks = [rank for rank in rank_order if rank != JOKER]
    made_of = say_count("{count} rank", "{count} ranks", len(ranks))
    made_of += say_count(" × {count} suit", " × {count} suits", suits)
    made_of += say_count(" × {count} pack", " × {count} packs", packs) if packs > 1 else ""
    made_of += say_count(" + {count} joker", " + {count} jokers", jokers) if jokers else ""
    if missing := _missing_ranks(ranks, (deck_size - size) / (suits * packs)):
        advice = say_count(
            "{ranks} is missing from rank_order, or write {line}",
            "{ranks} are missing from rank_order, or write {line}",
            len(missing),
            ranks=" ".join(missing),
            line=f"deck_size: {size}",
        )
    elif not jokers and 0 < deck_size - size < suits * packs:
        advice = say("jokers are counted by the key jokers, and {joker} is their rank", joker=JOKER)
    else:
        advice = say("write {line} if that is the pack", line=f"deck_size: {size}")
    yield Remark(
        ("deck_size", "rank_order", "suits", "packs", "jokers"),
        say(
            "{made_of} make {size} cards, but deck_size is {deck_size}",
            made_of=made_of,
            size=size,
            deck_size=deck_size,
        ),
        advice=advice,
    )


def _missing_ranks(ranks: Sequence[str], how_many: float) -> list[str]:
    """The usual ranks that were forgotten, if it is plain which: those between others first."""
    there = [place for place, rank in enumerate(USUAL_RANKS) if rank in ranks]
    between = USUAL_RANKS[there[0] : there[-1]] if there else ()
    for span in (between, USUAL_RANKS):
        missing = [rank for rank in span if rank not in ranks]
        if len(missing) == how_many:
            return missing
    return []


def _everybody_has_a_card(deck_size: int, players: int) -> Iterator[Remark]:
    if deck_size < players:
        yield Remark(
            ("players", "deck_size"),
            say(
                "{players} players cannot each have a card of a pack of {size}",
                players=players,
                size=deck_size,
            ),
        )


def _time_to_play(time_limit: str) -> Iterator[Remark]:
    if seconds(time_limit) == 0:
        message = say("a time limit of no time would end the game before it begins")
        yield Remark(("time_limit",), message)


def _exceptions_are_fit(rank_exceptions: tuple[str, ...], rank_order: Ranks) -> Iterator[Remark]:
    ranks = set(rank_order)
    pairs: set[tuple[str, str]] = set()
    for entry, text in enumerate(rank_exceptions):
        winner, loser = exception_pair(text)
        message = advice = ""
        if unknown := [rank for rank in (winner, loser) if rank not in ranks]:
            message = say(
                "{exception}: the rank {rank} is not in rank_order", exception=text, rank=unknown[0]
            )
            advice = say(
                "the ranks are {ranks}; without exceptions: {line}",
                ranks=" ".join(rank_order),
                line="rank_exceptions: []",
            )
        elif winner == loser:
            message = say("{rank} cannot beat itself", rank=winner)
        elif (winner, loser) in pairs:
            message = say("{exception} is there twice", exception=text)
        elif (loser, winner) in pairs:
            message = say(
                "{exception} contradicts {other}",
                exception=text,
                other=f"{loser} beats {winner}",
            )
        if message:
            yield Remark(("rank_exceptions", "rank_order"), message, entry, advice)
        pairs.add((winner, loser))


_CHECKS: tuple[tuple[Callable[..., Iterator[Remark]], tuple[str, ...]], ...] = (
    (_name_in_sight, ("name",)),
    (_description_in_sight, ("description",)),
    (_ranks_are_fit, ("rank_order",)),
    (
        _jokers_have_a_rank,
        (
            "rank_order",
            "jokers",
        ),
    ),
    (
        _pack_has_its_size,
        (
            "deck_size",
            "rank_order",
            "suits",
            "packs",
            "jokers",
        ),
    ),
    (
        _everybody_has_a_card,
        (
            "deck_size",
            "players",
        ),
    ),
    (_time_to_play, ("time_limit",)),
    (
        _exceptions_are_fit,
        (
            "rank_exceptions",
            "rank_order",
        ),
    ),
)
"""Every check, and the keys that it is given; in the order in which they are told."""
