"""`war replay`: its report, its transcript, and its exit status."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from warcli.commands import war

RIGHT = "rules: krig\nplayers: [Ana, Luis]\n---\n1. K♠ 9♦ > Ana\n2. 9 9 | (?) (?) | Q 7 > Ana\n"


def run(*arguments: str) -> Result:
    return CliRunner().invoke(war, list(arguments))


@pytest.fixture
def record(tmp_path: Path) -> Path:
    path = tmp_path / "game.war"
    path.write_text(RIGHT, encoding="utf-8")
    return path


def simulated(path: Path, *arguments: str) -> None:
    players = ("--players", "Ana,Luis")
    done = run(
        *("simulate", "--seed", "42", *players, "--format", "record", "-o", str(path)), *arguments
    )
    assert done.exit_code == 0, done.output


def test_a_right_record_is_confirmed(record: Path) -> None:
    done = run("replay", str(record))
    assert done.exit_code == 0
    assert done.output == (
        f"{record}: right as far as it goes, 2 rounds by the rules krig; the game is not "
        "finished.\n"
    )


def test_a_simulated_record_is_confirmed_with_its_result(tmp_path: Path) -> None:
    path = tmp_path / "game.war"
    simulated(path)
    done = run("replay", str(path))
    assert (done.exit_code, done.output) == (
        0,
        f"{path}: right, 322 rounds by the rules english: result: Luis, collected, 322 rounds.\n",
    )


def test_a_result_that_is_not_written_down_is_told(tmp_path: Path) -> None:
    path = tmp_path / "game.war"
    simulated(path)
    without = path.read_text(encoding="utf-8").replace("result: Luis", "# result: Luis")
    path.write_text(without, encoding="utf-8")
    done = run("replay", str(path))
    assert done.exit_code == 0
    assert "the result is not written down: result: Luis, collected" in done.output


def test_standard_input_is_ruled_on() -> None:
    done = CliRunner().invoke(war, ["replay", "-"], input=RIGHT.encode())
    assert done.exit_code == 0
    assert done.output.startswith("standard input: right as far as it goes, 2 rounds")
    wrong = CliRunner().invoke(
        war, ["replay", "-"], input=RIGHT.replace("> Ana", "> Luis").encode()
    )
    assert wrong.exit_code == 1
    assert wrong.output.startswith("standard input:4: Luis does not take the table")


def test_quiet_says_nothing_of_a_right_record(record: Path) -> None:
    done = run("replay", "--quiet", str(record))
    assert (done.exit_code, done.output) == (0, "")


def test_every_disagreement_is_told_with_file_and_line(record: Path) -> None:
    wrong = RIGHT.replace("9♦ > Ana", "9♦ > Luis").replace("7 > Ana", "7 > Luis")
    record.write_text(wrong, encoding="utf-8")
    done = run("replay", str(record))
    assert done.exit_code == 1
    assert done.output.splitlines() == [
        f"{record}:4: Luis does not take the table; by the law: 1. K♠ 9♦ > Ana",
        f"{record}:5: Luis does not take the table; by the law: | (?) (?) | Q 7 > Ana",
    ]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "this is no game record"),
        (RIGHT + "3. K♠ 1♦ > Ana\n", "game.war:6:7: '1♦' is not a card"),
        (RIGHT + "3. K♠ 9♦ > \x1b[31mAna\n", r"\x1b[31mAna"),
    ],
)
def test_what_cannot_be_read_is_told_and_is_not_a_verdict(
    record: Path, text: str, problem: str
) -> None:
    record.write_text(text, encoding="utf-8")
    done = run("replay", str(record))
    assert done.exit_code == 2
    assert problem in done.output
    assert "\x1b" not in done.output


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    done = run("replay", str(tmp_path / "none.war"))
    assert done.exit_code == 2
    assert "there is no such file" in done.output


@pytest.mark.parametrize("format_", ["text", "jsonl"])
@pytest.mark.parametrize("rules", ["english", "shuffled-captures"])
def test_its_transcript_is_the_simulations(tmp_path: Path, format_: str, rules: str) -> None:
    path = tmp_path / "game.war"
    simulated(path, "--rules", rules)
    arguments = ("--seed", "42", "--rules", rules, "--players", "Ana,Luis", "--format", format_)
    simulation = run("simulate", *arguments)
    replay = run("replay", str(path), "--format", format_)
    assert replay.stdout == simulation.stdout
    assert "right, " in replay.stderr


def test_its_transcript_shows_unknown_cards_as_backs(record: Path) -> None:
    done = run("replay", str(record), "--format", "text")
    assert done.stdout.startswith(
        "War by the rules krig, with cards that nobody knew.\n\nAna has 26 cards, Luis 26.\n"
    )
    assert "Each lays 1 card face down: Ana ▒▒, Luis ▒▒." in done.stdout
    assert "takes 6 cards, 9 9 ▒▒ ▒▒ Q 7" in done.stdout


def test_what_is_wrong_stays_out_of_the_transcript(record: Path) -> None:
    record.write_text(RIGHT.replace("9♦ > Ana", "9♦ > Luis"), encoding="utf-8")
    done = run("replay", str(record), "--format", "jsonl")
    assert done.exit_code == 1
    assert f"{record}:4: Luis does not take the table" in done.stderr
    assert '"winner":0' in done.stdout


def test_the_example_is_right_in_every_way_that_it_says() -> None:
    example = Path(__file__).parent.parent / "examples" / "a-rainy-evening.war"
    done = run("replay", str(example))
    assert done.exit_code == 0
    assert "right, 12 rounds by the rules krig in twelve rounds" in done.output
    text = example.read_text(encoding="utf-8")
    commands = [line[4:] for line in text.splitlines() if line.startswith("#   war ")]
    assert commands == [
        "war replay examples/a-rainy-evening.war",
        "war replay examples/a-rainy-evening.war --format text",
    ]
    told = run("replay", str(example), "--format", "text").stdout
    assert "War again: queen against queen!" in told
    assert told.endswith("Ana wins with the most cards, 34: the limit of 12 rounds is reached.\n")


def test_a_record_without_rounds_is_not_made() -> None:
    done = run("simulate", "--seed", "42", "--format", "record", "--summary")
    assert done.exit_code == 2
    assert "would be of no use" in done.output
