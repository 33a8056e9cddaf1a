"""The command line: one module a subcommand, thin, and imported only when it runs.

Options in, a call into the library, a rendering out. The exit status is 0 when it is done, 1 when
what was checked is at fault, 2 for bad usage or bad input, 130 when interrupted.
"""

from __future__ import annotations

import os
import sys
from importlib import import_module
from typing import NoReturn

import click

COMMANDS = {
    "simulate": "Play one whole game and print its transcript.",
    "deal": "Print the deal of a seed as a deal file.",
    "validate": "Check house-rules files: every problem, with its line.",
    "rules": "List the built-in rules, show one, or print the schema.",
    "explain": "Print the rule sheet of a rules file in plain words.",
}
"""Each subcommand and what `war --help` says of it; its module bears its name."""


class Commands(click.Group):
    """The subcommands, each of them imported when it is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command = getattr(import_module(f"warcli.commands.{cmd_name}"), cmd_name)
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="warcli", prog_name="war")
def war() -> None:
    """The referee for the card game War.

    \b
    Example:
      war simulate --seed 42
    """


def main(prog_name: str = "war") -> NoReturn:
    """Run the command line that was typed, and end the process with its exit status."""
    try:
        status = war.main(prog_name=prog_name, standalone_mode=False)
    except click.ClickException as problem:
        problem.show()
        sys.exit(problem.exit_code)
    except (click.Abort, KeyboardInterrupt):
        sys.exit(130)
    except BrokenPipeError:
        # Whoever read our output (a pager, `head`) has seen enough. What Python would still
        # flush at exit must go somewhere that takes it.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    sys.exit(status if isinstance(status, int) else 0)
