"""Console sessions in texts, run for real: `from console import check, run`.

A session is what a terminal shows: a command after `$ `, and under it what it prints, standard
error included. A line of `…` stands for any number of lines. A command must end with exit status
0, unless `$ echo $?` after it shows another. Nothing but `war` can be run.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
from pathlib import Path
from typing import NamedTuple

from processes import WAR

ELISION = "…"


class Step(NamedTuple):
    """One command of a session."""

    command: str
    expected: str
    """What it prints, with elisions."""
    status: int


def steps(session: str) -> list[Step]:
    """The commands of a session, each with what it should print and its exit status."""
    found: list[Step] = []
    for block in re.split(r"^\$ ", session, flags=re.MULTILINE)[1:]:
        command, _, printed = block.partition("\n")
        if command == "echo $?":
            found[-1] = found[-1]._replace(status=int(printed))
        else:
            found.append(Step(command, printed, 0))
    return found


def check(session: str, folder: Path) -> None:
    """Run every command of a session in a folder, and compare. Raises AssertionError."""
    for step in steps(session):
        printed, status = run(step.command, folder)
        assert fits(printed, step.expected), f"$ {step.command}\n{printed}"
        assert status == step.status, f"$ {step.command}\nends with exit status {status}"


def run(command: str, folder: Path, typed: str = "") -> tuple[str, int]:
    """What a command line prints on the terminal, and its exit status; `typed` is its input."""
    program, *arguments = shlex.split(command)
    assert program == "war", f"only war can be run here, not {program}"
    done = subprocess.run(
        [*WAR, *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONUTF8": "1", "COLUMNS": "80"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        input=typed,
        encoding="utf-8",
        check=False,
    )
    return done.stdout, done.returncode


def fits(printed: str, expected: str) -> bool:
    """Whether this was printed, where a line of `…` stands for any number of lines."""
    pattern = "".join(
        "(?:.*\n)*" if line.strip() == ELISION else re.escape(line) + "\n"
        for line in expected.splitlines()
    )
    return re.fullmatch(pattern, printed) is not None
