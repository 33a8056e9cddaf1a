"""Reading game records (see `record`), from the program as from a pencil.

Reading is generous: suits, spaces, capitals, round numbers and who took the table may be left
out, a name may be shortened, `?` is a card that nobody saw. What can't be read is never guessed
at: every such line is a problem of its own.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from datetime import datetime
from difflib import get_close_matches
from pathlib import Path
from typing import get_args

import yaml

from warcli.cards import Card, Pack, UnknownCard
from warcli.deal import deal as dealt
from warcli.dealfile import BadDeal, SuppliedDeal, deal_in
from warcli.diagnostics import Problem
from warcli.events import Face, Layer, Reason
from warcli.generator import MAX_SEED, Generator
from warcli.players import BadName, check_names
from warcli.record import (
    TAKING_BACK,
    UNKNOWN,
    VERSION,
    WORDS,
    Entry,
    Flip,
    Head,
    Laid,
    Note,
    Outcome,
    Record,
)
from warcli.referee.typed import readings
from warcli.rules import Rules
from warcli.rulesfile import RulesFileError, profiles, rules_in
from warcli.rulesfile import load as rules_of
from warcli.simulation import default_players
from warcli.spoken import either
from warcli.words import say, say_count
from warcli.yamlfile import LARGEST as LARGEST_HEAD
from warcli.yamlfile import Faulty, Place, Source, Unreadable, compose, read_standard_input
from warcli.yamlfile import read as read_text


class BadRecord(ValueError):
    """A record that can't be read: `str()` is the whole diagnosis, for a person."""

    def __init__(self, problems: Sequence[str]) -> None:
        super().__init__("\n\n".join(problems))
        self.problems = tuple(problems)
        """One diagnosis a problem, each beginning with `file:line:`."""


LARGEST = 64 * 1024 * 1024
"""The most bytes that a record may have: room for a million rounds."""

_HEAD_END = re.compile(r"^-{3,}[ \t]*(?:#.*)?\r?$", re.MULTILINE)
_MOST_PROBLEMS = 50
"""After so many problems the file is something else than a record."""

_HEAD_KEYS = ("war", "rules", "players", "deal", "seed", "game", "started")


def load(path: Path) -> Record:
    """The record in a file; `-`: standard input. Raises BadRecord."""
    try:
        source = read_standard_input(LARGEST) if str(path) == "-" else read_text(path, LARGEST)
    except Unreadable as why:
        raise BadRecord([str(Problem(path=str(path), message=str(why)))]) from None
    return read(source)


def read(source: Source) -> Record:
    """The record that a text holds. Raises BadRecord, which has every problem with its line."""
    end = _HEAD_END.search(source.text)
    if end is not None and not source.text[: end.start()].strip():
        end = _HEAD_END.search(source.text, end.end())  # YAML's own first line was meant
    if end is None:
        message = say("this is no game record: no line --- stands between its head and its rounds")
        raise BadRecord([str(Problem(path=source.path, message=message))])
    above = source.text[: end.start()]
    reader = _HeadReader(Source(source.path, above))
    head = reader.head()
    lines = _Entries(head.rules, head.players)
    entries: list[Entry] = []
    problems: list[str] = []
    first = above.count("\n") + 2
    for number, written in enumerate(source.text[end.end() :].split("\n")[1:], first):
        try:
            entries += lines.read(written, number)
        except _Unclear as unclear:
            place = written.find(unclear.part)
            width = len(unclear.part) or len(written.rstrip())
            where = Place(number, max(place, 0) + 1, width)
            problems.append(str(source.problem(where, str(unclear), advice=unclear.advice)))
            if len(problems) == _MOST_PROBLEMS:
                message = say("so many lines cannot be read that the rest is not looked at")
                problems.append(str(source.problem(Place(number), message)))
                break
    if problems:
        raise BadRecord(problems)
    entries += lines.laid()
    return Record(head, tuple(entries), reader.lines(), in_line=not source.text.endswith("\n"))


# The head


class _HeadReader:
    """Reads the head, and gathers what is wrong with it."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.problems: list[str] = []
        self.nodes: dict[str, yaml.Node] = {}

    def head(self) -> Head:
        """Raises BadRecord."""
        self._read_keys()
        self._check_version()
        rules = self._rules()
        deal = players = None
        if rules is not None:
            deal = self._deal(rules)
            players = self._players(rules, deal)
        seed = self._number("seed")
        game = self._number("game")
        started = self._started()
        if self.problems or rules is None or players is None:
            raise BadRecord(self.problems)
        piles = None
        if deal is not None:
            piles = self._piles(players, deal)
        elif seed is not None:
            piles = dealt(rules, Generator(seed, game or 0)).piles
        return Head(
            rules=rules,
            players=players,
            piles=piles,
            seed=seed,
            game=game or 0,
            started=started,
        )

    def lines(self) -> dict[str, int]:
        """Where each key's value stands."""
        return {key: node.start_mark.line + 1 for key, node in self.nodes.items()}

    def _read_keys(self) -> None:
        if len(self.source.text) > LARGEST_HEAD:
            raise BadRecord(
                [str(self.source.problem(Place(), say("the head is too long to be one")))]
            )
        try:
            root = compose(self.source)
        except Faulty as fault:
            raise BadRecord([str(fault.problem)]) from None
        if not isinstance(root, yaml.MappingNode):
            message = say(
                "the head of a game record is made of lines such as {example}",
                example="rules: krig",
            )
            raise BadRecord([str(self.source.problem(Place(), message))])
        for key, value in root.value:
            name = key.value if isinstance(key, yaml.ScalarNode) else ""
            if name not in _HEAD_KEYS:
                near = get_close_matches(name.casefold(), _HEAD_KEYS, n=1)
                self._fault(
                    key,
                    say("{key} is no key of a record's head", key=repr(name)),
                    allowed=", ".join(_HEAD_KEYS),
                    advice=say("did you mean {near}?", near=near[0]) if near else "",
                )
            elif name in self.nodes:
                self._fault(key, say("{key} is given twice; keep one", key=name))
            else:
                self.nodes[name] = value

    def _fault(self, node: yaml.Node, message: str, *, allowed: str = "", advice: str = "") -> None:
        self.problems.append(
            str(self.source.problem(node, message, allowed=allowed, advice=advice))
        )

    def _check_version(self) -> None:
        node = self.nodes.get("war")
        if node is not None and node.value != str(VERSION):
            self._fault(
                node,
                say("this is no version of the format that can be read here"),
                allowed=str(VERSION),
            )

    def _rules(self) -> Rules | None:
        node = self.nodes.get("rules")
        if node is None:
            message = say("the head doesn't say by which rules this was played")
            advice = say("add a line such as {example}", example="rules: english")
            self.problems.append(str(self.source.problem(Place(), message, advice=advice)))
            return None
        try:
            if isinstance(node, yaml.MappingNode):
                return rules_in(self.source, node)
            if node.value in profiles():
                return rules_of(node.value)
        except RulesFileError as faults:
            self.problems += map(str, faults.problems)
            return None
        near = get_close_matches(str(node.value).casefold(), profiles(), n=1)
        self._fault(
            node,
            say("there are no built-in rules of this name"),
            allowed=say("one of {profiles}, or whole rules", profiles=", ".join(profiles())),
            advice=say("did you mean {near}?", near=near[0]) if near else "",
        )
        return None

    def _deal(self, rules: Rules) -> SuppliedDeal | None:
        node = self.nodes.get("deal")
        if node is None:
            return None
        try:
            return deal_in(self.source, node, rules)
        except BadDeal as why:
            self.problems.append(str(why))
            return None

    def _players(self, rules: Rules, deal: SuppliedDeal | None) -> tuple[str, ...] | None:
        node = self.nodes.get("players")
        if node is None:
            return default_players(rules) if deal is None else deal.players
        entries = node.value if isinstance(node, yaml.SequenceNode) else [node]
        if not all(isinstance(entry, yaml.ScalarNode) for entry in entries):
            self._fault(
                node, say("these are no names"), allowed=say("a list: {list}", list="[Ana, Luis]")
            )
            return None
        names = [name for entry in entries for name in str(entry.value).split(",")]
        try:
            players = check_names(names, rules)
        except BadName as why:
            self._fault(node, str(why))
            return None
        if deal is not None and sorted(deal.players) != sorted(players):
            self._fault(
                node,
                say(
                    "the players are {players}, but the deal is for {dealt}",
                    players=", ".join(players),
                    dealt=", ".join(deal.players),
                ),
            )
            return None
        return players

    def _piles(self, players: tuple[str, ...], deal: SuppliedDeal) -> tuple[tuple[Card, ...], ...]:
        return tuple(deal.piles[deal.players.index(player)] for player in players)

    def _number(self, key: str) -> int | None:
        node = self.nodes.get(key)
        if node is None:
            return None
        if re.fullmatch("[0-9]{1,20}", str(node.value)) and int(node.value) <= MAX_SEED:
            return int(node.value)
        self._fault(node, say("this is no seed or game number"), allowed=f"0 … {MAX_SEED}")
        return None

    def _started(self) -> datetime | None:
        node = self.nodes.get("started")
        if node is None:
            return None
        try:
            return datetime.fromisoformat(str(node.value))
        except ValueError:
            self._fault(
                node,
                say("this is no date and time"),
                allowed=say("such as {example}", example="2026-05-01T19:30:00+02:00"),
            )
            return None


# The entries

_ROUND_NUMBER = re.compile(r"\s*([0-9]{1,9})\s*[.):]")
_NOTE = re.compile(r"\s*([^\W\d_]+)\s*:(.*)", re.DOTALL)
_TOKEN = re.compile(r"[()\[\]]|[^\s,()\[\]]+")
_DASHES = frozenset("-–—")


class _Unclear(ValueError):
    """A line can't be read: why, which part of it, and what to write instead."""

    def __init__(self, message: str, part: str = "", advice: str = "") -> None:
        super().__init__(message)
        self.part = part
        self.advice = advice


class _Entries:
    """The lines below the head, read one after the other."""

    def __init__(self, rules: Rules, players: Sequence[str]) -> None:
        self.rules = rules
        self.pack: Pack = rules.pack
        self.players = players
        # What was read of a text so far: a game repeats itself.
        self._layers: dict[str, Layer] = {}
        self._seats: dict[str, int | None] = {}
        self._laid: Laid | None = None  # by the lines so far, for a flip that is still to come

    def read(self, written: str, line: int) -> list[Entry]:
        """The entries of one line; none, if it is empty or a comment. Raises _Unclear."""
        text = written.partition("#")[0] if "#" in written else written
        if ":" in text and (note := _NOTE.fullmatch(text)):
            entry = self._note(note[1].casefold(), note[2].strip(), line)
            stays = isinstance(entry, Note) and entry.word not in TAKING_BACK
            return [entry] if stays else [*self.laid(), entry]
        if not text or text.isspace():
            return []
        return self._round(text, line)

    def laid(self) -> list[Entry]:
        """What was laid face down for a flip that doesn't come, if anything was."""
        laid, self._laid = self._laid, None
        return [] if laid is None else [laid]

    def _note(self, word: str, value: str, line: int) -> Entry:
        if word == "result":
            return self._outcome(value, line)
        if word not in WORDS:
            known = (*WORDS, "result")
            near = get_close_matches(word, known, n=1)
            raise _Unclear(
                say(
                    "{word} is no word that a record knows (it knows {words})",
                    word=word,
                    words=", ".join(known),
                ),
                word,
                say("did you mean {near}?", near=near[0]) if near else "",
            )
        return Note(word, value, line)

    def _round(self, text: str, line: int) -> list[Entry]:
        number = None
        if numbered := _ROUND_NUMBER.match(text):
            number = int(numbered[1])
            text = text[numbered.end() :]
        laid, arrow, taker = text.partition(">")
        parts = laid.split("|")
        begins = len(parts) == 1 or bool(parts[0].strip())
        if not begins:
            del parts[0]
        ended: bool | None = True if arrow else None
        if not arrow and len(parts) > 1 and not parts[-1].strip():
            del parts[-1]
            ended = False
        layers = [self._layers.get(part) or self._layer(part) for part in parts]
        if UNKNOWN in laid:
            self._check_brackets(parts, layers, begins=begins)
        winner = self._taker(taker) if arrow else None
        if begins and layers[0].face == "down":
            raise _Unclear(
                say("a round begins with cards turned up"),
                advice=say("begin the line with | if it goes on with the war above it"),
            )
        entries: list[Entry] = []
        if begins:
            entries += self.laid()
        elif self._laid is not None:
            layers = [*self._laid.layers, *layers]
            self._laid = None
        if len(layers) == 1 and layers[0].face == "up":
            return [*entries, Flip(number, (layers[0],), begins, ended, winner, line)]
        if not arrow:
            up = max((at for at, layer in enumerate(layers, 1) if layer.face == "up"), default=0)
            if layers[up:]:
                self._laid = Laid(tuple(layers[up:]), line)
                del layers[up:]
            if not layers:
                return entries
        *wars, last = _parted(layers)
        for war in wars:
            entries.append(Flip(number, tuple(war), begins, False, None, line))
            begins = False
        entries.append(Flip(number, tuple(last), begins, ended, winner, line))
        return entries

    def _taker(self, name: str) -> int | None:
        if name not in self._seats:
            self._seats[name] = self.seat(name)
        return self._seats[name]

    def _check_brackets(
        self, parts: Sequence[str], layers: Sequence[Layer], *, begins: bool
    ) -> None:
        """Cards that nobody saw, in the middle of a war, lie face down where the rules lay some
        face down first. Raises _Unclear."""
        if not self.rules.war_face_down or self.rules.shortage == "fewer-down":
            return
        for place, layer in enumerate(layers[:-1]):
            unseen = layer.face == "up" and {*layer.cards} <= {UNKNOWN, None}
            first = begins if place == 0 else layers[place - 1].face == "down"
            if unseen and not first:
                raise _Unclear(
                    say("nobody saw these cards, but they are written as if they lay face up"),
                    parts[place].strip(),
                    say("write {example} for cards that lie face down", example=self._unseen()),
                )

    def _unseen(self, layers: int = 1) -> str:
        """Layers that nobody saw, as they are written."""
        return " | ".join([" ".join([f"({UNKNOWN})"] * len(self.players))] * layers)

    def _layer(self, text: str) -> Layer:
        cards: list[Card | None] = []
        faces: set[Face] = set()
        inside = False
        for token in _TOKEN.findall(text):
            if token in "()[]":
                if inside == (token in "(["):
                    raise _Unclear(say("a bracket is missing beside this one"), token)
                inside = not inside
            elif token in _DASHES:
                cards.append(None)
            else:
                faces.add("down" if inside else "up")
                unseen = token.count(UNKNOWN) == len(token)
                cards += [UNKNOWN] * len(token) if unseen else [self._card(token)]
        if inside:
            raise _Unclear(say("a bracket is missing here"), text.strip())
        if len(faces) > 1:
            raise _Unclear(
                say("some cards lie face down (in brackets) here and some face up"),
                text.strip(),
                say("put | between what is laid face down and what is turned up after it"),
            )
        if len(cards) != len(self.players):
            raise _Unclear(
                say_count(
                    "{count} card where there are {seats} players",
                    "{count} cards where there are {seats} players",
                    len(cards),
                    seats=len(self.players),
                ),
                text.strip(),
                say("write one a player, and - for a player who laid none")
                if faces != {"down"}
                else say(
                    "write one a player and a layer, with | between layers, such as {example}",
                    example=self._unseen(min(self.rules.war_face_down, 3) or 1),
                ),
            )
        if not faces:
            raise _Unclear(say("nobody lays a card here"), text.strip())
        layer = Layer(faces.pop(), tuple(cards))
        self._layers[text] = layer
        return layer

    def _card(self, token: str) -> Card:
        try:
            return self.pack.read(token)
        except UnknownCard as problem:
            raise _Unclear(str(problem), token, self._meant(token)) from None

    def _meant(self, token: str) -> str:
        """What to write instead of something that is no card; empty if nobody knows."""
        if token.isdecimal():
            return say(
                "if this is the number of the round, put a dot after it: {number}.", number=token
            )
        if token.casefold() in map(str.casefold, self.players):
            return say("write > before who took the cards, and # before a remark")
        for count in range(2, len(self.players) + 1):
            if found := readings(self.pack, token, count):
                cards = " ".join(found[0])
                return say("put a blank between the cards, such as {cards}", cards=cards)
        return ""

    def _outcome(self, value: str, line: int) -> Outcome:
        parts = [part.strip() for part in value.split(",")]
        rounds = None
        if counted := re.fullmatch(r"([0-9]{1,9})(\s+rounds?)?", parts[-1]):
            rounds = int(counted[1])
            parts.pop()
        reason: Reason | None = None
        if parts and parts[-1].casefold() in _REASONS:
            reason = _REASONS[parts.pop().casefold()]
        if not parts:
            raise _Unclear(
                say("the result names nobody"),
                value,
                say("write who won, or - for nobody, before the reason"),
            )
        if len(parts) == 1 and parts[0].casefold() in _NOBODY_WINS and parts[0] not in self.players:
            return Outcome((), reason, rounds, line)
        winners = sorted(self._winner(part) for part in parts)
        if len(set(winners)) < len(winners):
            raise _Unclear(say("the result names a player twice"), value)
        return Outcome(tuple(winners), reason, rounds, line)

    def _winner(self, name: str) -> int:
        seat = self.seat(name)
        if seat is None:
            raise _Unclear(say("the result names a player and nobody at once"), name)
        return seat

    def seat(self, name: str) -> int | None:
        """The seat of a player's name, or of its beginning where only one begins so; None for
        nobody. Raises _Unclear."""
        plain = unicodedata.normalize("NFC", name.strip()).casefold()
        if plain in _DASHES:
            return None
        names = [unicodedata.normalize("NFC", player).casefold() for player in self.players]
        if plain in names:
            return names.index(plain)
        begun = [seat for seat, player in enumerate(names) if plain and player.startswith(plain)]
        if len(begun) == 1:
            return begun[0]
        raise _Unclear(
            say(
                "{name} is no player's name (they are {players})",
                name=repr(name.strip()),
                players=", ".join(self.players),
            )
            if not begun
            else say(
                "{name} can be {players}",
                name=repr(name.strip()),
                players=either([self.players[seat] for seat in begun]),
            ),
            name.strip(),
        )


def _parted(layers: list[Layer]) -> list[list[Layer]]:
    """The layers of a line, parted after each face-up one; the last part can have more."""
    ups = [place for place, layer in enumerate(layers) if layer.face == "up"]
    if not ups:
        raise _Unclear(say("no card is turned up here"))
    starts = [0, *(up + 1 for up in ups[:-1])]
    return [layers[start:end] for start, end in zip(starts, [*starts[1:], None], strict=True)]


_REASONS: dict[str, Reason] = {reason: reason for reason in get_args(Reason)}
_NOBODY_WINS = frozenset({*_DASHES, "draw", "drawn", "nobody"})
