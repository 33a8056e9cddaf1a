"""`war deal`: the deal of a seed as a deal file."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from processes import on_terminal, war

from warcli.commands import war as war_command
from warcli.deal import deal
from warcli.dealfile import parse_deal
from warcli.generator import Generator
from warcli.rulesfile import load, profiles
from warcli.yamlfile import Source


def dealt(*args: str) -> Result:
    return CliRunner().invoke(war_command, ["deal", *args])


@pytest.mark.parametrize("profile", profiles())
def test_the_file_is_the_deal_of_the_seed(profile: str) -> None:
    rules = load(profile)
    result = dealt("--rules", profile, "--seed", "42", "--game", "5")
    read = parse_deal(Source("deal.yaml", result.stdout), rules)
    assert read.piles == deal(rules, Generator(42, 5)).piles


def test_it_says_where_it_comes_from() -> None:
    first = dealt("--seed", "42", "--game", "5").stdout.splitlines()[0]
    assert first == "# The deal of seed 42, game 5, by the rules english."


def test_players_are_named_and_piles_stand_under_each_other() -> None:
    lines = dealt("--seed", "42", "--players", "Ana,Luis").stdout.splitlines()
    assert lines[1].startswith("Ana:  3♣ K♦")
    assert lines[2].startswith("Luis: 4♣ 9♥")


def test_leftover_cards_are_a_comment() -> None:
    rules = load("three-players")
    (left,) = deal(rules, Generator(42)).leftover
    result = dealt("--rules", "three-players", "--seed", "42")
    assert f"# Set aside for the whole game: {left}\n" in result.stdout


def test_it_says_how_shuffles_in_play_can_be_had_again() -> None:
    result = dealt("--rules", "shuffled-captures", "--seed", "42")
    assert "with --seed 42 it goes on as this seed's game" in result.stdout
    assert "--seed" not in dealt("--seed", "42").stdout


def test_a_drawn_seed_is_told() -> None:
    result = dealt()
    seed = result.stdout.splitlines()[0].split()[5].strip(",")
    assert f"--seed {seed} deals these cards again" in result.stderr
    assert dealt("--seed", seed).stdout == result.stdout
    assert dealt("--quiet").stderr == ""


def test_letters_for_suits_on_request() -> None:
    asked = war("deal", "--seed", "42", "--ascii").stdout
    assert asked.isascii()
    read = parse_deal(Source("deal.yaml", asked.decode()), load("english"))
    assert read.piles == deal(load("english"), Generator(42)).piles


@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
def test_what_goes_into_a_pipe_is_a_deal_whatever_the_terminal_can_show(encoding: str) -> None:
    result = war("deal", "--seed", "42", "-p", "Ünal,B", env={"PYTHONIOENCODING": encoding})
    read = parse_deal(Source("deal.yaml", result.stdout.decode("utf-8")), load("english"))
    assert read.players == ("Ünal", "B")
    assert read.piles == deal(load("english"), Generator(42)).piles


if sys.platform != "win32":  # Windows has no such terminals

    def test_a_terminal_that_cannot_show_suits_gets_letters() -> None:
        shown = on_terminal("deal", "--seed", "42", env={"PYTHONIOENCODING": "cp1252"})
        assert shown == war("deal", "--seed", "42", "--ascii").stdout.decode()


def test_a_file_has_suits_whatever_the_terminal_can_show(tmp_path: Path) -> None:
    file = tmp_path / "deal.yaml"
    result = war("deal", "--seed", "42", "-o", str(file), env={"PYTHONIOENCODING": "ascii"})
    assert (result.returncode, result.stdout, result.stderr) == (0, b"", b"")
    assert "3♣ K♦" in file.read_text(encoding="utf-8")
