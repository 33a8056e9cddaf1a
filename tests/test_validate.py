"""`war validate`, as a user runs it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner, Result
from processes import on_terminal

from warcli.commands import war
from warcli.rulesfile import profiles

BAD = yaml.safe_load(
    Path(__file__).with_name("bad_rules").joinpath("cases.yaml").read_text(encoding="utf-8")
)


def validate(*files: str | Path) -> Result:
    return CliRunner().invoke(war, ["validate", *map(str, files)])


@pytest.fixture
def good(tmp_path: Path) -> Path:
    return file(tmp_path, "good", "extends: english\n")


@pytest.fixture
def surprising(tmp_path: Path) -> Path:
    return file(tmp_path, "surprising", "extends: krig\n")


@pytest.fixture
def faulty(tmp_path: Path) -> Path:
    return file(tmp_path, "faulty", "extends: english\nplayers: nine\nround_limit: no\n")


def file(folder: Path, name: str, text: str) -> Path:
    path = folder / f"{name}.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def test_good_rules_are_ok(good: Path) -> None:
    result = validate(good)
    assert (result.exit_code, result.stdout, result.stderr) == (0, f"{good}: OK\n", "")


def test_warnings_are_shown_and_the_rules_are_ok(surprising: Path) -> None:
    result = validate(surprising)
    assert result.exit_code == 0
    assert f"{surprising}:1:10: warning: a game by these rules can run for ever" in result.stdout
    assert "round_limit" in result.stdout
    assert f"{surprising}: OK, 1 warning" in result.stdout


def test_every_error_is_shown_with_the_line_and_a_caret(faulty: Path) -> None:
    result = validate(faulty)
    assert result.exit_code == 1
    lines = result.stdout.split("\n")
    assert f"{faulty}:2:10: players cannot be the text nine" in lines
    assert lines[lines.index("2 | players: nine") + 1] == "  |          ^^^^"
    assert f"{faulty}:3:14: round_limit cannot be no, which YAML reads as false" in lines
    assert f"{faulty}: 2 errors" in lines


@pytest.mark.parametrize("case", BAD, ids=[case["case"] for case in BAD])
def test_bad_rules_are_a_fault_and_never_a_traceback(case: dict[str, Any], tmp_path: Path) -> None:
    bad = tmp_path / "bad.yaml"
    bad.write_text(case["file"], encoding="utf-8", newline="")
    result = validate(bad)
    assert result.exit_code == 1
    assert isinstance(result.exception, SystemExit)
    for problem in case["problems"]:
        assert f"{bad}:{problem['at']}: " in result.stdout
    assert all(line.isprintable() for line in result.stdout.split("\n"))


def test_what_cannot_be_read_is_told_and_the_others_are_checked_all_the_same(
    tmp_path: Path, good: Path, faulty: Path
) -> None:
    gone, latin = tmp_path / "gone.yaml", tmp_path / "latin.yaml"
    latin.write_bytes("name: Café".encode("latin-1"))
    result = validate(gone, faulty, latin, tmp_path, good)
    assert result.exit_code == 2
    for unread in (gone, latin, tmp_path):
        assert f"{unread}: " in result.stderr
    assert "UTF-8" in result.stderr
    assert f"{faulty}: 2 errors" in result.stdout
    assert f"{good}: OK" in result.stdout


@pytest.mark.parametrize(
    ("files", "status"),
    [
        (["good"], 0),
        (["good", "surprising"], 0),
        (["good", "faulty"], 1),
        (["faulty", "good"], 1),
        (["faulty", "gone"], 2),
        (["gone", "faulty"], 2),
        (["gone", "good"], 2),
    ],
)
@pytest.mark.usefixtures("good", "surprising", "faulty")
def test_the_worst_file_decides_the_exit_status(
    files: list[str], status: int, tmp_path: Path
) -> None:
    assert validate(*(tmp_path / f"{name}.yaml" for name in files)).exit_code == status


def test_built_in_profiles_are_checked_by_name() -> None:
    result = validate(*profiles())
    assert result.exit_code == 0
    assert all(f"{name}: OK" in result.stdout for name in profiles())
    assert "did you mean krig?" in validate("krigg").stderr


def test_without_a_file_it_says_how_it_is_used() -> None:
    result = validate()
    assert result.exit_code == 2
    assert "FILE" in result.stderr


def test_its_help_has_an_example() -> None:
    for option in ("-h", "--help"):
        assert (
            "war validate house-rules.yaml" in CliRunner().invoke(war, ["validate", option]).stdout
        )


# As a program


def run(*arguments: str | Path, **environment: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "warcli", "validate", *map(str, arguments)],
        capture_output=True,
        check=False,
        env={**os.environ, **environment},
    )


def test_a_pipe_gets_no_colours(faulty: Path) -> None:
    ran = run(faulty)
    assert ran.returncode == 1
    assert b"\x1b" not in ran.stdout


def test_a_terminal_that_knows_only_ascii_is_shown_escapes(tmp_path: Path) -> None:
    bad = file(tmp_path, "bad", "extends: english\n日本: 2\ndeck_size: 51\n")
    ran = run(bad, PYTHONIOENCODING="ascii")
    assert ran.returncode == 1
    assert b"\\u65e5\\u672c is no key" in ran.stdout
    assert b"bad.yaml: 2 errors" in ran.stdout
    assert ran.stderr == b""


def test_errors_that_are_not_shown_are_not_counted(tmp_path: Path) -> None:
    bad = file(tmp_path, "bad", "".join(f"key{number}: 1\n" for number in range(120)))
    result = validate(bad)
    assert f"{bad}: more than 100 errors\n" in result.stdout
    assert "101 errors" not in result.stdout


def test_a_reader_that_has_seen_enough_ends_it_quietly(tmp_path: Path) -> None:
    many = [file(tmp_path, f"bad{count}", "players: 9\n" * 90) for count in range(40)]
    command = [sys.executable, "-m", "warcli", "validate", *map(str, many)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as ran:
        assert ran.stdout is not None
        assert ran.stderr is not None
        ran.stdout.readline()
        ran.stdout.close()
        assert ran.stderr.read() == b""


if sys.platform != "win32":  # Windows has no such terminals

    def test_a_terminal_gets_colours_unless_they_are_not_wanted(faulty: Path) -> None:
        for no_color, coloured in (("", True), ("1", False)):
            shown = on_terminal(
                "validate", str(faulty), env={"TERM": "xterm", "NO_COLOR": no_color}
            )
            assert ("\x1b[31m^^^^" in shown) == coloured
            assert "^^^^" in shown
