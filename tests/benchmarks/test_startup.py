"""How soon a command answers, as whole processes, against loading the libraries it stands on.

Run by `pytest tests/benchmarks`. The two run in turns, so that what else the machine does hits
both alike; the median of the ratios, turn by turn, counts.
"""

from __future__ import annotations

import os
import subprocess
import sys
from statistics import median
from time import perf_counter

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

TURNS = 21
YARDSTICK = ("-c", "import click, yaml")


def seconds(*args: str) -> float:
    """How long a whole Python process takes with these arguments. Its modules are compiled
    beforehand, as they are wherever the program was installed."""
    unwanted = ("PYTHONDONTWRITEBYTECODE", "PYTHONPYCACHEPREFIX")
    as_installed = {key: value for key, value in os.environ.items() if key not in unwanted}
    start = perf_counter()
    subprocess.run([sys.executable, *args], check=True, stdout=subprocess.DEVNULL, env=as_installed)
    return perf_counter() - start


@pytest.mark.parametrize(
    ("args", "at_most"),
    [
        (("--help",), 1.5),
        (("simulate", "--seed", "42", "--summary"), 2.5),
    ],
    ids=["help", "simulate"],
)
def test_a_command_against_loading_its_libraries(
    benchmark: BenchmarkFixture, args: tuple[str, ...], at_most: float
) -> None:
    yardsticks: list[float] = []
    commands: list[float] = []

    def measure_the_yardstick() -> None:
        yardsticks.append(seconds(*YARDSTICK))

    def run_the_command() -> None:
        commands.append(seconds("-m", "warcli", *args))

    benchmark.pedantic(  # type: ignore[no-untyped-call]
        run_the_command, setup=measure_the_yardstick, rounds=TURNS, warmup_rounds=1
    )
    pairs = list(zip(commands, yardsticks, strict=True))[1:]  # the first one only warmed up
    ratio = median(command / yardstick for command, yardstick in pairs)
    benchmark.extra_info["times the yardstick"] = round(ratio, 2)
    print(f"\nwar {' '.join(args)}: {ratio:.2f} times the yardstick, {at_most} allowed")
    assert ratio <= at_most
