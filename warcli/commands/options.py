"""The options that several commands share, and how a command refuses bad input."""

from __future__ import annotations

import click

from warcli.words import printable


class BadInput(click.ClickException):
    """What the user gave can't be used: shown as one clear message, and exit status 2.

    The message may have several lines (a file's line with a caret under it); control characters
    in it are escaped.
    """

    exit_code = 2

    def __init__(self, message: str) -> None:
        super().__init__("\n".join(map(printable, message.split("\n"))))
