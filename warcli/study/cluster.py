"""The parts of a study played by the workers of a running Dask cluster.

The scheduler gives the part of a worker that went away to another, and the parts are the same
wherever they are played, so workers may come and go without a trace in the figures.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import CancelledError, Future
from contextlib import contextmanager, suppress
from importlib.metadata import version
from logging import CRITICAL, getLogger
from time import monotonic
from typing import Any

from distributed import Client, KilledWorker
from distributed.comm.addressing import parse_address
from distributed.comm.registry import get_backend

from warcli.study.run import CrewLost, Part, Plan, play_part
from warcli.words import say

# What goes wrong with the cluster is ours to say, once and in words.
for _name in ("distributed", "distributed.client", "tornado.application"):
    getLogger(_name).setLevel(CRITICAL)

_CONNECT_SECONDS = 5
_LOOK_SECONDS = 1
"""How long the number of workers is taken to be what it was."""


class ClusterUnreachable(ValueError):
    """There is no scheduler at an address; `str()` of it tells a person."""


@contextmanager
def cluster_crew(address: str) -> Iterator[Cluster]:
    """The workers of the scheduler at this address, such as `tcp://192.168.1.7:8786`.

    What is still to be played when this ends is called off. Raises ClusterUnreachable."""
    try:
        protocol, _ = parse_address(address, strict=True)
        get_backend(protocol)
        client = Client(address, timeout=_CONNECT_SECONDS, set_as_default=False, name="warcli")
    except (OSError, ValueError) as problem:
        raise ClusterUnreachable(
            say(
                "no Dask scheduler answers at {address}; start one with: dask scheduler ({why})",
                address=address,
                why=str(problem).split("\n")[0],
            )
        ) from None
    with client:
        yield Cluster(client, address)


class Cluster:
    """A crew of the workers of a Dask cluster, whichever they are at any time."""

    def __init__(self, client: Client, address: str) -> None:
        self._client = client
        self._address = address
        self._executor = client.get_executor(pure=False)
        self._threads = 0
        self._looked: float = -_LOOK_SECONDS

    def submit(self, plan: Plan, first: int, count: int) -> Future[Part]:
        try:
            future: Future[Part] = self._executor.submit(
                _play_part, version("warcli"), plan, first, count
            )
        except Exception:
            raise self._gone() from None
        return future

    def result(self, future: Future[Part]) -> Part | None:
        try:
            return future.result()
        except KilledWorker:
            return None  # several workers went away with it, one after the other: once more
        except CancelledError:
            raise self._gone() from None
        except CrewLost:
            raise
        except Exception as problem:
            raise CrewLost(
                say(
                    "the cluster could not play: {why}; the scheduler and every worker need "
                    "the same warcli: pip install 'warcli[study,cluster]'",
                    why=str(problem),
                )
            ) from problem

    def at_once(self) -> int:
        if self._client.status != "running":  # what is submitted now would be waited for in vain
            raise self._gone()
        return 2 * max(1, self.threads())

    def threads(self) -> int:
        """How many parts the workers there are now play side by side; looked up at most once a
        second."""
        if monotonic() - self._looked >= _LOOK_SECONDS:
            # A client that has lost its scheduler fails here in more ways than it says.
            with suppress(Exception):
                scheduler: Any = self._client.scheduler
                answer = self._client.sync(scheduler.ncores, callback_timeout=_LOOK_SECONDS)
                self._threads = sum(answer.values())
            self._looked = monotonic()
        return self._threads

    def _gone(self) -> CrewLost:
        return CrewLost(say("the scheduler at {address} has gone away", address=self._address))


def _play_part(wanted: str, plan: Plan, first: int, count: int) -> Part:
    """What a worker does. Raises CrewLost where it could not play the very same games."""
    if version("warcli") != wanted:
        raise CrewLost(
            say(
                "a worker has warcli {other} and this is {wanted}: they might play other games",
                other=version("warcli"),
                wanted=wanted,
            )
        )
    try:
        return play_part(plan, first, count)
    except ImportError as problem:
        raise CrewLost(
            say(
                "a worker cannot play ({why}): pip install 'warcli[study,cluster]' there",
                why=str(problem),
            )
        ) from None
