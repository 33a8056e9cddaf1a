"""A study played by a Dask cluster: real processes on this machine, one of them killed."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from msgspec.structs import replace

from warcli.rulesfile import load
from warcli.study.cluster import ClusterUnreachable, cluster_crew
from warcli.study.pace import Pace
from warcli.study.run import CrewLost, Part, Plan, Study, run, thread_crew

SMALL = replace(load("krig"), deck_size=24, rank_order=("A", "K", "Q", "J", "10", "9"))
PLAN = Plan(
    rules=(SMALL, replace(SMALL, capture_order="own-last")),
    seed=11,
    pace=Pace.read("4,6"),
    player="law",
)
GAMES = 4_000
"""So many parts that there is a middle in which a worker can go away."""


WAR = [sys.executable, "-c", "from warcli.__main__ import main; main()"]


def free_port() -> int:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        port: int = listening.getsockname()[1]
        return port


@contextmanager
def process(*arguments: str) -> Iterator[subprocess.Popen[bytes]]:
    """A process of Dask's, killed at the end if it is still there."""
    begun = subprocess.Popen(
        [sys.executable, "-m", "distributed.cli." + arguments[0], *arguments[1:]],
        env=os.environ,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield begun
    finally:
        begun.kill()
        begun.wait()


@contextmanager
def scheduler() -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """The address of a running scheduler, and its process."""
    port = free_port()
    arguments = ("--host", "127.0.0.1", "--port", str(port), "--no-dashboard", "--no-show")
    with process("dask_scheduler", *arguments) as running:
        address = f"tcp://127.0.0.1:{port}"
        while running.poll() is None:
            try:
                with cluster_crew(address):
                    break
            except ClusterUnreachable:
                pass
        yield address, running


def worker(address: str) -> tuple[str, ...]:
    """The arguments of a worker with one thread, without a nanny that would raise it again."""
    return ("dask_worker", address, "--nthreads", "1", "--no-nanny", "--no-dashboard")


@pytest.fixture(scope="module")
def alone() -> Study:
    """The study as one core of this process plays it."""
    study = Study(PLAN)
    with thread_crew(1) as crew:
        run(study, GAMES, crew, lambda _: True)
    return study


def test_a_worker_is_killed_and_another_comes_and_the_figures_stay(alone: Study) -> None:
    study = Study(PLAN)
    with ExitStack() as running, scheduler() as (address, _):
        victim = running.enter_context(process(*worker(address)))
        running.enter_context(process(*worker(address)))
        with cluster_crew(address) as crew:
            workers: list[int] = []

            def look(part: Part | None) -> bool:
                workers.append(crew.threads())
                if part is not None and study.games >= 1_000 > part.first:
                    victim.kill()
                    running.enter_context(process(*worker(address)))
                return True

            while crew.threads() < 2:
                pass
            run(study, GAMES, crew, look)
            assert max(workers) == 2
    assert victim.wait() != 0
    assert study == alone


def test_a_study_waits_for_the_first_worker(alone: Study) -> None:
    study = Study(PLAN)
    with ExitStack() as running, scheduler() as (address, _), cluster_crew(address) as crew:
        waited: list[Part | None] = []

        def look(part: Part | None) -> bool:
            if not waited:
                running.enter_context(process(*worker(address)))
            waited.append(part)
            return True

        assert crew.threads() == 0
        run(study, GAMES, crew, look)
        assert waited[0] is None
    assert study == alone


def test_a_scheduler_that_goes_away_is_told_with_what_was_played() -> None:
    study = Study(PLAN)
    with (
        scheduler() as (address, running),
        process(*worker(address)),
        cluster_crew(address) as crew,
    ):

        def look(part: Part | None) -> bool:
            if part is not None and part.first == 0:
                running.kill()
            return True

        with pytest.raises(CrewLost, match="has gone away"):
            run(study, 10**6, crew, look)
    assert 0 < study.games < 10**6


def test_nobody_there() -> None:
    with (
        pytest.raises(ClusterUnreachable, match="start one with"),
        cluster_crew(f"tcp://127.0.0.1:{free_port()}"),
    ):
        pass


def test_the_command_prints_the_same_report() -> None:
    command = [*WAR, "study"]
    arguments = ["-n", "120000", "-s", "11", "-r", "pyanitsa", "-r", "pyanitsa-direct"]
    here = subprocess.run([*command, *arguments], capture_output=True, check=True)
    with scheduler() as (address, _), process(*worker(address)), process(*worker(address)):
        there = subprocess.run(
            [*command, *arguments, "--cluster", address], capture_output=True, check=True
        )
    assert here.stdout == there.stdout
    assert b"120,000 games of seed 11" in here.stdout


def test_the_command_reports_what_was_played_before_the_scheduler_went_away(
    tmp_path: Path,
) -> None:
    with scheduler() as (address, running), process(*worker(address)):
        begun = subprocess.Popen(
            [
                *WAR,
                *f"study -q -n 1000000000 -s 11 --games-csv games.csv --cluster {address}".split(),
            ],
            cwd=tmp_path,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
        )
        while begun.poll() is None:
            if any(part.stat().st_size > 1_000 for part in tmp_path.glob(".war-*.part")):
                break
        running.kill()
        printed, said = begun.communicate()
    assert said == f"Error: the scheduler at {address} has gone away\n"
    assert begun.returncode == 2
    assert "Broken off: these are the first games only." in printed
    assert list(tmp_path.iterdir()) == []  # not a whole file, so none
