"""The option `--plot`, and writing what it asks for."""

from __future__ import annotations

import os
from collections.abc import Callable
from importlib.util import find_spec
from itertools import combinations
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, BinaryIO, TypeVar

import click

from warcli.commands.options import BadInput, FileType, note
from warcli.commands.output import whole_file
from warcli.words import say

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from warcli.simulation import Simulation

Command = TypeVar("Command", bound=Callable[..., object])


def apart(*targets: str | None) -> None:
    """Raises UsageError when two of these files to be written are the same. None and `-`, which
    isn't a file, never are; nor are devices."""
    named = [target for target in targets if target not in (None, "-")]
    for one, other in combinations(map(Path, filter(None, named)), 2):
        same = os.path.normcase(os.path.realpath(one)) == os.path.normcase(os.path.realpath(other))
        if same and (one.is_file() or not one.exists()):
            raise click.UsageError(
                say("{file} can't be written twice; name two files", file=str(other))
            )


class PictureFile(FileType):
    """The name of a file to draw a picture into, PNG or SVG by its ending.

    Refused where matplotlib isn't installed, before anything is played."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        value = super().convert(value, param, ctx)
        if PurePath(value).suffix.lower() not in (".png", ".svg"):
            raise BadInput(
                say("{file} must end in .png or .svg, the kinds of picture there are", file=value)
            )
        if find_spec("matplotlib") is None:
            raise BadInput(
                say("--plot needs matplotlib; install it with: pip install 'warcli[study]'")
            )
        from logging import CRITICAL, getLogger

        getLogger("matplotlib").setLevel(CRITICAL)  # what it says of its folders helps nobody here
        return value


def plot_option(help: str) -> Callable[[Command], Command]:
    """The option itself; `help` says what is drawn."""
    return click.option("--plot", type=PictureFile(), metavar="FILE.png|.svg", help=help)


def save(figure: Figure, file: BinaryIO, name: str, tell: Callable[[str], None]) -> None:
    """Write the picture into the file of this name, and tell what can't be read in it."""
    from warcli.study import plots

    kind = PurePath(name).suffix[1:].lower()
    missing = plots.save(figure, file, kind)
    if missing and kind == "png":
        tell(
            say(
                "no font on this machine has {signs}: boxes stand for that in {file}; an .svg "
                "file keeps the letters themselves",
                signs=missing,
                file=name,
            )
        )


def save_game(simulation: Simulation, name: str, tell: Callable[[str], None] = note) -> None:
    """Draw the pile sizes of a game that is still to be played, whole or not at all, into the file
    of this name. The game is played once more for it; the simulation itself isn't touched."""
    from warcli.simulation import simulate, simulate_from
    from warcli.study.plots import draw_game

    rules, deal = simulation.rules, simulation.deal
    if simulation.supplied:
        again = simulate_from(rules, deal.piles, deal.seed, deal.game, deal.players)
    else:
        assert deal.seed is not None
        again = simulate(rules, deal.seed, deal.game, deal.players)
    with whole_file(name) as file:
        save(draw_game(again), file, name, tell)
