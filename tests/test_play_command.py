"""`war play`: the program deals, and waits for everybody."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from keyboard import Keyboard, Shell

from warcli.commands import war
from warcli.commands.sitting import with_limits
from warcli.deal import deal
from warcli.generator import Generator
from warcli.recordfile import load
from warcli.referee.ready import keys_of
from warcli.replay import Replay
from warcli.rulesfile import load as rules_of
from warcli.rulesfile import profiles
from warcli.simulation import simulate


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("XDG_DATA_HOME", "HOME", "LOCALAPPDATA"):
        monkeypatch.setenv(variable, str(tmp_path / "home"))


def piped(keys: str, *arguments: str) -> Result:
    return CliRunner().invoke(war, ["play", *arguments], input=keys)


@pytest.mark.parametrize("profile", profiles())
def test_a_game_is_that_of_its_seed_and_its_record_is_right(tmp_path: Path, profile: str) -> None:
    rules = with_limits(rules_of(profile), None, 40)
    path = tmp_path / "game.war"
    all_ready = "".join(keys_of("ABCDEFGH"[: rules.players]))
    arguments = ("--rules", profile, "--round-limit", "40", "--seed", "2", "--save", str(path))
    done = piped(all_ready * 200, *arguments)
    assert done.exit_code == 0, done.output
    found = Replay(load(path))
    assert found.disagreements == []
    assert list(found.events())[1:] == list(simulate(rules, 2))[1:]
    assert found.record.head.piles == deal(rules, Generator(2)).piles


@pytest.mark.parametrize(
    ("players", "keys"),
    [
        (["Ana", "Luis"], ("a", "l")),
        (["Ana", "Alba"], ("a", "l")),
        (["Мила", "Eva", "Ana"], ("a", "g", "l")),
        (["Ana", "Eva", "Mia", "Bo"], ("a", "e", "m", "b")),
        (list("AABCDEFG"), tuple("12345678")),
    ],
)
def test_everybody_has_a_key_of_their_own(players: list[str], keys: tuple[str, ...]) -> None:
    assert keys_of(players) == keys


def test_cards_are_turned_up_only_when_all_are_ready(tmp_path: Path) -> None:
    path = tmp_path / "game.war"
    arguments = ("--players", "Ana,Luis", "--seed", "3", "--save", str(path))
    done = piped("aaax?\naa", *arguments)
    assert "Ana is ready." in done.output
    assert "takes" not in done.output
    assert load(path).entries == ()


def test_one_player_cannot_be_ready_for_the_next_round_already(tmp_path: Path) -> None:
    arguments = ("--players", "Ana,Luis", "--seed", "3", "--save", str(tmp_path / "game.war"))
    done = piped("aaaal", *arguments)
    assert done.output.count("takes") == 1


def test_it_goes_on_where_it_was(tmp_path: Path) -> None:
    path = str(tmp_path / "game.war")
    arguments = ("--players", "Ana,Luis", "--round-limit", "50", "--seed", "3", "--save", path)
    piped("al" * 30 + "a", *arguments)
    done = piped("al" * 100, "--resume", path)
    assert done.exit_code == 0
    *_, end = simulate(with_limits(rules_of("english"), None, 50), 3)
    found = Replay(load(Path(path)))
    assert found.disagreements == []
    assert found.result == end


def test_a_shuffled_game_goes_on_with_the_same_shuffles(tmp_path: Path) -> None:
    path = str(tmp_path / "game.war")
    arguments = ("--rules", "shuffled-captures", "--round-limit", "60", "--seed", "5")
    piped("ab" * 50, *arguments, "--save", path)
    piped("ab" * 50, "--resume", path)
    *_, end = simulate(with_limits(rules_of("shuffled-captures"), None, 60), 5)
    assert Replay(load(Path(path))).result == end


def test_a_game_with_real_cards_is_left_to_the_referee(tmp_path: Path) -> None:
    path = str(tmp_path / "game.war")
    CliRunner().invoke(war, ["referee", "--save", path], input="k9\n")
    done = piped("", "--resume", path)
    assert done.exit_code == 2
    assert "a game with real cards" in done.output


def test_a_game_whose_cards_are_not_all_known_is_left_to_the_referee(tmp_path: Path) -> None:
    path = tmp_path / "game.war"
    piped("alal", "--players", "Ana,Luis", "--seed", "3", "--save", str(path))
    before = path.read_text(encoding="utf-8") + "unordered: Ana\n"
    path.write_text(before, encoding="utf-8")
    done = piped("alal", "--resume", str(path))
    assert done.exit_code == 2
    assert "doesn't know where they are" in done.output
    assert path.read_text(encoding="utf-8") == before
    assert CliRunner().invoke(war, ["referee", "--resume", str(path)]).exit_code == 0


def test_a_game_that_is_dealt_is_not_shown_by_the_referee(tmp_path: Path) -> None:
    path = tmp_path / "game.war"
    piped("alal", "--players", "Ana,Luis", "--seed", "3", "--save", str(path))
    before = path.read_bytes()
    done = CliRunner().invoke(war, ["referee", "--resume", str(path)], input="piles\n2 3\naccept\n")
    assert done.exit_code == 2
    assert "go on with it by war play --resume" in done.output
    assert path.read_bytes() == before


def test_shuffles_that_nobody_knows_are_left_to_the_referee(tmp_path: Path) -> None:
    path = tmp_path / "game.war"
    piped("abab", "--rules", "shuffled-captures", "--seed", "5", "--save", str(path))
    text = path.read_text(encoding="utf-8").replace("seed: 5\n", "")
    path.write_text(text, encoding="utf-8")
    done = piped("abab", "--resume", str(path))
    assert done.exit_code == 2
    assert "Traceback" not in done.output


def test_each_command_goes_on_with_the_last_game_of_its_kind() -> None:
    piped("al", "--players", "Ana,Luis", "--seed", "3")
    CliRunner().invoke(war, ["referee", "--players", "Mia,Eva"], input="k9\n")
    listed = CliRunner().invoke(war, ["referee", "--list"]).output
    assert piped("", "--list").output == listed
    assert "Ana, Luis; english, dealt by the program" in listed
    assert "Mia, Eva; english, real cards" in listed
    assert "Ana-Luis.war, by the rules" in piped("", "--resume").output
    piped("al", "--players", "Ana,Luis", "--seed", "3")
    resumed = CliRunner().invoke(war, ["referee", "--resume"], input="")
    assert "Mia-Eva.war, by the rules" in resumed.output


def test_what_a_game_has_already_is_not_given_again(tmp_path: Path) -> None:
    done = piped("", "--resume", str(tmp_path / "game.war"), "--seed", "4")
    assert done.exit_code == 2
    assert "leave out --seed" in done.output


@pytest.fixture
def at_table(tmp_path: Path) -> Iterator[Keyboard]:
    keyboard = Keyboard("play", "--players", "Ana,Luis", "--seed", "3", home=tmp_path)
    keyboard.wait("Ready?")
    keyboard.wait("Luis (l)")
    yield keyboard
    keyboard.kill()


def test_at_a_keyboard_a_key_counts_without_enter(at_table: Keyboard) -> None:
    at_table.press("L")
    at_table.wait("Luis is ready.")
    at_table.press("a")
    at_table.wait("takes 2 cards")
    at_table.wait("Round 2")
    at_table.press("\x04")
    at_table.wait("To go on: war play --resume")
    assert at_table.end() == 0


def test_ctrl_c_interrupts_and_loses_nothing(at_table: Keyboard) -> None:
    at_table.press("la")
    at_table.wait("takes 2 cards")
    at_table.wait("Ready?")
    at_table.press("\x03")
    assert at_table.end() == 130
    assert "The game is saved. To go on: war play --resume" in at_table.text


def test_asked_to_end_it_saves_and_leaves_the_terminal_as_it_was(at_table: Keyboard) -> None:
    at_table.press("la")
    at_table.wait("takes 2 cards")
    at_table.wait("Ready?")
    at_table.send(signal.SIGTERM)
    at_table.wait("The game is saved. To go on: war play --resume")
    at_table.wait(".war")
    assert at_table.end() == 128 + signal.SIGTERM
    assert "Traceback" not in at_table.text


def test_it_goes_on_after_it_was_stopped_and_continued(at_table: Keyboard) -> None:
    at_table.stop_and_continue()
    at_table.press("l")
    at_table.wait("Luis is ready.")
    at_table.press("a")
    at_table.wait("takes 2 cards")


def test_a_key_of_nobody_is_told_so(at_table: Keyboard) -> None:
    at_table.press("l")
    at_table.wait("Luis is ready.")
    at_table.press("x")
    at_table.wait("That is nobody's key. Press: a")


@pytest.mark.parametrize(
    "key",
    [
        *("\x1b", "\x1b[A", "\x1b[1;5C", "\x1bOP", "\x1b[3~", "\x1b[<0;3;4M", "\x7f", "é"),
        "\x1b[200~al\nal\x1b[201~",
    ],
    ids=repr,
)
def test_only_ctrl_d_and_ctrl_c_leave(at_table: Keyboard, key: str) -> None:
    at_table.press(key)
    at_table.wait("That is nobody's key. Press: a, l")
    at_table.press("l")
    at_table.wait("Luis is ready.")
    at_table.press("\x0c")  # Ctrl-L shows again what is waited for
    at_table.wait("Press: Ana (a)")
    at_table.press("a")
    at_table.wait("Now: ")
    at_table.wait("Ready?")
    assert at_table.text.count("nobody") == 1
    assert at_table.text.count("takes") == 1


def test_ctrl_z_gives_the_terminal_to_the_shell_until_it_goes_on(tmp_path: Path) -> None:
    shell = Shell("play", "--players", "Ana,Luis", "--seed", "3", home=tmp_path)
    shell.wait("Ready? Press: Ana (a), Luis (l)")
    shell.press("l")
    shell.wait("Luis is ready.")
    shell.press("\x1a")
    shell.wait("topped")
    shell.wait("$ ")
    shell.type("fg")
    shell.wait("Ready? Press: Ana (a)")
    shell.press("a")
    shell.wait("takes 2 cards")
    shell.kill()
