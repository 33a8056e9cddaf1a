"""The command line: one module a subcommand, thin, and imported only when it runs.

Options in, a call into the library, a rendering out. The exit status is 0 when it is done, 1 when
what was checked is at fault, 2 for bad usage or bad input, 130 when interrupted.
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from typing import Any, NoReturn

import click

from warcli.words import say

COMMANDS = {
    "simulate": "Play one whole game and print its transcript.",
    "deal": "Print the deal of a seed as a deal file.",
    "validate": "Check house-rules files: every problem, with its line.",
    "rules": "List the built-in rules, show one, or print the schema.",
    "explain": "Print the rule sheet of a rules file in plain words.",
    "referee": "Referee a game with real cards, as you type them in.",
    "play": "Play without cards: the program deals and turns them up.",
    "replay": "Rule again on a recorded game, and find where it is wrong.",
    "study": "Play very many games: how long, how they end, is it fair?",
}
"""Each subcommand and what `war --help` says of it; its module bears its name."""


class Commands(click.Group):
    """The subcommands, each of them imported when it is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in COMMANDS:
            return None
        command = getattr(import_module(f"warcli.commands.{cmd_name}"), cmd_name)
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        wanted = args[0]
        if wanted in COMMANDS or wanted.startswith("-") or ctx.resilient_parsing:
            return super().resolve_command(ctx, args)
        from difflib import get_close_matches

        near = get_close_matches(wanted, COMMANDS, n=1)
        hint = say(" Did you mean {command}?", command=near[0]) if near else ""
        raise click.UsageError(
            say("There is no command {name}.{hint}", name=repr(wanted), hint=hint), ctx
        )

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def make_context(self, *args: Any, **extra: Any) -> click.Context:
        with _closed_pipe_is_no_error():
            return super().make_context(*args, **extra)

    def invoke(self, ctx: click.Context) -> Any:
        with _closed_pipe_is_no_error():
            return super().invoke(ctx)


@click.group(
    cls=Commands,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="""\b
Completion of commands, options and profiles in bash:
  eval "$(_WAR_COMPLETE=bash_source war)"
In zsh and fish likewise, with zsh_source and fish_source.""",
)
@click.version_option(package_name="warcli", prog_name="war")
@click.pass_context
def war(ctx: click.Context) -> None:
    """The referee for the card game War.

    \b
    Examples:
      war simulate --seed 42
      war simulate --help
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


def main(prog_name: str = "war") -> NoReturn:
    """Run the command line that was typed, and end the process with its exit status."""
    try:
        status = _run(prog_name)
    except KeyboardInterrupt:
        status = 130
    except OSError as problem:
        status = _cannot_print(problem)
    sys.exit(status)


def _run(prog_name: str) -> int:
    try:
        status = war.main(prog_name=prog_name, complete_var="_WAR_COMPLETE", standalone_mode=False)
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:  # closed by whoever started us
                stream.flush()
    except click.ClickException as problem:
        problem.show()
        return problem.exit_code
    except click.Abort:
        return 130
    return status if isinstance(status, int) else 0


def _is_closed_pipe(problem: OSError) -> bool:
    """Whether it says that the reader of our output has gone."""
    return isinstance(problem, BrokenPipeError) or (
        os.name == "nt" and problem.errno == errno.EINVAL
    )


@contextmanager
def _closed_pipe_is_no_error() -> Iterator[None]:
    """Whoever read our output (a pager, `head`) has seen enough; click would call it a failure."""
    try:
        yield
    except OSError as problem:
        if _is_closed_pipe(problem):
            raise click.exceptions.Exit(0) from None
        raise


def _cannot_print(problem: OSError) -> int:
    """The exit status when standard output or standard error takes no more."""
    if not _is_closed_pipe(problem):
        about = problem.filename if isinstance(problem.filename, str) else say("output")
        why = problem.strerror or str(problem)
        with suppress(OSError):
            click.echo(say("Error: {about}: {why}", about=about, why=why), err=True)
    # What Python would still flush from standard output at exit must go somewhere that takes it.
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    return 0 if _is_closed_pipe(problem) else 2
