"""`war validate`: check house-rules files."""

from __future__ import annotations

import sys
from typing import Any

import click

from warcli.commands.options import offer_rules
from warcli.commands.output import opened
from warcli.diagnostics import Part, shown
from warcli.rulesfile import MOST_ERRORS, Checked, check
from warcli.study.trial import trial
from warcli.words import say, say_count

_COLOURS: dict[Part, dict[str, Any]] = {
    "place": {"bold": True},
    "error": {"fg": "red", "bold": True},
    "warning": {"fg": "yellow", "bold": True},
    "frame": {"fg": "blue"},
    "caret": {"fg": "red"},
    "hint": {"fg": "green"},
}


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...", shell_complete=offer_rules)
@click.option(
    "--no-trial",
    is_flag=True,
    help="Don't try the rules out: without it some games are played, in half a second a file.",
)
def validate(files: tuple[str, ...], no_trial: bool) -> None:
    """Check house-rules files: every problem of all of them, each with its line.

    Warnings tell of rules that are valid but may surprise. A built-in profile's name is taken in
    place of a file, too, and - is standard input.

    \b
    Exit status:
      0  all are valid, perhaps with warnings
      1  there are errors in the rules
      2  a file cannot be read

    \b
    Examples:
      war validate house-rules.yaml
      war validate *.yaml
    """
    status = 0
    with opened(None) as out:
        paint = _coloured if out.colour else _plain
        for file in files:
            checked = check(file, None if no_trial else trial)
            if checked.unreadable:
                status = 2
                for problem in checked.errors:
                    click.echo(shown(problem), err=True)
                continue
            if checked.errors:
                status = max(status, 1)
            for problem in (*checked.errors, *checked.warnings):
                out.write(shown(problem, paint) + "\n\n")
            out.write(_verdict(file, checked) + "\n")
    sys.exit(status)


def _verdict(file: str, checked: Checked) -> str:
    if len(checked.errors) > MOST_ERRORS:
        return say("{file}: more than {most} errors", file=file, most=MOST_ERRORS)
    if checked.errors:
        return say_count(
            "{file}: {count} error", "{file}: {count} errors", len(checked.errors), file=file
        )
    if checked.warnings:
        return say_count(
            "{file}: OK, {count} warning",
            "{file}: OK, {count} warnings",
            len(checked.warnings),
            file=file,
        )
    return say("{file}: OK", file=file)


def _coloured(text: str, part: Part) -> str:
    return click.style(text, **_COLOURS[part])


def _plain(text: str, _: Part) -> str:
    return text
