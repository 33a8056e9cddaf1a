"""How much memory a study takes, however long it is and however many threads are asked for.

Run by `pytest tests/benchmarks`, on Linux and macOS.

Measured in November 2026 on two cores: 151 MB are Python with its libraries and the kernel, and
the studies below take 160 to 180; as on 64 cores, which have more in hand, 285.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

MOST = 300
"""Megabytes that a study of any length may take."""

STUDY = """
import resource, sys
import warcli.study.run
if cores := int(sys.argv.pop(1)):
    warcli.study.run.cores = lambda: cores
from warcli.__main__ import main
try:
    main()
finally:
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(most / (1 << 20 if sys.platform == "darwin" else 1 << 10), file=sys.stderr)
"""


def megabytes(folder: Path, *arguments: str, cores: int = 0) -> float:
    """The most that a study with these arguments had at any moment, in a process of its own, which
    takes the machine to have so many cores; 0: as it has."""
    done = subprocess.run(
        [sys.executable, "-c", STUDY, str(cores), "study", "-q", "-s", "1", *arguments],
        cwd=folder,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        check=True,
    )
    return float(done.stderr)


KRIG = ["-n", "3000000", "-r", "krig"]
ONE_BY_ONE = [*KRIG, "--games-csv", "games.csv"]


@pytest.mark.parametrize(
    ("arguments", "cores"),
    [
        (["-n", "20000000", "-r", "krig"], 0),
        (ONE_BY_ONE, 0),
        ([*ONE_BY_ONE, "--threads", "512"], 0),
        (ONE_BY_ONE, 64),
        ([*KRIG, "-r", "english", "-r", "guerra"], 0),
        ([*KRIG, "--pace", "4.13,6.27"], 0),
    ],
    ids=["long", "one by one", "512 threads", "64 cores", "three rules", "odd pace"],
)
def test_a_study_takes_little_memory(tmp_path: Path, arguments: list[str], cores: int) -> None:
    assert megabytes(tmp_path, *arguments, cores=cores) <= MOST


def test_ten_times_as_many_games_take_hardly_more(tmp_path: Path) -> None:
    few, many = (
        megabytes(tmp_path, "-n", games, "--games-csv", "games.csv")
        for games in ("2000000", "20000000")
    )
    assert many < 1.15 * few
