"""The rulings in `cases/`, each played and compared with what the case says must happen.

A case is data that a person who doubts a ruling can read; `cases/README.md` says how. The files in
`cases/sources/` list the rule sentences of every source document, each with the cases that check
it, so that no sentence goes without.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterator
from pathlib import Path
from typing import Any, Literal

import msgspec
import pytest
import yaml
from msgspec import UNSET, Struct, UnsetType

from warcli import rulesfile
from warcli.deal import deal
from warcli.events import Event, Layer, Result, Round
from warcli.game import Game
from warcli.generator import Generator
from warcli.rules import Rules
from warcli.simulation import play

CASES = Path(__file__).parent / "cases"
SEATS = "ABCDEFGH"

Shuffle = Callable[[tuple[str, ...]], tuple[str, ...]]
SHUFFLES: dict[str, Shuffle] = {
    "sorted": lambda cards: tuple(sorted(cards)),
    "sorted backwards": lambda cards: tuple(sorted(cards, reverse=True)),
}
"""What a case may put in the place of chance: orders that only depend on which cards there are."""


class _Data(Struct, forbid_unknown_fields=True):
    """What a case file may hold; anything else in it fails the test."""


class ExpectedRound(_Data):
    """What must happen in a round; what isn't given isn't compared."""

    laid: str | UnsetType = UNSET
    """The layers as in a game record: `9♣ 9♥ | (3♦) (K♠) | Q♦ 7♣`."""
    takes: str | UnsetType = UNSET
    """The seat that takes the table, or `nobody`."""
    captured: str | UnsetType = UNSET
    """The block in the order in which it goes under the pile."""
    sizes: list[int] | UnsetType = UNSET
    out: str | UnsetType = UNSET
    """The seats that shortage puts out, in order, or `nobody`."""


class ExpectedResult(_Data):
    """How the game must end. Without `winners` it is drawn."""

    reason: str
    rounds: int
    winners: str = ""
    sizes: list[int] | UnsetType = UNSET
    first_seen: int | UnsetType = UNSET


class Dealing(_Data):
    """A pack already shuffled, and the piles that dealing it must make."""

    pack: str
    piles: dict[str, str]
    leftover: str = ""


class Stopped(_Data):
    """The players stop after a round."""

    after: int
    reason: Literal["time-limit", "abandoned"]


class Case(_Data):
    """One ruling."""

    source: str
    says: str
    rules: str | dict[str, Any]
    piles: dict[str, str] = {}
    shuffle: Literal["sorted", "sorted backwards"] | UnsetType = UNSET
    dealing: Dealing | UnsetType = UNSET
    dealt: list[int] | UnsetType = UNSET
    """How many cards each seat is dealt from the whole pack."""
    rounds: dict[int, ExpectedRound | str] = {}
    """By number; a text alone is `laid`, then ` > `, then who takes."""
    stopped: Stopped | UnsetType = UNSET
    result: ExpectedResult | UnsetType = UNSET


class Sentence(_Data):
    """One rule sentence of a document, in our own words, and the cases that check it."""

    says: str
    cases: list[str]


class Source(_Data):
    """The rule sentences of one document, section by section."""

    document: str
    sections: dict[str, list[Sentence]]
    no_rule: dict[str, str]
    """What else the document says, and why no game can break it."""


class _EveryKeyOnce(yaml.SafeLoader):
    """PyYAML keeps the last of two equal keys in silence: a case could be lost."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:
        keys = [key.value for key, _ in node.value]
        twice = {key for key in keys if keys.count(key) > 1}
        if twice:
            raise ValueError(f"{node.start_mark}: twice in one mapping: {', '.join(sorted(twice))}")
        return super().construct_mapping(node, deep)


def _read(path: Path) -> Any:
    return yaml.load(path.read_text(encoding="utf-8"), _EveryKeyOnce)


def _cases() -> dict[str, Case]:
    found: dict[str, Case] = {}
    for path in sorted(CASES.glob("*.yaml")):
        for name, data in _read(path).items():
            assert name not in found, f"{path.name}: a second case is called {name}"
            try:
                found[name] = msgspec.convert(data, Case)
            except msgspec.ValidationError as error:
                raise ValueError(f"{path.name}: {name}: {error}") from error
    return found


def _sources() -> Iterator[Source]:
    for path in sorted((CASES / "sources").glob("*.yaml")):
        yield msgspec.convert(_read(path), Source)


ALL_CASES = _cases()
ALL_SOURCES = list(_sources())


@pytest.mark.parametrize("name", ALL_CASES)
def test_a_ruling(name: str, tmp_path: Path) -> None:
    case = ALL_CASES[name]
    rules = _rules(case, tmp_path)
    assert case.dealing or case.dealt or case.rounds or case.result, "the case expects nothing"
    if case.dealing:
        _check_dealing(rules, case.dealing)
    if case.dealt:
        dealt = deal(rules, Generator(1))
        assert [len(pile) for pile in dealt.piles] == case.dealt
        everything = [card for pile in (*dealt.piles, dealt.leftover) for card in pile]
        assert sorted(everything) == sorted(rules.pack.cards)
    if case.rounds or case.result:
        _check_game(rules, case)


def _rules(case: Case, folder: Path) -> Rules:
    """The rules as a user would have them: a profile by name, or a file that extends one."""
    if isinstance(case.rules, str):
        return rulesfile.load(case.rules)
    house_rules = folder / "rules.yaml"
    house_rules.write_text(yaml.safe_dump(case.rules, allow_unicode=True), encoding="utf-8")
    return rulesfile.load(str(house_rules))


class _Stacked(Generator):
    """A generator whose shuffle gives the pack in an order known beforehand."""

    def __init__(self, pack: tuple[str, ...]) -> None:
        super().__init__(0)
        self._pack = pack

    def shuffle(self, items: tuple[Any, ...]) -> tuple[Any, ...]:
        assert sorted(items) == sorted(self._pack), "the case must give the whole pack"
        return self._pack


def _check_dealing(rules: Rules, dealing: Dealing) -> None:
    dealt = deal(rules, _Stacked(_cards(rules, dealing.pack)))
    assert dealt.piles == _piles(rules, dealing.piles)
    assert dealt.leftover == _cards(rules, dealing.leftover)


def _check_game(rules: Rules, case: Case) -> None:
    piles = _piles(rules, case.piles)
    shuffle = SHUFFLES[case.shuffle] if case.shuffle else None
    last = max(case.rounds, default=0) if case.result is UNSET else None
    happened: dict[int, Round] = {}
    result: Result | None = None
    if case.stopped is UNSET:
        events = play(rules, piles, shuffle)
    else:
        events = _until_stopped(Game(rules, piles, shuffle), case.stopped)
    for event in events:
        if isinstance(event, Round):
            happened[event.round] = event
            if event.round == last:
                break
        else:
            assert isinstance(event, Result)
            result = event
    for number, expected in case.rounds.items():
        assert number in happened, f"the game was over before round {number}"
        _check_round(rules, happened[number], expected)
    if case.result is not UNSET:
        assert result is not None
        _check_result(result, case.result)


def _until_stopped(game: Game, stopped: Stopped) -> Iterator[Event]:
    """A game as at a table, where it can be stopped between rounds."""
    while game.rounds < stopped.after or game.laid:
        assert game.due is not None, "the game was over before it could be stopped"
        ended = game.turn_up(game.due.slots)
        if ended is not None:
            yield ended
    yield game.stop(stopped.reason)


def _check_round(rules: Rules, happened: Round, expected: ExpectedRound | str) -> None:
    if isinstance(expected, str):
        laid, takes = expected.split(" > ")
        expected = ExpectedRound(laid=laid, takes=takes)
    where = f"round {happened.round}"
    if expected.laid is not UNSET:
        assert _as_written(happened.layers) == _layers(rules, expected.laid), where
    if expected.takes is not UNSET:
        winner = [] if happened.winner is None else [happened.winner]
        assert winner == _seats(expected.takes), where
    if expected.captured is not UNSET:
        assert happened.captured == _cards(rules, expected.captured), where
    if expected.sizes is not UNSET:
        assert list(happened.sizes) == expected.sizes, where
    if expected.out is not UNSET:
        assert list(happened.out) == _seats(expected.out), where


def _check_result(result: Result, expected: ExpectedResult) -> None:
    assert result.reason == expected.reason
    assert list(result.winners) == _seats(expected.winners)
    assert result.rounds == expected.rounds
    assert result.first_seen == expected.first_seen
    if expected.sizes is not UNSET:
        assert list(result.sizes) == expected.sizes


def _seats(names: str) -> list[int]:
    return [] if names == "nobody" else [SEATS.index(name) for name in names.split()]


def _cards(rules: Rules, text: str) -> tuple[str, ...]:
    return tuple(rules.pack.read(word) for word in text.split())


def _piles(rules: Rules, piles: dict[str, str]) -> tuple[tuple[str, ...], ...]:
    assert "".join(piles) == SEATS[: rules.players], "one pile for each seat, in order"
    return tuple(_cards(rules, pile) for pile in piles.values())


def _as_written(layers: tuple[Layer, ...]) -> list[list[str]]:
    """Layers as a case writes them, so that a difference can be read."""
    return [
        [
            "-" if card is None else card if layer.face == "up" else f"({card})"
            for card in layer.cards
        ]
        for layer in layers
    ]


def _layers(rules: Rules, laid: str) -> list[list[str]]:
    return [[_entry(rules, word) for word in layer.split()] for layer in laid.split(" | ")]


def _entry(rules: Rules, word: str) -> str:
    if word == "-":
        return word
    card = rules.pack.read(word.strip("()"))
    return f"({card})" if word.startswith("(") else card


def _sentences() -> Iterator[tuple[str, str, Sentence]]:
    for source in ALL_SOURCES:
        for section, sentences in source.sections.items():
            for sentence in sentences:
                yield source.document, section, sentence


@pytest.mark.parametrize(
    ("document", "section", "sentence"),
    [pytest.param(*entry, id=f"{entry[0]}, {entry[1]}: {entry[2].says}") for entry in _sentences()],
)
def test_every_rule_sentence_has_its_case(document: str, section: str, sentence: Sentence) -> None:
    assert sentence.cases, f"{document}, {section}: nothing checks: {sentence.says}"
    for name in sentence.cases:
        assert name in ALL_CASES, f"there is no case {name}"
        cited = ALL_CASES[name].source
        for part in document.split(" and "):
            assert part in cited, f"{name} doesn't name {part} as a source, but {cited}"


def test_every_case_checks_a_sentence_that_is_listed() -> None:
    named = {name for _, _, sentence in _sentences() for name in sentence.cases}
    assert sorted(ALL_CASES.keys() - named) == []


def test_the_four_documents_and_the_law_are_listed() -> None:
    assert {source.document for source in ALL_SOURCES} == {
        "seeds/000 and seeds/003",
        "seeds/001",
        "seeds/004",
        "rules.md",
    }


@pytest.mark.parametrize(
    "broken",
    [
        "says: no source",
        "{source: x, says: y, rules: english, pilse: {A: 9♣, B: 8♣}}",
        "{source: x, says: y, rules: english, rounds: {1: {lade: 9♣ 8♣}}}",
        "{source: x, says: y, rules: english, rounds: {one: 9♣ 8♣ > A}}",
        "{source: x, says: y, rules: english, result: {reason: collected, rounds: many}}",
        "{source: x, says: y, rules: english, shuffle: well}",
    ],
)
def test_a_misspelt_case_is_refused(broken: str) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(yaml.safe_load(broken), Case)


def test_a_key_given_twice_is_refused() -> None:
    with pytest.raises(ValueError, match="twice in one mapping: says"):
        yaml.load("{source: x, says: y, says: z}", _EveryKeyOnce)


def test_cases_are_named_in_plain_words() -> None:
    assert [name for name in ALL_CASES if not re.fullmatch(r"[a-z0-9-]+", name)] == []
