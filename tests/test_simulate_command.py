"""`war simulate`: where the game comes from, and how it is shown."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from threading import Event

import pytest
from click.testing import CliRunner, Result
from processes import on_terminal, run_by_nobody, war

from warcli.commands import war as war_command
from warcli.commands.simulate import FORMATS
from warcli.events import Result as GameResult
from warcli.jsonl import read_jsonl
from warcli.rulesfile import load, profiles
from warcli.simulation import simulate


def simulated(*args: str) -> Result:
    return CliRunner().invoke(war_command, ["simulate", *args])


@pytest.fixture
def deal_file(tmp_path: Path) -> str:
    file = tmp_path / "deal.yaml"
    file.write_text("Ana:  9♣ 3♦ Q♦\nLuis: 9♥ K♠ 7♣\n", encoding="utf-8")
    return str(file)


# Where the game comes from


def test_the_same_seed_gives_the_same_game() -> None:
    assert simulated("--seed", "42").stdout == simulated("-s", "42").stdout
    assert simulated("--seed", "42").stdout != simulated("--seed", "43").stdout


@pytest.mark.parametrize("profile", profiles())
def test_every_profile_is_played_to_its_end(profile: str) -> None:
    result = simulated("--rules", profile, "--seed", "7", "--format", "jsonl")
    assert result.exit_code == 0
    assert list(read_jsonl(result.stdout.splitlines())) == list(simulate(load(profile), 7))


def test_a_game_of_a_seed_is_chosen_by_its_number() -> None:
    result = simulated("--seed", "42", "--game", "3", "--format", "jsonl")
    assert list(read_jsonl(result.stdout.splitlines())) == list(simulate(load("english"), 42, 3))


def test_a_drawn_seed_is_told_and_plays_the_game_again() -> None:
    first = simulated("--format", "jsonl")
    seed = json.loads(first.stdout.splitlines()[0])["seed"]
    assert f"--seed {seed} plays this game again" in first.stderr
    assert simulated("--format", "jsonl", "--seed", str(seed)).stdout == first.stdout


def test_a_game_of_a_drawn_seed_is_told_with_its_number(deal_file: str) -> None:
    for args in ((), ("--rules", "shuffled-captures", "--deal", deal_file)):
        first = simulated("--game", "3", *args, "--format", "jsonl")
        again = first.stderr.partition("a seed was drawn; ")[2].partition(" plays")[0].split()
        assert simulated(*again, *args, "--format", "jsonl").stdout == first.stdout


def test_a_drawn_seed_stands_in_the_head_of_a_transcript() -> None:
    result = simulated("--quiet", "--summary")
    seed = result.stdout.splitlines()[0].removeprefix("War by the rules english, seed ").strip(".")
    assert result.stderr == ""
    assert simulated("--summary", "--seed", seed).stdout == result.stdout


@pytest.mark.parametrize(
    "seed", ["-1", "18446744073709551616", "9" * 5000, "1.5", "1_000", "٣", "0x10", "x", ""]
)
def test_what_is_no_seed_is_refused(seed: str) -> None:
    result = simulated(f"--seed={seed}")
    assert result.exit_code == 2
    assert "--seed" in result.stderr
    assert result.stdout == ""


def test_the_largest_seed_is_a_seed() -> None:
    assert "seed 18446744073709551615." in simulated("--seed", str(2**64 - 1)).stdout


@pytest.mark.parametrize("source", ["engish", "no/such/file.yaml"])
def test_unknown_rules_are_refused(source: str) -> None:
    result = simulated("--rules", source)
    assert result.exit_code == 2
    assert source in result.stderr
    assert result.stdout == ""


# A supplied deal


def test_a_supplied_deal_is_played(deal_file: str) -> None:
    result = simulated("--deal", deal_file)
    assert result.exit_code == 0
    assert "Queen beats seven: Ana takes 6 cards, 9♣ 9♥ 3♦ K♠ Q♦ 7♣." in result.stdout
    assert "46 of the 52 cards of the pack are not in this deal" in result.stderr


@pytest.mark.parametrize("profile", profiles())
def test_the_deal_of_a_seed_goes_on_as_the_seeds_own_game(profile: str, tmp_path: Path) -> None:
    chosen = ("--rules", profile, "--seed", "11", "--game", "2")
    file = str(tmp_path / "deal.yaml")
    assert CliRunner().invoke(war_command, ["deal", *chosen, "-o", file]).exit_code == 0
    dealt = simulated(*chosen, "--format", "jsonl").stdout.splitlines()
    given = simulated(*chosen, "--deal", file, "--format", "jsonl").stdout.splitlines()
    assert given[1:] == dealt[1:]


def test_a_deal_needs_no_seed_where_nothing_is_shuffled_in_play(deal_file: str) -> None:
    result = simulated("--deal", deal_file, "--format", "jsonl")
    assert json.loads(result.stdout.splitlines()[0])["seed"] is None
    assert "seed" not in result.stderr


def test_a_seed_without_any_part_in_the_game_is_not_told_as_its_own(deal_file: str) -> None:
    result = simulated("--deal", deal_file, "--seed", "42")
    assert "the seed makes no difference" in result.stderr
    assert result.stdout.startswith("War by the rules english, from a given deal.\n")


def test_a_games_number_without_any_part_in_the_game_is_not_told_as_its_own(
    deal_file: str,
) -> None:
    for args in (("--game", "4"), ("--game", "4", "--seed", "42")):
        result = simulated("--deal", deal_file, *args, "--format", "jsonl")
        assert json.loads(result.stdout.splitlines()[0])["game"] == 0
        assert "makes no difference" in result.stderr


def test_shuffles_in_play_get_a_seed_that_is_told(deal_file: str) -> None:
    args = ("--rules", "shuffled-captures", "--deal", deal_file)
    first = simulated(*args, "--format", "jsonl")
    seed = json.loads(first.stdout.splitlines()[0])["seed"]
    assert f"--seed {seed} plays this game again" in first.stderr
    assert simulated(*args, "--format", "jsonl", "--seed", str(seed)).stdout == first.stdout


if sys.platform != "win32":  # Windows has other permissions

    def test_a_deal_that_may_not_be_read_is_told_as_rules_are(deal_file: str) -> None:
        Path(deal_file).chmod(0)
        folder = Path(deal_file).parent
        folder.chmod(0o755)
        code = (
            "from click.testing import CliRunner; from warcli.commands import war\n"
            "simulate = lambda *args: CliRunner().invoke(war, ['simulate', *args]).stderr\n"
            "simulate('--deal', 'nothing')\n"
            "become_nobody()\n"
            "print(simulate('--deal', 'deal.yaml'), end='')"
        )
        told = run_by_nobody(code, cwd=folder)
        assert told == "Error: deal.yaml: you have no permission to read this file\n"


def test_the_deal_file_names_the_players(deal_file: str) -> None:
    result = simulated("--deal", deal_file, "--players", "Eva,Max")
    assert result.exit_code == 2
    assert "the deal file names the players; leave out --players" in result.stderr


# Players


def test_players_have_the_names_that_they_are_given() -> None:
    result = simulated("--seed", "42", "--players", " Ana , José ")
    assert "  Ana turns up 3♣, José 4♣.\n" in result.stdout


@pytest.mark.parametrize(
    ("names", "said"),
    [
        ("Ana", "1 name was given (Ana), but the rules english are for 2 players"),
        ("Ana,Luis,Mia", "3 names were given (Ana, Luis, Mia), but the rules english are for 2"),
        ("Ana,", "a player needs a name, not ''"),
        ("", "a player needs a name, not ''"),
        ("Ana,-", "a player needs a name, not '-'"),
        ("Ana,Ana", "two players are called Ana"),
        ("Ana,ANA", "Ana and ANA differ only in capitals"),
        ("Ana,Lu|is", "holds '|'"),
        ("Ana,Lu\x1b[31mis", "the name Lu\\x1b[31mis holds '\\x1b'"),
        ("Ana,Lu\nis", "the name Lu\\nis holds '\\n'"),
        ("Ana,\N{MAN}\N{ZERO WIDTH JOINER}\N{BOY}", "which cannot be shown everywhere"),
        ("Jos\u00e9,Jose\u0301", "two players are called Jos\u00e9"),
        ("Ana,Luis,Mia", "For 3: --rules three-players, or players: 3 in a rules file."),
        ("Ana,Luis,Mia,Eva", "For 4: players: 4 in a rules file."),
        (",".join("ABCDEFGHI"), "From 2 to 8 can play"),
        ("Ana," + "x" * 41, "has 41 characters; use at most 40"),
    ],
)
def test_names_that_cannot_be_are_refused(names: str, said: str) -> None:
    result = simulated("--seed", "42", "--players", names)
    assert result.exit_code == 2
    assert said in result.stderr
    assert result.stdout == ""
    assert "\x1b" not in result.stderr


# What is shown


def test_the_summary_is_the_head_and_the_result_of_the_whole_transcript() -> None:
    whole = simulated("--seed", "42").stdout.split("\n\n")
    summary = simulated("--seed", "42", "--summary").stdout.split("\n\n")
    assert summary == [*whole[:2], whole[-1]]


def test_a_summary_in_json_lines_is_the_deal_and_the_result() -> None:
    lines = simulated("--seed", "42", "--summary", "--format", "jsonl").stdout.splitlines()
    assert [json.loads(line)["event"] for line in lines] == ["deal", "result"]


def test_piles_are_shown_after_each_round() -> None:
    rules = load("english")
    result = simulated("--seed", "42", "--piles")
    blocks = result.stdout.split("\n\n")[2:-1]
    simulation = simulate(rules, 42)
    next(simulation)
    for block, event in zip(blocks, simulation, strict=False):
        assert not isinstance(event, GameResult)
        unbroken = block.replace("\n    ", " ")
        for player, pile in zip("AB", simulation.game.piles, strict=True):
            if pile:
                shown = unbroken.partition(f"{player}'s pile, ")[2].partition(": ")[2]
                assert shown.partition("\n")[0].split() == list(pile)
    assert len(blocks) == simulation.game.rounds


@pytest.mark.parametrize(
    "args",
    [
        ("--piles", "--summary"),
        ("--piles", "--format", "jsonl"),
        ("--ascii", "--format", "jsonl"),
        ("--format", "xml"),
    ],
)
def test_options_that_do_not_go_together_are_refused(args: tuple[str, ...]) -> None:
    result = simulated("--seed", "42", *args)
    assert result.exit_code == 2
    assert args[0] in result.stderr
    assert result.stdout == ""


def test_a_time_limit_is_left_out_and_that_is_said(tmp_path: Path) -> None:
    file = tmp_path / "tonight.yaml"
    file.write_text("extends: english\ntime_limit: 30m\n", encoding="utf-8")
    result = simulated("--seed", "42", "--rules", str(file), "--summary")
    assert "a simulation has no clock: time_limit 30m is left out" in result.stderr
    assert "wins after 322 rounds" in result.stdout
    assert simulated("-q", "--seed", "42", "--rules", str(file), "--summary").stderr == ""


def test_verbose_says_how_long_it_took() -> None:
    result = simulated("--seed", "42", "--summary", "--verbose")
    assert "322 rounds in " in result.stderr


# What the terminal can show


def test_ascii_is_asked_for_or_comes_of_itself_where_suits_cannot_be_shown() -> None:
    asked = war("simulate", "--seed", "42", "--ascii")
    assert asked.stdout.isascii()
    assert b"A turns up 3c, B 4c." in asked.stdout
    for encoding in ("ascii", "cp1252", "latin-1"):
        alone = war("simulate", "--seed", "42", env={"PYTHONIOENCODING": encoding})
        assert alone.returncode == 0
        assert alone.stdout == asked.stdout


def test_a_name_that_cannot_be_shown_is_escaped() -> None:
    args = ("simulate", "--seed", "42", "--summary", "--players", "José,Łukasz")
    result = war(*args, env={"PYTHONIOENCODING": "cp1252", "PYTHONUTF8": "1"})
    assert result.returncode == 0
    assert "José's pile".encode("cp1252") in result.stdout
    assert b"\\u0141ukasz's pile" in result.stdout


def test_json_lines_are_utf_8_whatever_the_terminal() -> None:
    args = ("simulate", "--seed", "42", "--format", "jsonl")
    result = war(*args, env={"PYTHONIOENCODING": "ascii"})
    assert result.returncode == 0
    assert b"\r" not in result.stdout
    assert list(read_jsonl(result.stdout.splitlines())) == list(simulate(load("english"), 42))


def test_who_waits_for_a_long_game_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """Here the game waits for the sentence."""
    told = Event()
    monkeypatch.setattr("warcli.commands.simulate._PATIENCE", 0.0)
    monkeypatch.setattr("warcli.commands.simulate.note", lambda _: told.set())
    monkeypatch.setitem(FORMATS, "text", lambda *_: iter(["told" if told.wait(60) else "untold"]))
    assert simulated("--seed", "42").stdout == "told"


def test_a_pipe_gets_no_colours() -> None:
    assert b"\x1b" not in war("simulate", "--seed", "42", env={"TERM": "xterm-256color"}).stdout


if sys.platform != "win32":  # Windows has no such terminals

    def on_xterm(**environment: str) -> str:
        chosen = {"TERM": "xterm", "PYTHONIOENCODING": "utf-8", "NO_COLOR": "", **environment}
        return on_terminal("simulate", "--seed", "42", "--summary", env=chosen)

    def test_red_suits_are_red_on_a_terminal() -> None:
        shown = on_xterm()
        assert "\x1b[31mK♦\x1b[0m" in shown
        assert "\x1b[31mK♠" not in shown

    def test_no_color_and_dumb_terminals_are_respected() -> None:
        assert "K♦" in on_xterm(NO_COLOR="1")
        assert "\x1b" not in on_xterm(NO_COLOR="1")
        assert "\x1b" not in on_xterm(TERM="dumb")
