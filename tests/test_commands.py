"""What all commands share: help, exit statuses, pipes that close, Ctrl-C, output files."""

from __future__ import annotations

import os
import shlex
import signal
import stat
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path
from shutil import which

import pytest
from click.testing import CliRunner
from console import run
from processes import WAR, started, war

from warcli.commands import COMMANDS
from warcli.commands import war as war_command

LONG_GAME = """\
name: long
extends: shuffled-captures
packs: 100
deck_size: 5200
"""
"""Rules of a game that goes on for many thousand rounds."""


@pytest.fixture
def long_rules(tmp_path: Path) -> str:
    file = tmp_path / "long.yaml"
    file.write_text(LONG_GAME, encoding="utf-8")
    return str(file)


# Help


def test_without_a_command_the_help_is_shown() -> None:
    result = war()
    assert (result.returncode, result.stderr) == (0, b"")
    assert result.stdout == war("--help").stdout
    assert all(command in result.stdout.decode() for command in COMMANDS)


def test_python_m_warcli_does_the_same() -> None:
    module = subprocess.run(
        [sys.executable, "-m", "warcli", "deal", "--seed", "42"], capture_output=True, check=True
    )
    assert module.stdout == war("deal", "--seed", "42").stdout


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("option", ["-h", "--help"])
def test_every_command_has_help_with_an_example(command: str, option: str) -> None:
    result = CliRunner().invoke(war_command, [command, option])
    assert result.exit_code == 0
    assert f"war {command} " in result.output.partition("Example")[2]


def test_the_version_is_that_of_the_package() -> None:
    result = war("--version")
    assert result.stdout.decode().strip() == f"war, version {version('warcli')}"


@pytest.mark.parametrize(
    ("typed", "nearest"), [("simulat", "simulate"), ("rule", "rules"), ("explian", "explain")]
)
def test_a_mistyped_command_is_answered_with_the_nearest(typed: str, nearest: str) -> None:
    result = war(typed)
    assert result.returncode == 2
    assert f"Did you mean {nearest}?" in result.stderr.decode()
    assert result.stdout == b""


def test_a_command_like_no_other_is_answered_without_a_guess() -> None:
    result = war("xyzzy")
    assert result.returncode == 2
    assert "Did you mean" not in result.stderr.decode()


def completions(typed: str, word: int) -> list[str]:
    result = war(
        env={"_WAR_COMPLETE": "bash_complete", "COMP_WORDS": typed, "COMP_CWORD": str(word)}
    )
    return [line.partition(",")[2] for line in result.stdout.decode().split()]


def test_the_shell_completes_commands_options_and_profiles() -> None:
    assert completions("war si", 1) == ["simulate"]
    assert "--summary" in completions("war simulate --", 2)
    assert {"krig", "krig-rounds"} <= set(completions("war simulate --rules kr", 3))


@pytest.mark.parametrize("command", ["war validate", "war rules show", "war explain"])
def test_the_shell_completes_rules_wherever_they_are_named(command: str) -> None:
    offered = completions(f"{command} kr", len(command.split()))
    assert {"kr", "krig", "krig-rounds"} == set(offered)  # files are the shell's own to find


if which("bash"):  # evaluates the very script that a user does

    def test_bash_completes_the_names_of_profiles(tmp_path: Path) -> None:
        program = tmp_path / "war"
        program.write_text(f'#!/bin/sh\nexec {shlex.join(WAR)} "$@"\n', encoding="utf-8")
        program.chmod(0o755)
        script = war(env={"_WAR_COMPLETE": "bash_source"}).stdout.decode()
        typed = f"""
            {script}
            compopt() {{ :; }}  # for real keystrokes only
            COMP_WORDS=(war simulate --rules kr) COMP_CWORD=3
            _war_completion {program} kr --rules
            echo "${{COMPREPLY[@]}}"
        """
        done = subprocess.run(["bash", "-c", typed], capture_output=True, check=True, text=True)
        assert (done.stdout.split(), done.stderr) == (["krig", "krig-rounds"], "")


# Standard input


def test_rules_and_deals_come_from_standard_input_too(tmp_path: Path) -> None:
    def typed(text: str, *args: str) -> tuple[str, int]:
        return run(f"war {shlex.join(args)}", tmp_path, text)

    assert typed("extends: krig\nround_limit: 9\n", "validate", "-")[1] == 0
    printed, status = typed("extends: krig\nplayers: two\n", "validate", "-")
    assert ("standard input:2:10: players cannot be" in printed, status) == (True, 1)
    assert "by the rules standard input" in typed("extends: krig", "deal", "--rules", "-")[0]
    game, _ = typed("Ana: 9c\nLuis: Kc\n", "simulate", "--deal", "-")
    assert "Luis has collected" in game
    assert typed("", "simulate", "--deal", "-")[1] == 2


# Pipes, full disks and Ctrl-C

PRINTING = [
    ("--help",),
    ("simulate", "--help"),
    ("simulate", "--seed", "42"),
    ("simulate", "--seed", "42", "--format", "jsonl"),
    ("deal", "--seed", "42"),
]


@pytest.mark.parametrize("args", PRINTING, ids=" ".join)
def test_a_pipe_that_nobody_reads_ends_it_quietly(args: tuple[str, ...]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        result = war(*args, stdout=writing)
    finally:
        os.close(writing)
    assert result.returncode == 0
    assert result.stderr == b""


def test_a_reader_that_leaves_in_the_middle_ends_it_quietly(long_rules: str) -> None:
    process = started("simulate", "--seed", "1", "--rules", long_rules)
    assert process.stdout is not None
    assert process.stderr is not None
    assert process.stdout.readline().startswith(b"War by the rules long")
    process.stdout.close()
    assert process.stderr.read() == b""
    assert process.wait() == 0
    process.stderr.close()


if Path("/dev/full").exists():  # a full disk, where the system has one

    @pytest.mark.parametrize("args", PRINTING, ids=" ".join)
    def test_a_full_disk_is_one_clear_message(args: tuple[str, ...]) -> None:
        with Path("/dev/full").open("wb") as full:
            result = war(*args, stdout=full)
        assert result.returncode == 2
        assert result.stderr.decode() == "Error: output: No space left on device\n"


if sys.platform != "win32":  # Windows has another Ctrl-C

    @pytest.mark.parametrize("format_", ["text", "jsonl"])
    def test_ctrl_c_ends_it_with_130_and_no_traceback(long_rules: str, format_: str) -> None:
        process = started("simulate", "--seed", "1", "--rules", long_rules, "--format", format_)
        assert process.stdout is not None
        process.stdout.readline()  # it is in the middle of the game
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate()
        assert process.returncode == 130
        assert errors.strip() == b""

    @pytest.mark.parametrize("loading", ["typing", "click", "warcli.commands", "warcli.words"])
    def test_ctrl_c_while_it_is_being_loaded_ends_it_without_a_traceback(loading: str) -> None:
        """The process sends itself the signal when it is about to load this module."""
        code = f"""if True:
            import os, signal, sys
            class Typist:
                def find_spec(self, name, *_):
                    if name == {loading!r}:
                        os.kill(os.getpid(), signal.SIGINT)
            sys.meta_path.insert(0, Typist())
            for module in ("typing", "click"):
                sys.modules.pop(module, None)
            from warcli.__main__ import main
            main()
        """
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
        assert done.returncode in {130, -signal.SIGINT}  # a shell shows 130 for either
        assert (done.stdout, done.stderr) == (b"", b"")


# Output files


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def litter(folder: Path) -> list[str]:
    return [name for name in names_in(folder) if name.endswith(".part")]


def test_the_output_file_is_what_would_have_been_printed(tmp_path: Path) -> None:
    printed = war("simulate", "--seed", "42", env={"PYTHONIOENCODING": "utf-8"})
    written = war("simulate", "--seed", "42", "-o", "game.txt", cwd=tmp_path)
    assert (written.returncode, written.stdout, written.stderr) == (0, b"", b"")
    assert (tmp_path / "game.txt").read_bytes().splitlines() == printed.stdout.splitlines()
    assert names_in(tmp_path) == ["game.txt"]


def test_a_hyphen_as_output_file_is_standard_output() -> None:
    assert war("deal", "--seed", "42", "-o", "-").stdout == war("deal", "--seed", "42").stdout


if sys.platform != "win32":  # Windows has another Ctrl-C

    @pytest.mark.parametrize(
        ("sent", "status"),
        [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)],
        ids=["Ctrl-C", "asked to end", "terminal closed"],
    )
    def test_an_interruption_leaves_the_old_file_as_it_was(
        tmp_path: Path, long_rules: str, sent: signal.Signals, status: int
    ) -> None:
        file = tmp_path / "game.txt"
        file.write_text("what was there before", encoding="utf-8")
        process = started("simulate", "--seed", "1", "--rules", long_rules, "--output", str(file))
        while not litter(tmp_path):
            assert process.poll() is None, "it ended before it could be interrupted"
        process.send_signal(sent)
        _, errors = process.communicate()
        assert (process.returncode, errors.strip()) == (status, b"")
        assert file.read_text(encoding="utf-8") == "what was there before"
        assert not litter(tmp_path)


def test_a_killed_process_leaves_the_old_file_as_it_was(tmp_path: Path, long_rules: str) -> None:
    file = tmp_path / "game.txt"
    file.write_text("what was there before", encoding="utf-8")
    process = started("simulate", "--seed", "1", "--rules", long_rules, "--output", str(file))
    while not litter(tmp_path):
        assert process.poll() is None, "it ended before it could be killed"
    process.kill()
    process.communicate()
    assert file.read_text(encoding="utf-8") == "what was there before"


def test_an_existing_file_is_replaced_and_keeps_its_permissions(tmp_path: Path) -> None:
    file = tmp_path / "deal.yaml"
    file.write_text("old", encoding="utf-8")
    file.chmod(0o640)
    before = stat.S_IMODE(file.stat().st_mode)
    assert war("deal", "--seed", "42", "-o", str(file)).returncode == 0
    assert file.read_text(encoding="utf-8").startswith("# The deal of seed 42")
    assert stat.S_IMODE(file.stat().st_mode) == before


if sys.platform != "win32":  # links need a privilege on Windows

    def test_a_link_stays_a_link_and_its_target_is_written(tmp_path: Path) -> None:
        target = tmp_path / "elsewhere" / "deal.yaml"
        target.parent.mkdir()
        link = tmp_path / "link.yaml"
        link.symlink_to(target)
        assert war("deal", "--seed", "42", "-o", str(link)).returncode == 0
        assert link.is_symlink()
        assert target.read_text(encoding="utf-8").startswith("# The deal of seed 42")


if sys.platform != "win32":  # Windows has no such paths

    def test_standard_output_by_its_path_is_added_to_and_not_replaced(tmp_path: Path) -> None:
        file = tmp_path / "log.txt"
        file.write_bytes(b"first line\n")
        with file.open("ab") as log:
            war("deal", "--seed", "42", "--output", "/dev/stdout", stdout=log)
        assert file.read_bytes().startswith(b"first line\n# The deal of seed 42")


if sys.platform != "win32":  # Windows has no such pipes

    def test_a_named_pipe_is_written_to(tmp_path: Path) -> None:
        fifo = tmp_path / "fifo"
        os.mkfifo(fifo)
        process = started("deal", "--seed", "42", "--output", str(fifo))
        assert fifo.read_bytes().startswith(b"# The deal of seed 42")
        process.communicate()
        assert process.returncode == 0


@pytest.mark.parametrize(
    ("target", "said"),
    [
        (".", "is a folder"),
        ("no/such/folder/game.txt", "there is no folder"),
        ("file/game.txt", "cannot write"),
        ("x" * 300, "cannot write"),
    ],
)
def test_a_file_that_cannot_be_written_is_one_clear_message(
    tmp_path: Path, target: str, said: str
) -> None:
    (tmp_path / "file").write_text("a file, not a folder", encoding="utf-8")
    result = war("deal", "--seed", "42", "--output", target, cwd=tmp_path)
    assert result.returncode == 2
    (line,) = result.stderr.decode().splitlines()
    assert line.startswith("Error: ")
    assert said in line
    assert result.stdout == b""
    assert names_in(tmp_path) == ["file"]


def test_a_file_that_is_read_is_not_written_over(tmp_path: Path) -> None:
    rules, deal = tmp_path / "ours.yaml", tmp_path / "deal.yaml"
    rules.write_text("extends: krig\n", encoding="utf-8")
    deal.write_text("A: 9c\nB: 8c\n", encoding="utf-8")
    for command in (
        ["explain", "ours.yaml", "-o", "ours.yaml"],
        ["deal", "-o", str(rules), "--rules", "ours.yaml"],
        ["simulate", "--deal", "deal.yaml", "-o", "./deal.yaml"],
    ):
        result = war(*command, cwd=tmp_path)
        assert result.returncode == 2
        assert "is read here, so it is not written to" in result.stderr.decode()
    assert rules.read_text(encoding="utf-8") == "extends: krig\n"
    assert deal.read_text(encoding="utf-8") == "A: 9c\nB: 8c\n"


@pytest.mark.parametrize(
    "command", [["deal", "-o", ""], ["simulate", "--deal", ""], ["deal", "-r", ""]], ids=" ".join
)
def test_an_empty_name_is_no_file(command: list[str]) -> None:
    result = war(*command)
    assert result.returncode == 2
    assert "empty" in result.stderr.decode()


if sys.platform != "win32":  # Windows has no such streams to close

    @pytest.mark.parametrize("command", [["rules"], ["rules", "schema"], ["validate", "krig"]])
    def test_a_closed_standard_output_is_one_clear_message(command: list[str]) -> None:
        result = war(*command, preexec_fn=lambda: os.close(1))
        assert (result.returncode, result.stderr) == (2, b"Error: standard output is closed\n")


if Path("/dev/full").exists():  # a full disk, where the system has one

    def test_a_full_disk_under_the_output_file_is_one_clear_message() -> None:
        result = war("simulate", "--seed", "42", "--output", "/dev/full")
        assert result.returncode == 2
        assert result.stderr.decode() == "Error: cannot write /dev/full: No space left on device\n"


if sys.platform != "win32":  # Windows has no limits to the size of a file

    def test_a_disk_that_fills_in_the_middle_leaves_the_old_file_as_it_was(tmp_path: Path) -> None:
        import resource

        file = tmp_path / "game.txt"
        file.write_text("what was there before", encoding="utf-8")

        def no_more_than_a_page() -> None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))

        result = war("simulate", "--seed", "42", "-o", str(file), preexec_fn=no_more_than_a_page)
        assert result.returncode == 2
        assert result.stderr.decode() == f"Error: cannot write {file}: File too large\n"
        assert file.read_text(encoding="utf-8") == "what was there before"
        assert names_in(tmp_path) == ["game.txt"]
