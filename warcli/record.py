"""A whole game as a record that people can read and write at the table: its parts, and writing it.

    war: 1
    rules: krig
    players: [Ana, Luis]
    ---
    1. K♠ 9♦ > Ana
    2. 9♣ 9♥ | (3♦) (K♠) | Q♦ 7♣ > Ana
    result: Ana, collected, 2 rounds

Above `---` the *head*, a YAML mapping; below it *entries*, a line a round. An entry is what the
referee accepted at one time: one turning up of cards (a round without war is one, and every war
step one more), a correction, a pause. So a record can be written bit by bit as a game goes on, and
a round that something interrupts goes on in a later line that begins with `|`.

`recordfile` reads records, `replay` rules on them again.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from textwrap import indent

import yaml
from msgspec import Struct

from warcli.cards import Card
from warcli.deal import deal
from warcli.events import Deal, Event, Layer, Reason, Result, Round
from warcli.game import Shuffle
from warcli.generator import Generator
from warcli.rules import Rules
from warcli.rulesfile import as_yaml, profiles
from warcli.rulesfile import load as rules_of
from warcli.words import say

VERSION = 1
"""The version of this format, the `war:` of the head."""

UNKNOWN = "?"
"""Stands for a card that nobody saw; in a layer it is written where the card would be."""

NOBODY = "-"
"""In a layer: a seat that laid nothing. After `>` and in a result: no seat."""

WORDS = ("accept", "clock", "count", "pause", "redo", "resume", "undo", "unordered")
"""What an entry that is neither a round nor the result can begin with."""


class Flip(Struct, frozen=True, gc=False):
    """One turning up of cards, with what was laid face down since the one before.

    The entry is complete with its face-up layer: so a line that was torn in half can be told.
    """

    round: int | None
    """The number of the round it belongs to, from 1; None: the record doesn't say."""
    layers: tuple[Layer, ...]
    """The face-down layers laid before it (in a war), its face-up layer and, where shortage
    ended the round, what was laid after it. A card is written in its standard form, `?` if nobody
    saw it."""
    begins: bool
    """Whether a round begins with it; if not, it belongs to a war."""
    ended: bool | None
    """Whether the round is over with it; if not, the war goes on with another flip. None: the
    record doesn't say."""
    winner: int | None = None
    """Who captured the table, once the round is over; None: nobody did."""
    line: int = 0
    """The line of the file it was read from, from 1; 0: it wasn't read from a file."""

    @property
    def shown(self) -> tuple[Card | None, ...]:
        """Its face-up layer: what each seat turns up, if it does."""
        for layer in self.layers:
            if layer.face == "up":
                return layer.cards
        raise AssertionError("a flip has a face-up layer")


class Laid(Struct, frozen=True, gc=False):
    """What was laid face down in a war for a flip that the record doesn't have: `9 9 | (?) (?) |`
    and no more.

    Where the flip follows, in whatever line, these are the first of its layers instead.
    """

    layers: tuple[Layer, ...]
    line: int = 0
    """The line of the file it was read from, from 1; 0: it wasn't read from a file."""


class Outcome(Struct, frozen=True, gc=False):
    """How the game ended: `result: Ana, collected, 213 rounds`."""

    winners: tuple[int, ...]
    """Seats in order; empty: nobody."""
    reason: Reason | None
    """None: the record doesn't say."""
    rounds: int | None
    """None: the record doesn't say."""
    line: int = 0
    """The line of the file it was read from, from 1; 0: it wasn't read from a file."""


class Note(Struct, frozen=True, gc=False):
    """Something else that happened: `undo: 2`, `unordered: Luis`, `pause: 12:31`."""

    word: str
    """One of `WORDS`."""
    value: str
    """The rest of the line, perhaps empty."""
    line: int = 0
    """The line of the file it was read from, from 1; 0: it wasn't read from a file."""


Entry = Flip | Laid | Outcome | Note

TAKING_BACK = ("undo", "redo")
"""Notes after which a war's face-down cards are told anew."""


class Head(Struct, frozen=True, kw_only=True):
    """What stands above the rounds."""

    rules: Rules
    players: tuple[str, ...]
    """Names by seat; see `players` for which there can be."""
    piles: tuple[tuple[Card, ...], ...] | None = None
    """The deal, a pile a seat, top card first; None: nobody knows it."""
    seed: int | None = None
    """The seed of the deal, or, where another deal was given, of the shuffles in play; None: there
    was none."""
    game: int = 0
    """Which game of that seed."""
    started: datetime | None = None


def alike(some: Sequence[Layer], others: Sequence[Layer]) -> bool:
    """Whether the same seats lay cards in these layers, the same way up."""
    return [*map(_shape, some)] == [*map(_shape, others)]


def _shape(layer: Layer) -> tuple[str, tuple[bool, ...]]:
    """Who laid a card, and which way up."""
    return layer.face, tuple([card is not None for card in layer.cards])


def shuffle_of(head: Head) -> Shuffle | None:
    """How cards are shuffled in play; None: the record doesn't tell, or they aren't."""
    if head.piles is None or head.seed is None or not head.rules.shuffles:
        return None
    generator = Generator(head.seed, head.game)
    deal(head.rules, generator)  # the shuffles in play come after it
    return generator.shuffle


class Record(Struct, frozen=True):
    """A whole record, as read."""

    head: Head
    entries: tuple[Entry, ...]
    lines: dict[str, int]
    """The line of each key of the head, from 1."""
    in_line: bool = False
    """Whether its text ends in the middle of a line."""


class Writer:
    """Writes the entries of one record, one after the other.

    What it gives for an entry ends with a new line or, in mid-war, with `|`, after which the next
    entry goes on in the same line if it can.
    """

    def __init__(self, players: Sequence[str], *, in_line: bool = False, laid: int = 0) -> None:
        """`in_line`: the text so far ends in the middle of a line. `laid`: it tells so many of the
        layers already that lie face down before the next flip."""
        self.players = players
        self._in_line = in_line
        self._laid = laid

    def text(self, entry: Entry) -> str:
        """The text of this entry, to be put after all before it."""
        match entry:
            case Flip():
                return self._flip_text(entry)
            case Laid(layers=layers):
                start = " " if self._in_line else "| "
                self._in_line = True
                self._laid += len(layers)
                return f"{start}{_layers_text(layers)} |"
        start = "\n" if self._in_line else ""
        self._in_line = False
        if isinstance(entry, Note):
            if entry.word in TAKING_BACK:
                self._laid = 0
            return f"{start}{entry.word}: {entry.value}".rstrip() + "\n"
        return f"{start}result: {self._outcome_text(entry)}\n"

    def _flip_text(self, flip: Flip) -> str:
        if flip.begins:
            start = "\n" if self._in_line else ""
            start += "" if flip.round is None else f"{flip.round}. "
        else:
            start = " " if self._in_line else "| "
        layers = flip.layers if flip.begins else flip.layers[self._laid :]
        self._laid = 0
        self._in_line = flip.ended is False
        end = " |" if flip.ended is False else "\n"
        if flip.ended:
            end = f" > {self._name(flip.winner)}\n"
        return start + _layers_text(layers) + end

    def _outcome_text(self, outcome: Outcome) -> str:
        winners = map(self._name, outcome.winners or (None,))
        rounds = outcome.rounds
        how = (
            () if outcome.reason is None else (outcome.reason,),
            () if rounds is None else (f"{rounds} round{'' if rounds == 1 else 's'}",),
        )
        return ", ".join([*winners, *how[0], *how[1]])

    def _name(self, seat: int | None) -> str:
        return NOBODY if seat is None else self.players[seat]


def write(rules: Rules, events: Iterable[Event]) -> Iterator[str]:
    """The record of a game whose cards are all known, line by line, each with its new line."""
    players: tuple[str, ...] = ()
    for event in events:
        match event:
            case Deal(players=players, piles=piles, seed=seed, game=game):
                yield head_text(
                    Head(rules=rules, players=players, piles=piles, seed=seed, game=game)
                )
            case Round(round=number, layers=layers, winner=winner):
                taker = NOBODY if winner is None else players[winner]
                yield f"{number}. {_layers_text(layers)} > {taker}\n"
            case Result(winners=winners, reason=reason, rounds=rounds):
                yield Writer(players).text(Outcome(winners, reason, rounds))


def head_text(head: Head) -> str:
    """The head of a record, with the line that ends it."""
    rules = head.rules
    built_in = rules.name in profiles() and rules_of(rules.name) == rules
    lines = [
        f"war: {VERSION}",
        f"rules: {rules.name}" if built_in else "rules:\n" + indent(as_yaml(rules), "  ").rstrip(),
        f"players: {_flow(list(head.players))}",
    ]
    if head.piles is not None:
        piles = zip(head.players, map(" ".join, head.piles), strict=True)
        lines.append(f"deal: {_flow(dict(piles))}")
    if head.seed is not None:
        lines.append(f"seed: {head.seed}")
    if head.game:
        lines.append(f"game: {head.game}")
    if head.started is not None:
        lines.append(f"started: {head.started.isoformat(timespec='seconds')}")
    return "\n".join([*lines, "---\n"])


def _flow(value: list[str] | dict[str, str]) -> str:
    """The value as YAML on one line."""
    return yaml.safe_dump(
        value, default_flow_style=True, allow_unicode=True, sort_keys=False, width=1 << 30
    ).strip()


def _layers_text(layers: Iterable[Layer]) -> str:
    return " | ".join(map(_layer_text, layers))


def _layer_text(layer: Layer) -> str:
    if layer.face == "up":
        return " ".join(NOBODY if card is None else card for card in layer.cards)
    return " ".join(NOBODY if card is None else f"({card})" for card in layer.cards)


def clock_text(seconds: float) -> str:
    """A time on the game clock, in whole seconds: `12:31`, or `1:02:03` from an hour on."""
    minutes, second = divmod(int(seconds), 60)
    hour, minute = divmod(minutes, 60)
    return f"{hour}:{minute:02}:{second:02}" if hour else f"{minute}:{second:02}"


def read_clock(text: str) -> int:
    """The seconds of a time on the game clock. Raises ValueError when it is none."""
    if not re.fullmatch(r"([0-9]{1,5}:)?[0-9]{1,5}:[0-5][0-9]", text):
        raise ValueError(say("{text} is no time such as 12:31 or 1:02:03", text=repr(text)))
    seconds = 0
    for part in text.split(":"):
        seconds = seconds * 60 + int(part)
    return seconds
