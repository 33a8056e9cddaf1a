"""The JSON Schema of a rules file, as an editor uses it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from jsonschema import Draft202012Validator
from strategies import rules as some_rules

from warcli.rules import Rules
from warcli.rulesfile import as_yaml, profiles, written
from warcli.schema import schema

HOUSES = sorted(Path(__file__).parent.parent.joinpath("examples", "house-rules").glob("*.yaml"))

HEART = """
deck_size: 8
suits: 1
rank_order: [A, K, Q, J, 10, 9, 8, Cavalier]
war_face_down: 1
shortage: short-loses
capture_order: own-first
round_limit: none
"""


def passes(text: str) -> bool:
    valid: bool = Draft202012Validator(schema()).is_valid(yaml.safe_load(text))
    return valid


def test_it_is_a_schema_of_the_2020_draft() -> None:
    assert schema()["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    Draft202012Validator.check_schema(schema())


def test_every_key_is_there_and_explained() -> None:
    keys: dict[str, dict[str, Any]] = schema()["properties"]
    assert set(keys) == {*Rules.__struct_fields__, "extends"}
    assert all(key["description"] for key in keys.values())


def test_an_editor_can_offer_every_choice() -> None:
    keys = schema()["properties"]
    assert "first-out-loses" in keys["shortage"]["enum"]
    assert "own-pile-last" in keys["capture_order"]["enum"]
    assert {"enum": ["none"]} in keys["round_limit"]["anyOf"]
    assert {"enum": profiles()} in keys["extends"]["anyOf"]
    assert keys["repetition"]["default"] == "play-on"


@pytest.mark.parametrize(
    "changed",
    [
        "",
        "rank_order: A K Q J 10 9 8 Cavalier",
        "round_limit: 1000",
        "time_limit: 1h30m",
        "rank_exceptions: [8 beats A]",
    ],
)
def test_good_rules_pass(changed: str) -> None:
    assert passes(HEART + changed)


@pytest.mark.parametrize(
    "changed",
    [
        "players: 9",
        "players: two",
        "round_limit: 0",
        "round_limit: no",
        "shortage: short_loses",
        "rank_order: ''",
        "rank_order: []",
        "rank_order: [[A]]",
        "time_limit: 30",
        "rank_exceptions: [8 > A]",
        "rank_exceptions: 8 beats A",
        "player: 2",
        "extends: [krig]",
    ],
)
def test_bad_rules_do_not_pass(changed: str) -> None:
    assert not passes(HEART + changed)


def test_the_heart_of_the_rules_is_asked_for_unless_other_rules_are_extended() -> None:
    assert not passes("players: 2")
    assert passes("players: 2\nextends: krig")
    assert passes("extends: ../ours.yaml")


@pytest.mark.parametrize("source", [*profiles(), *map(str, HOUSES)])
def test_profiles_and_house_rules_pass(source: str) -> None:
    assert passes(written(source).text)


@given(some_rules())
@settings(max_examples=30)
def test_whatever_the_rules_they_pass_as_they_are_written(some: Rules) -> None:
    assert passes(as_yaml(some))
