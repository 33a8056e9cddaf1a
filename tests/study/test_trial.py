"""What trying rules out tells their author."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from msgspec.structs import replace

from warcli.rules import Rules
from warcli.rulesfile import load, profiles
from warcli.study.trial import trial

KRIG = load("krig")
AMPLE = 60.0
"""Seconds in which even a busy machine plays all the games of a trial."""


def test_captures_in_seat_order_are_seen_never_to_end() -> None:
    (remark,) = trial(replace(KRIG, capture_order="seat-order"), AMPLE)
    assert remark.keys[0] == "capture_order"
    assert remark.message.startswith("about 4 in 10 deals never end with capture_order: seat-order")
    assert "tried)" in remark.message
    assert "capture_order: own-first mends that (0 of " in remark.advice


def test_or_to_be_drawn_for_repetition() -> None:
    (remark,) = trial(replace(KRIG, capture_order="seat-order", repetition="draw"), AMPLE)
    assert remark.keys[0] == "capture_order"
    assert "4 in 10 deals repeat and are drawn" in remark.message


@pytest.mark.parametrize(
    ("rules", "key", "said"),
    [
        (replace(KRIG, round_limit=30), "round_limit", "nearly all games are drawn at this limit"),
        (replace(KRIG, war_face_down=10), "war_face_down", "too few cards"),
        (replace(KRIG, packs=4, deck_size=208), "round_limit", "games are very long"),
    ],
)
def test_other_surprises(rules: Rules, key: str, said: str) -> None:
    (remark,) = trial(rules, AMPLE)
    assert remark.keys[0] == key
    assert said in remark.message
    assert remark.advice


def test_only_what_helps_is_advised() -> None:
    many_wars = replace(KRIG, rank_order=("A",), deck_size=4)
    assert [remark.advice for remark in trial(many_wars, AMPLE)] == [
        "with fewer cards face down that is rarer; with shortage: last-card-stands players fight on"
    ]
    none_left = replace(many_wars, war_face_down=0, shortage="last-card-stands")
    assert [remark.advice for remark in trial(none_left, AMPLE)] == [""]


def test_a_clock_ends_what_would_never_end() -> None:
    assert trial(replace(KRIG, capture_order="seat-order", time_limit="30m"), AMPLE) == []


@pytest.mark.parametrize("name", profiles())
def test_the_profiles_surprise_nobody(name: str) -> None:
    assert trial(load(name), AMPLE) == []


@pytest.mark.parametrize("packs", [9, 10, 20, 100])
@pytest.mark.parametrize(
    "rules",
    [
        KRIG,
        replace(KRIG, capture_order="shuffled"),
        replace(KRIG, players=8),
        replace(KRIG, players=8, won_cards="aside-shuffled"),
    ],
    ids=["two", "shuffled", "eight", "eight-shuffled"],
)
def test_very_long_games_are_seen_however_large_the_pack_is(rules: Rules, packs: int) -> None:
    (remark,) = trial(replace(rules, packs=packs, deck_size=52 * packs), AMPLE)
    assert remark.keys == ("round_limit",)
    assert re.fullmatch(
        r"games are very long: (the first was not|1 was|\d+ were) over after 60,000 rounds.*",
        remark.message,
    )


def test_the_smallest_pack_is_tried_too() -> None:
    (remark,) = trial(replace(KRIG, deck_size=2, rank_order=("A",), suits=2), AMPLE)
    assert remark.keys == ("war_face_down", "shortage")
    assert "nearly all games end in a war that somebody has too few cards for" in remark.message


def test_without_time_nothing_is_said() -> None:
    assert trial(replace(KRIG, capture_order="seat-order"), seconds=0) == []


def test_it_needs_nothing_that_is_not_always_installed() -> None:
    blocked = "import sys; sys.modules.update(dict.fromkeys(['numpy', 'numba', 'matplotlib']));"
    code = "from warcli.rulesfile import load; from warcli.study.trial import trial;"
    done = subprocess.run(
        [sys.executable, "-c", f"{blocked} {code} print(trial(load('english')))"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "[]\n"


def validated(tmp_path: Path, *options: str) -> str:
    """What `war validate` says of rules that stop nearly every game before it is decided."""
    house = tmp_path / "house.yaml"
    house.write_text("extends: guerra\nround_limit: 5\n", encoding="utf-8")
    command = [sys.executable, "-c", "from warcli.__main__ import main; main()", "validate"]
    done = subprocess.run(
        [*command, str(house), *options],
        capture_output=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONUTF8": "1"},
        check=True,
    )
    return done.stdout


def test_validate_warns_at_the_key_that_would_mend_it(tmp_path: Path) -> None:
    text = validated(tmp_path)
    assert "house.yaml:2:14: warning: nearly all games are drawn at this limit" in text
    assert "a higher round_limit lets more of them be played out" in text


def test_validate_can_leave_the_trial_out(tmp_path: Path) -> None:
    assert "games" not in validated(tmp_path, "--no-trial")
