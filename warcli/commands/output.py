"""Where a command's output goes: to standard output, or to a file, whole or not at all."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import get_terminal_size
from stat import S_IMODE
from typing import BinaryIO, NamedTuple

import click

from warcli.commands.options import BadInput, files_read
from warcli.words import say

_DESCRIPTOR = re.compile(r"/dev/(std(out|err)|fd/\d+)|/proc/\w+/fd/\d+")
"""Paths that stand for a stream which is open already."""


class Output(NamedTuple):
    """Where a command writes text."""

    write: Callable[[str], object]
    encoding: str
    colour: bool
    """Whether colours are seen there, and wanted."""
    width: int = 80
    """Columns for text in lines: those of the terminal where it is one, and narrower."""

    def can_show(self, signs: str) -> bool:
        """Whether the encoding has all of these characters."""
        try:
            signs.encode(self.encoding)
        except UnicodeEncodeError:
            return False
        return True


@contextmanager
def opened(target: str | None, *, utf8: bool = False) -> Iterator[Output]:
    """The output that `--output` names; None or `-`: standard output.

    A file is written in UTF-8, as by `whole_file`. Standard output gets its own encoding, what it
    can't show as escapes; with `utf8`, for what is to be read again, a pipe or a file there gets
    UTF-8 with plain line ends on every system. Raises BadInput when it can't be written.
    """
    if target is not None and target != "-":
        with whole_file(target) as file:
            yield Output(lambda text: file.write(text.encode()), "utf-8", colour=False)
        return
    if sys.stdout is None:  # closed by whoever started us
        raise BadInput(say("standard output is closed"))
    if utf8 and not sys.stdout.isatty():
        stream = sys.stdout.buffer
        yield Output(lambda text: stream.write(text.encode()), "utf-8", colour=False)
        stream.flush()
        return
    encoding = sys.stdout.encoding or "ascii"
    terminal = sys.stdout.isatty()
    colour = terminal and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    width = min(80, max(20, get_terminal_size().columns)) if terminal else 80

    def write(text: str) -> None:
        shown = text.encode(encoding, "backslashreplace").decode(encoding)
        click.echo(shown, nl=False, color=colour)

    yield Output(write, encoding, colour, width)


@contextmanager
def whole_file(target: str) -> Iterator[BinaryIO]:
    """A file to write, which is there under its name only when the block ends without an error.

    Until then an older file of that name stays as it is. Symbolic links are followed. A device or
    a pipe is simply written to. Raises BadInput when it can't be written, or is a file that this
    command reads.
    """
    path = Path(target)
    try:
        if path.is_dir():
            raise BadInput(say("{file} is a folder; name a file to write", file=str(path)))
        if any(path.exists() and path.samefile(file) for file in files_read()):
            raise BadInput(
                say("{file} is read here, so it is not written to; name another", file=target)
            )
        if _is_stream(path):
            with path.open("ab") as stream:
                yield stream
        else:
            with _replacement(Path(os.path.realpath(path))) as file:
                yield file
    except BrokenPipeError:
        raise
    except OSError as problem:
        why = problem.strerror or str(problem)
        if not path.parent.exists():
            why = say("there is no folder {folder}", folder=str(path.parent))
        raise BadInput(say("cannot write {file}: {why}", file=target, why=why)) from None


def _is_stream(path: Path) -> bool:
    """Whether the path is a device, a pipe, or a name for a stream that is open already."""
    step = path
    for _ in range(40):  # as many links as systems follow
        if _DESCRIPTOR.fullmatch(str(step.absolute())):
            return True
        if not step.is_symlink():
            break
        step = step.parent / step.readlink()
    return path.exists() and not path.is_file()


@contextmanager
def _replacement(path: Path) -> Iterator[BinaryIO]:
    """A file beside `path` that takes its place, and its permissions, at the end."""
    if path.exists() and not os.access(path, os.W_OK):
        raise PermissionError(None, say("the file is write-protected"))
    beside = path.with_name(f".war-{os.getpid()}-{os.urandom(4).hex()}.part")
    try:
        with beside.open("xb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        if path.exists():
            beside.chmod(S_IMODE(path.stat().st_mode))
        beside.replace(path)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise
