"""The built-in profiles, and the families' house rules in examples/."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from warcli.deal import deal
from warcli.game import Game
from warcli.generator import Generator
from warcli.rules import Rules
from warcli.rulesfile import check, load, profiles, written

ROOT = Path(__file__).parent.parent
HOUSES = sorted((ROOT / "examples" / "house-rules").glob("*.yaml"))
USUAL = "A K Q J 10 9 8 7 6 5 4 3 2"


def test_every_profile_is_there() -> None:
    assert set(profiles()) == {
        "english", "krig", "krig-rounds", "guerra", "pyanitsa", "pyanitsa-direct", "pyanitsa-shed",
        "three-down", "shuffled-captures", "three-players", "bataille", "bataille-32",
        "bataille-jokers", "last-card", "aside",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("name", "particulars"),
    [
        (
            "english",
            {
                "deck_size": 52, "rank_order": USUAL, "war_face_down": 1,
                "capture_order": "own-first", "shortage": "first-out-loses", "round_limit": "none",
                "repetition": "draw", "limit_result": "draw", "time_limit": "none", "players": 2,
                "won_cards": "under", "goal": "collect",
            },
        ),
        (
            "krig",
            {
                "deck_size": 52, "rank_order": USUAL, "war_face_down": 1,
                "capture_order": "own-first", "shortage": "first-out-loses", "round_limit": "none",
                "repetition": "play-on",
            },
        ),
        ("krig-rounds", {"limit_result": "most-cards", "shortage": "first-out-loses"}),
        (
            "guerra",
            {
                "deck_size": 52, "rank_order": USUAL, "war_face_down": 1,
                "capture_order": "own-first", "shortage": "short-loses", "round_limit": 1000,
                "limit_result": "draw",
            },
        ),
        (
            "pyanitsa",
            {
                "deck_size": 36, "rank_order": "A K Q J 10 9 8 7 6", "war_face_down": 1,
                "rank_exceptions": "6 beats A", "goal": "collect",
            },
        ),
        ("pyanitsa-direct", {"deck_size": 36, "war_face_down": 0, "rank_exceptions": "6 beats A"}),
        ("pyanitsa-shed", {"deck_size": 36, "war_face_down": 1, "goal": "shed"}),
        ("three-down", {"war_face_down": 3, "round_limit": 1000, "shortage": "short-loses"}),
        ("shuffled-captures", {"capture_order": "shuffled", "round_limit": 1000}),
        ("three-players", {"players": 3, "round_limit": 1000, "war_between": "tied"}),
        ("bataille", {"deck_size": 52, "rank_order": USUAL, "war_face_down": 1, "jokers": 0}),
        ("bataille-32", {"deck_size": 32, "rank_order": "A K Q J 10 9 8 7"}),
        ("bataille-jokers", {"deck_size": 54, "jokers": 2, "rank_order": f"Joker {USUAL}"}),
        ("last-card", {"shortage": "last-card-stands"}),
        ("aside", {"won_cards": "aside-shuffled"}),
    ],
)  # fmt: skip
def test_a_profile_has_the_particulars_of_its_source(
    name: str, particulars: dict[str, object]
) -> None:
    rules = load(name)
    assert rules.name == name
    for key, expected in particulars.items():
        value = getattr(rules, key)
        assert (" ".join(value) if isinstance(value, tuple) else value) == expected, key


def test_the_round_limit_of_krig_rounds_is_the_tables_to_agree() -> None:
    assert load("krig-rounds").last_round is not None
    assert "The players agree on the number before the deal" in written("krig-rounds").text


@pytest.mark.parametrize("name", profiles())
def test_a_profile_says_where_it_comes_from_and_what_that_leaves_open(name: str) -> None:
    head = written(name).text.split("description:")[0]
    assert "# Source: " in head
    assert "seeds/" in head or "public collections of rules" in head
    assert load(name).description
    assert re.search("[Ll]eft open|leaves? open", written(name).text)


@pytest.mark.parametrize("name", profiles())
def test_a_profile_is_warned_of_nothing_but_its_own_game(name: str) -> None:
    """Only games that nothing ends, circles of ranks, and the odd card of three players."""
    checked = check(name)
    assert checked.errors == ()
    said = {
        "krig": ["for ever"],
        "last-card": ["for ever"],
        "bataille": ["for ever"],
        "bataille-32": ["for ever"],
        "bataille-jokers": ["for ever"],
        "pyanitsa": ["circle", "for ever"],
        "pyanitsa-direct": ["for ever", "circle"],
        "pyanitsa-shed": ["for ever", "circle"],
        "three-players": ["1 card of 52"],
    }.get(name, [])
    assert len(checked.warnings) == len(said)
    for warning, part in zip(checked.warnings, said, strict=True):
        assert part in warning.message


@pytest.mark.parametrize("name", profiles())
def test_a_game_can_be_played_by_every_profile(name: str) -> None:
    assert_playable(load(name))


# Where they are found


def names_from(folder: Path, code_in: Path) -> list[str]:
    """The profiles that a fresh Python finds, in this folder, with the package in `code_in`."""
    code = (
        f"import sys, json; sys.path.insert(0, {str(code_in)!r})\n"
        "from warcli.rulesfile import load, profiles\n"
        "print(json.dumps([load(name).name for name in profiles()]))"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, check=True
    )
    found: list[str] = json.loads(ran.stdout)
    return found


def test_profiles_are_found_from_any_folder(tmp_path: Path) -> None:
    (tmp_path / "rules").mkdir()  # a folder that is called so by chance
    assert names_from(tmp_path, ROOT) == profiles()


def test_profiles_are_found_inside_an_installed_package(tmp_path: Path) -> None:
    """As a wheel has them: `rules/` becomes `warcli/profiles/` (pyproject.toml)."""
    shutil.copytree(ROOT / "warcli", tmp_path / "warcli")
    shutil.copytree(ROOT / "rules", tmp_path / "warcli" / "profiles")
    assert names_from(tmp_path, tmp_path) == profiles()


# House rules


def test_three_families_have_house_rules_of_different_keys() -> None:
    own = [set(load_keys(house)) for house in HOUSES]
    assert len(own) == 3
    for one in own:
        assert all(one - other for other in own if other is not one)


@pytest.mark.parametrize("house", HOUSES, ids=lambda house: house.stem)
def test_house_rules_are_valid_and_can_be_played(house: Path) -> None:
    rules = load(str(house))
    assert rules.name != house.stem
    assert rules.description
    assert_playable(rules)


def load_keys(house: Path) -> list[str]:
    lines = house.read_text(encoding="utf-8").splitlines()
    return [line.split(":")[0] for line in lines if line[:1].isalpha()]


def assert_playable(rules: Rules) -> None:
    generator = Generator(1, 0)
    game = Game(rules, deal(rules, generator).piles, generator.shuffle)
    for _ in range(300):
        if game.due is None:
            break
        game.turn_up(game.due.slots)
    assert game.rounds > 0
