"""The option `--plot`, and writing what it asks for."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from pathlib import PurePath
from typing import TYPE_CHECKING, BinaryIO, TypeVar

import click

from warcli.commands.options import BadInput
from warcli.commands.output import whole_file
from warcli.words import say

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from warcli.simulation import Simulation

Command = TypeVar("Command", bound=Callable[..., object])


class PictureFile(click.ParamType):  # type: ignore[type-arg]  # generic only in newer clicks
    """The name of a file to draw a picture into, PNG or SVG by its ending.

    Refused where matplotlib isn't installed, before anything is played."""

    name = "file"

    def convert(
        self,
        value: str,
        param: click.Parameter | None,  # noqa: ARG002
        ctx: click.Context | None,  # noqa: ARG002
    ) -> str:
        if PurePath(value).suffix.lower() not in (".png", ".svg"):
            raise BadInput(
                say("{file} must end in .png or .svg, the kinds of picture there are", file=value)
            )
        if find_spec("matplotlib") is None:
            raise BadInput(
                say("--plot needs matplotlib; install it with: pip install 'warcli[study]'")
            )
        return value


def plot_option(help: str) -> Callable[[Command], Command]:
    """The option itself; `help` says what is drawn."""
    return click.option("--plot", type=PictureFile(), metavar="FILE.png|.svg", help=help)


def save(figure: Figure, file: BinaryIO, name: str) -> None:
    """Write the picture into the file of this name."""
    from warcli.study import plots

    plots.save(figure, file, PurePath(name).suffix[1:].lower())


def save_game(simulation: Simulation, name: str) -> None:
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
        save(draw_game(again), file, name)
