"""`war referee` as people meet it: through a pipe and at a terminal, whole games and slips."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from click.testing import CliRunner, Result
from hypothesis import given, settings
from hypothesis import strategies as st
from keyboard import Keyboard, Shell
from prompt_toolkit.utils import get_cwidth

from warcli.cards import SUITS, ascii_form
from warcli.commands import war
from warcli.commands.sitting import with_limits
from warcli.events import Event, Round
from warcli.recordfile import load
from warcli.replay import Replay
from warcli.rulesfile import load as rules_of
from warcli.rulesfile import profiles
from warcli.simulation import simulate

ROUNDS = 15
"""The limit of games that are typed at a terminal."""


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Games that say nothing else are saved in the test's own folder."""
    for variable in ("XDG_DATA_HOME", "HOME", "LOCALAPPDATA"):
        monkeypatch.setenv(variable, str(tmp_path / "home"))


def piped(typed: str, *arguments: str) -> Result:
    return CliRunner().invoke(war, ["referee", *arguments], input=typed)


def simulated(profile: str, limit: int | None = None) -> list[Event]:
    """A short game of a profile, perhaps under a round limit."""
    rules = with_limits(rules_of(profile), None, limit)
    return min((list(simulate(rules, seed)) for seed in range(5)), key=len)


def typed_lines(events: list[Event], *, suits: bool = True) -> Iterator[str]:
    """What somebody types who sees these rounds played."""
    for event in events:
        if isinstance(event, Round):
            for layer in event.layers:
                if layer.face == "up":
                    cards = [card for card in layer.cards if card is not None]
                    yield " ".join(ascii_form(card) if suits else _rank(card) for card in cards)


def _rank(card: str) -> str:
    return card.rstrip(SUITS)


def seen_of(events: list[Event] | list[Round]) -> list[object]:
    """What the players see of each round: the ranks turned up, who took the table, the sizes."""
    return [
        (
            [
                [card and _rank(card) for card in layer.cards]
                for layer in event.layers
                if layer.face == "up"
            ],
            event.winner,
            event.sizes,
        )
        for event in events
        if isinstance(event, Round)
    ]


# Whole games


@pytest.mark.parametrize("suits", [True, False], ids=["suits", "by rank alone"])
@pytest.mark.parametrize("profile", profiles())
def test_a_game_typed_through_a_pipe_is_ruled_as_it_is_simulated(
    tmp_path: Path, profile: str, suits: bool
) -> None:
    events = simulated(profile, None if suits else 100)
    limit = [] if suits else ["--round-limit", "100"]
    path = tmp_path / "game.war"
    typed = "\n".join(typed_lines(events, suits=suits))
    done = piped(typed, "--rules", profile, "--save", str(path), *limit)
    assert done.exit_code == 0, done.output
    found = Replay(load(path))
    assert found.disagreements == []
    assert seen_of(found.rounds) == seen_of(events)
    assert found.recorded_result
    assert found.result == events[-1]


@pytest.mark.parametrize("profile", profiles())
def test_a_game_typed_at_a_terminal_is_ruled_as_it_is_simulated(
    tmp_path: Path, profile: str
) -> None:
    events = simulated(profile, ROUNDS)
    path = tmp_path / "game.war"
    names = ",".join(["Ana", "Luis", "Mia"][: rules_of(profile).players])
    keyboard = Keyboard(
        *("referee", "--rules", profile, "--players", names, "--save", str(path)),
        *("--round-limit", str(ROUNDS)),
        home=tmp_path,
    )
    for line in typed_lines(events):
        keyboard.wait(">")
        keyboard.type(line)
    keyboard.wait("The game is over (leave, or undo)>")
    keyboard.press("\x04")
    assert keyboard.end() == 0
    found = Replay(load(path))
    assert found.disagreements == []
    assert seen_of(found.rounds) == seen_of(events)


# Through a pipe


def test_a_real_pipe_gets_rulings_and_no_control_codes(tmp_path: Path) -> None:
    path = tmp_path / "game.war"
    done = subprocess.run(
        [sys.executable, "-m", "warcli", "referee", "-p", "Ana,Luis", "--save", str(path)],
        input="k♠ 9♦\nnonsense\nq q\n".encode(),
        capture_output=True,
        check=True,
    )
    told = done.stdout.decode()
    assert "Ana takes 2 cards: K beats 9." in told
    assert "nonsense" in told
    assert "War between Ana and Luis!" in told
    assert f"To go on: war referee --resume {path}" in told
    assert "\x1b" not in told
    assert done.stderr == b""


def test_at_the_end_of_input_the_game_is_saved_and_goes_on(tmp_path: Path) -> None:
    path = str(tmp_path / "game.war")
    assert piped("k9\n10 10\n", "--save", path).exit_code == 0
    done = piped("j q\n", "--resume", path)
    assert done.exit_code == 0
    assert "Round 2: A J, B Q." in done.output
    assert [type(entry).__name__ for entry in load(Path(path)).entries] == ["Flip"] * 3


def test_a_torn_last_line_is_dropped_and_said_so(tmp_path: Path) -> None:
    path = tmp_path / "game.war"
    piped("k9\nqj\n", "--save", str(path))
    path.write_bytes(path.read_bytes()[:-3])
    assert "torn in half and is dropped: 2. Q J" in piped("", "--resume", str(path)).output


def test_leave_saves_and_leaves(tmp_path: Path) -> None:
    done = piped("k9\nleave\nq j\n", "--save", str(tmp_path / "game.war"))
    assert "The game is saved." in done.output
    assert len(load(tmp_path / "game.war").entries) == 1


def test_saved_games_are_listed_and_the_last_one_goes_on() -> None:
    assert "No games are saved" in piped("", "--list").output
    piped("k9\nstop\n", "--players", "Ana,Luis", "--rules", "krig")
    piped("k9\nq j\n", "--players", "Mia,Eva")
    listed = piped("", "--list").output
    assert "Ana, Luis; krig" in listed
    assert "1 round, over" in listed
    assert "Mia, Eva; english" in listed
    assert "2 rounds, not over" in listed
    assert "Mia 28, Eva 24" in piped("", "--resume").output


def test_a_game_that_goes_on_in_a_war_says_what_lies_there_and_what_comes_next(
    tmp_path: Path,
) -> None:
    path = str(tmp_path / "game.war")
    piped("k9\n10 10\n", "--save", path, "--players", "Ana,Luis")
    told = piped("", "--resume", path).output
    assert "In the middle of a war, with 4 cards on the table:" in told
    assert "Round 2: Ana 10, Luis 10." in told
    assert "Ana and Luis each lay 1 card face down." in told


def test_how_to_go_on_repeats_what_was_wished(tmp_path: Path) -> None:
    path = str(tmp_path / "game.war")
    told = piped("k9\n", "--hints", "--odds", "--ascii", "--save", path).output
    assert "To go on: war referee --hints --odds --ascii --resume" in told


def test_there_may_be_no_game_to_go_on_with() -> None:
    done = piped("", "--resume")
    assert done.exit_code == 2
    assert "no game that could go on is saved" in done.output


def test_limits_for_tonight_need_no_new_file(tmp_path: Path) -> None:
    path = tmp_path / "game.war"
    done = piped("k9\nq j\n", "--round-limit", "2", "--time-limit", "1h30m", "--save", str(path))
    assert "all 2 rounds are played" in done.output
    rules = load(path).head.rules
    assert (rules.name, rules.round_limit, rules.seconds) == ("english", 2, 5400)


def test_odds_are_told_after_every_round_when_wished(tmp_path: Path) -> None:
    done = piped("k9\n", "--odds", "--save", str(tmp_path / "game.war"))
    assert "%" in done.output


def test_with_hints_enter_takes_the_known_cards(tmp_path: Path) -> None:
    rules = tmp_path / "four.yaml"
    rules.write_text(
        "deck_size: 4\nrank_order: A K\nsuits: 2\nwar_face_down: 0\nshortage: short-loses\n"
        "capture_order: own-first\nround_limit: none\n",
        encoding="utf-8",
    )
    path = tmp_path / "game.war"
    piped("ac kc\nad kd\n", "--hints", "--rules", str(rules), "--save", str(path))
    assert load(path).entries[-1].line
    done = piped("ac kc\n\n", "--hints", "--rules", str(rules), "--save", str(tmp_path / "b.war"))
    assert "Now: A 3, B 1." in done.output


def test_in_ascii_nothing_else_is_written(tmp_path: Path) -> None:
    done = piped("kh 9d\npiles\nwhy\n", "--ascii", "--save", str(tmp_path / "game.war"))
    assert "Kh" in done.output
    assert done.output.isascii()


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["--rules", "krieg"], "did you mean krig?"),
        (["--players", "Ana"], "1 name was given"),
        (["--players", "Ana,ana"], "differ only in capitals"),
        (["--time-limit", "soon"], "'soon' is no time limit; write such as 30m"),
        (["--time-limit", "0m"], "a time limit of no time"),
        (["--round-limit", "0"], "0"),
        (["--save", "."], "is there already"),
        (["--save", "none/game.war"], "there is no folder none"),
        (["--resume", "none.war"], "none.war: there is no such file"),
        (["--resume", "none.war", "--players", "Ana,Luis"], "leave out --players"),
    ],
)
def test_what_cannot_be_meant_is_one_clear_message(arguments: list[str], problem: str) -> None:
    done = piped("k9\n", *arguments)
    assert done.exit_code == 2
    assert problem in done.output
    assert "Traceback" not in done.output


def test_a_file_that_is_no_record_does_not_go_on(tmp_path: Path) -> None:
    path = tmp_path / "letter.war"
    path.write_bytes(b"Dear Luis,\n\xff\n")
    done = piped("", "--resume", str(path))
    assert done.exit_code == 2
    assert path.read_bytes() == b"Dear Luis,\n\xff\n"


if sys.platform != "win32":  # Windows has no such pipes

    def test_a_pipe_is_no_game_to_go_on_with(tmp_path: Path) -> None:
        path = tmp_path / "pipe.war"
        os.mkfifo(path)
        done = piped("", "--resume", str(path))
        assert done.exit_code == 2
        assert "a device or a pipe" in done.output

    def test_ctrl_c_through_a_pipe_saves_and_says_how_to_go_on(tmp_path: Path) -> None:
        path = tmp_path / "game.war"
        referee = subprocess.Popen(
            [sys.executable, "-m", "warcli", "referee", "--save", str(path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert referee.stdin is not None
        assert referee.stdout is not None
        referee.stdin.write("k9\n")
        referee.stdin.flush()
        while "Now:" not in referee.stdout.readline():
            pass
        referee.send_signal(signal.SIGINT)
        told, _ = referee.communicate()
        assert referee.returncode == 130
        assert f"To go on: war referee --resume {path}" in told


@settings(max_examples=30, deadline=None)
@given(
    st.lists(
        st.sampled_from(["k9", "9 9", "undo", "redo 2", "accept", "stop", "count 30 22", "", "1"])
        | st.text(max_size=20),
        max_size=12,
    ).map("\n".join)
    | st.binary(max_size=60)
)
def test_whatever_is_piped_in_is_answered_and_saved(typed: str | bytes) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "game.war"
        data = typed.encode("utf-8", "replace") if isinstance(typed, str) else typed
        done = CliRunner().invoke(war, ["referee", "--save", str(path)], input=data)
        assert done.exit_code == 0, done.output
        assert "\x1b" not in done.output
        assert Replay(load(path)).disagreements == []


# At a terminal


def test_rules_and_names_are_asked_for_until_they_are_right(tmp_path: Path) -> None:
    keyboard = Keyboard("referee", home=tmp_path, columns=60)
    keyboard.wait("three-down,")  # a name is never broken at its hyphen
    keyboard.wait("Which")
    keyboard.type("Ana,Luis")
    keyboard.wait("first the rules;")
    keyboard.type("krieg")
    keyboard.wait("did you mean krig?")
    keyboard.type("krig")
    keyboard.wait("The names of the 2 players")
    keyboard.type("Ana,Ana")
    keyboard.wait("two players are called Ana")
    keyboard.type("Ana,Luis")
    keyboard.wait("26 cards for each player")
    keyboard.wait("Round 1: Ana, Luis>")
    keyboard.press("\x04")
    assert keyboard.end() == 0


@pytest.mark.parametrize(("key", "status"), [("\x03", 130), ("\x04", 0)])
def test_whoever_leaves_at_a_question_is_told_that_there_is_no_game(
    tmp_path: Path, key: str, status: int
) -> None:
    keyboard = Keyboard("referee", home=tmp_path)
    keyboard.wait("Which [english]: ")
    keyboard.press(key)
    keyboard.wait("No game was begun.")
    assert keyboard.end() == status


def test_the_arrow_key_goes_back_in_a_name(tmp_path: Path) -> None:
    keyboard = Keyboard("referee", "-r", "krig", home=tmp_path)
    keyboard.wait("The names of the 2 players")
    keyboard.wait(": ")
    keyboard.type("Ana,Luis\x1b[D\x1b[Dc")
    keyboard.wait("Round 1: Ana, Lucis>")
    keyboard.press("\x04")
    assert keyboard.end() == 0


def test_nothing_is_asked_before_what_is_wrong_already(tmp_path: Path) -> None:
    keyboard = Keyboard("referee", "--time-limit", "soon", home=tmp_path)
    assert keyboard.end() == 2
    assert "'soon' is no time limit" in keyboard.text
    assert "Which" not in keyboard.text


def test_what_is_wrong_is_told_in_lines_as_narrow_as_the_terminal(tmp_path: Path) -> None:
    keyboard = Keyboard("referee", "--time-limit", "soon", home=tmp_path, columns=40)
    assert keyboard.end() == 2
    told = keyboard.text.split("\n")
    assert max(map(len, told)) < 40
    assert " ".join(" ".join(told).split()) == (
        "Error: 'soon' is no time limit; write such as 30m, 1h30m or 90s"
    )


def test_a_fault_in_a_file_is_still_marked_below_its_line(tmp_path: Path) -> None:
    rules = tmp_path / "odd.yaml"
    rules.write_text("extends: krig\nround_limit: seventeen rounds and not one more\n", "utf-8")
    keyboard = Keyboard("referee", "-r", str(rules), home=tmp_path, columns=40)
    assert keyboard.end() == 2
    assert "2 | round_limit: seventeen rounds and not one more\n" in keyboard.text
    assert re.search(r"^  \| +\^+$", keyboard.text, re.MULTILINE)


@pytest.fixture
def at_table(tmp_path: Path) -> Iterator[Keyboard]:
    """A game of krig at a terminal, with its prompt for the first round."""
    keyboard = Keyboard("referee", "-r", "krig", "-p", "Ana,Luis", home=tmp_path, columns=60)
    keyboard.wait("Round 1: Ana, Luis>")
    yield keyboard
    keyboard.kill()


def test_ctrl_c_clears_the_line_and_ctrl_d_saves_and_leaves(at_table: Keyboard) -> None:
    at_table.press("garbage\x03")
    at_table.wait("Ctrl-C takes back what was typed")
    at_table.wait("Round 1: Ana, Luis>")
    at_table.press("k9\x04")
    at_table.wait("Ctrl-D leaves when nothing is typed")
    at_table.type("")
    at_table.wait("K beats 9")
    at_table.wait("Round 2: Ana, Luis>")
    at_table.press("\x04")
    at_table.wait("To go on: war referee --resume")
    assert at_table.end() == 0


def test_ctrl_c_while_odds_are_reckoned_loses_no_ruling(tmp_path: Path) -> None:
    path = tmp_path / "game.war"
    keyboard = Keyboard(
        *("referee", "--odds", "--plain", "-p", "Ana,Luis", "-r", "krig", "--save", str(path)),
        home=tmp_path,
    )
    keyboard.wait("Round 1: Ana, Luis>")
    keyboard.type("k9")
    keyboard.wait("Now: Ana 27, Luis 25.")  # shown before the odds
    keyboard.press("\x03")
    keyboard.wait("Ctrl-C takes back what was typed")
    keyboard.wait("Round 2: Ana, Luis>")
    keyboard.press("\x04")
    keyboard.wait("To go on:")
    assert keyboard.end() == 0
    assert "%" not in keyboard.text
    assert len(load(path).entries) == 1


def test_what_is_typed_while_odds_are_reckoned_comes_to_the_next_prompt(tmp_path: Path) -> None:
    keyboard = Keyboard("referee", "--odds", "-p", "Ana,Luis", "-r", "krig", home=tmp_path)
    keyboard.wait("Round 1: Ana, Luis>")
    keyboard.type("k9")
    keyboard.wait("Now: Ana 27, Luis 25.")
    keyboard.press("q")
    assert "q" not in keyboard.wait("Reckoned from")
    keyboard.wait("Round 2: Ana, Luis>")
    keyboard.type("8")
    keyboard.wait("Now: Ana 28, Luis 24.")
    keyboard.kill()


def test_what_the_prompt_says_is_not_said_twice(at_table: Keyboard) -> None:
    at_table.type("k9")
    at_table.wait("Round 2: Ana, Luis>")
    at_table.type("undo")
    at_table.wait("1 line is taken back: Ana K, Luis 9.")
    assert "Round 1: Ana, Luis" not in at_table.wait("Round 1: Ana, Luis>")


def test_the_toolbar_shows_round_clock_and_sizes_as_bars(at_table: Keyboard) -> None:
    at_table.wait("Round 1, 0:0")
    at_table.wait("Ana  █")
    at_table.wait("░ 26")
    at_table.type("k9")
    at_table.wait("Round 2, 0:0")
    at_table.wait("░ 25")


def test_tab_completes_commands_and_cards_that_are_still_possible(at_table: Keyboard) -> None:
    at_table.type("kh 9d")
    at_table.wait("Round 2: Ana, Luis>")
    at_table.press("hist\t")
    at_table.wait("ory")
    at_table.press("\r")
    at_table.wait("Round 2: Ana, Luis>")
    at_table.press("qs k\t")  # the king of hearts lies in Ana's pile
    at_table.wait("K♠")
    at_table.press("\x03")
    assert "Kh" not in at_table.text.rpartition("qs k")[2]


def test_the_arrow_key_brings_back_what_was_typed(at_table: Keyboard) -> None:
    at_table.type("why")
    at_table.wait("Nothing was ruled yet.")
    at_table.wait("Ana, Luis>")
    at_table.press("\x1b[A")
    at_table.wait("why")
    at_table.press("\r")
    at_table.wait("Nothing was ruled yet.")


@pytest.mark.parametrize(
    "colour", ["\x1b[31m", "\x1b[0m", "\x1b[1;31m", "\x1b[38;5;9m", "\x1b[<0;3;4M", "\x1b[M !!"]
)
def test_colours_that_are_pasted_are_nothing(at_table: Keyboard, colour: str) -> None:
    at_table.press(colour + "k9")
    at_table.press(colour)
    at_table.type("")
    at_table.wait("Ana takes 2 cards: K beats 9.")
    at_table.wait("Round 2: Ana, Luis>")
    assert "xception" not in at_table.text


@pytest.mark.parametrize("end_of_line", ["\n", "\r", "\r\n"])
def test_pasted_lines_are_taken_one_by_one(at_table: Keyboard, end_of_line: str) -> None:
    lines = ("k9", "nonsense", "q8", "10h 10s", "7")
    at_table.press("\x1b[200~" + end_of_line.join(lines) + "\x1b[201~")
    at_table.wait("Now: Ana 27, Luis 25.")
    at_table.wait("'nonsense' is not a card")
    at_table.wait("Now: Ana 28, Luis 24.")
    at_table.wait("War between Ana and Luis!")
    at_table.wait("war: Ana, Luis> ")
    at_table.type("6")  # the last pasted line isn't ended, so it can be gone on with
    at_table.wait("Ana takes 6 cards: 7 beats 6.")


def test_ctrl_c_gives_up_pasted_lines(at_table: Keyboard) -> None:
    at_table.press("\x1b[200~k9\n7\x1b[201~")
    at_table.wait("Round 2: Ana, Luis> ")
    at_table.press("\x03")
    at_table.wait("Ctrl-C takes back what was typed")
    at_table.type("q8")
    at_table.wait("Now: Ana 28, Luis 24.")


def test_red_suits_are_red_and_still_have_their_sign(at_table: Keyboard) -> None:
    at_table.type("kh 9s")
    at_table.wait("K beats 9")
    assert "\x1b[31mK♥\x1b[0m" in at_table.seen
    assert "31m9♠" not in at_table.seen


def test_a_closed_terminal_loses_nothing(tmp_path: Path) -> None:
    path = tmp_path / "game.war"
    keyboard = Keyboard("referee", "-r", "krig", "-p", "A,B", "--save", str(path), home=tmp_path)
    keyboard.wait("Round 1: A, B>")
    keyboard.type("k9")
    keyboard.wait("Now: A 27, B 25.")
    keyboard.kill()
    assert len(load(path).entries) == 1


@pytest.mark.parametrize("plain", [True, False], ids=["plain", "toolbar"])
def test_asked_to_end_it_saves_says_how_to_go_on_and_leaves_the_terminal_as_it_was(
    tmp_path: Path, plain: bool
) -> None:
    look = ["--plain"] if plain else []
    keyboard = Keyboard("referee", *look, "-r", "krig", "-p", "Ana,Luis", home=tmp_path)
    keyboard.wait("Round 1: Ana, Luis>")
    keyboard.type("k9")
    keyboard.wait("Round 2: Ana, Luis>")
    keyboard.send(signal.SIGTERM)
    keyboard.wait("The game is saved. To go on: war referee --resume")
    assert keyboard.shows_what_is_typed()
    assert keyboard.end() == 128 + signal.SIGTERM


def test_ctrl_z_gives_the_terminal_to_the_shell_until_it_goes_on(tmp_path: Path) -> None:
    shell = Shell("referee", "-r", "krig", "-p", "Ana,Luis", home=tmp_path)
    shell.wait("Round 1: Ana, Luis>")
    shell.press("k\x1a")
    shell.wait("topped")
    shell.wait("$ ")
    shell.type("fg")
    shell.wait("Round 1: Ana, Luis>")
    shell.type("9")
    shell.wait("Ana takes 2 cards: K beats 9.")
    shell.kill()


def test_a_phone_terminal_of_40_columns_is_wide_enough(tmp_path: Path) -> None:
    keyboard = Keyboard("referee", "-r", "krig", "-p", "Ana,Luis", home=tmp_path / "h", columns=40)
    for line, answer in (
        ("kh 9d", "Now: Ana 27, Luis 25."),
        ("10 10", "War between Ana and Luis!"),
        ("q 7", "Now: Ana 30, Luis 22."),
        ("why", "capture_order:"),
        ("piles", "Luis (22):"),
        ("help", "leave: saves"),
    ):
        keyboard.wait("Luis>")
        keyboard.type(line)
        keyboard.wait(answer)
    keyboard.wait("Luis>")
    keyboard.type("leave")
    assert keyboard.end() == 0
    drawn_over = ("Luis>", "█", str(tmp_path))  # prompt and toolbar; and a path is never broken
    told = [line for line in keyboard.text.split("\n") if not any(map(line.count, drawn_over))]
    assert "Ana takes 2 cards: K beats 9." in told
    assert max(map(len, told)) <= 40


def test_wide_names_are_wide_enough_for_a_phone_terminal(tmp_path: Path) -> None:
    names = "日本語の名前,花子ちゃん"
    keyboard = Keyboard("referee", "-r", "krig", "-p", names, home=tmp_path, columns=40)
    keyboard.wait("花子ちゃん>")
    keyboard.wait("░ 26")  # the toolbar
    keyboard.type("10 10")
    keyboard.wait("Round 1, war:")
    keyboard.kill()
    told = [line for line in keyboard.text.split("\n") if str(tmp_path) not in line]
    assert "War between 日本語の名前 and" in told  # and then the next name, on the next line
    assert max(get_cwidth(line) for line in told if ">" not in line and "█" not in line) <= 40


def test_without_a_toolbar_for_screen_readers(tmp_path: Path) -> None:
    keyboard = Keyboard(
        "referee", "--plain", "-r", "krig", "-p", "Ana,Luis", home=tmp_path, NO_COLOR="1"
    )
    keyboard.wait("Round 1: Ana, Luis> ")
    keyboard.press("garbage\x03")
    keyboard.wait("Round 1: Ana, Luis> ")
    keyboard.type("kh 9d")
    keyboard.wait("Ana takes 2 cards: K beats 9.")
    keyboard.wait("Round 2: Ana, Luis> ")
    keyboard.press("\x04")
    assert keyboard.end() == 0
    assert "\x1b[31m" not in keyboard.seen
