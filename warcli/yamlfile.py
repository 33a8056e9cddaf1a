"""Reading YAML that a person wrote, and that may be anything at all: text in, nodes out.

Nodes, not values: a node knows its line and column, and how it was written before YAML made a
number or a truth of it. What could do harm (a file of megabytes, a device, nesting without
end, aliases that multiply) is refused before it is built up.
"""

from __future__ import annotations

import re
import stat
import sys
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import yaml
from msgspec import Struct

from warcli.diagnostics import Problem
from warcli.words import say

LARGEST = 256 * 1024
"""The most bytes that a file may have: room for the longest rank order there can be."""

_DEEPEST = 8
"""Levels of nesting, far more than any of our files has a use for."""

_LINE_BREAK = "\r\n|[\n\r\x85\u2028\u2029]"
"""What YAML takes for the end of a line, so that lines are counted as it counts them."""

_NOT_SHOWN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\u2028-\u202e\u2060-\u2069\ufeff\ufffe\uffff]"
)
"""Control characters, and those that turn the direction of writing or cannot be seen."""

_Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""The safe loader, in C where it is there: ten times as fast, and the same marks."""


class Unreadable(ValueError):
    """No text can be had from a file; `str()` says why."""


class Missing(Unreadable):
    """There is no such file."""


class Faulty(ValueError):
    """The text is no YAML that we read; `problem` says what is wrong, and where."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(str(problem))
        self.problem = problem


class Place(NamedTuple):
    """Where something stands in a text: line and column from 1, and how many characters."""

    line: int = 1
    column: int = 1
    width: int = 1


class Source(Struct, frozen=True, dict=True):
    """A text, and the name of the file that it comes from."""

    path: str
    text: str

    def line(self, number: int) -> str:
        """A line as it is written, counted from 1; past the end, nothing."""
        return self._lines[number - 1] if number <= len(self._lines) else ""

    @cached_property
    def _lines(self) -> list[str]:
        return re.split(_LINE_BREAK, self.text)

    def problem(
        self,
        where: Place | yaml.Node,
        message: str,
        *,
        allowed: str = "",
        advice: str = "",
        warning: bool = False,
    ) -> Problem:
        """Something wrong, or surprising, at a place or with a node."""
        place = where if isinstance(where, Place) else place_of(where)
        return Problem(
            path=self.path,
            message=message,
            line=place.line,
            column=place.column,
            width=place.width,
            excerpt=self.line(place.line),
            allowed=allowed,
            advice=advice,
            severity="warning" if warning else "error",
        )


def place_of(node: yaml.Node) -> Place:
    """Where a node stands; of one that goes over several lines, where it begins."""
    start, end = node.start_mark, node.end_mark
    width = end.column - start.column if end.line == start.line else 1
    return Place(start.line + 1, start.column + 1, max(1, width))


def _place_of_mark(mark: Any) -> Place:
    return Place(mark.line + 1, mark.column + 1) if mark else Place()


def read(path: Path, largest: int = LARGEST) -> Source:
    """The text of a file, which may have `largest` bytes.

    Raises Unreadable, or Missing in particular.
    """
    data = b""
    try:
        kind = path.stat().st_mode
        if stat.S_ISREG(kind):  # to open a pipe could wait for ever
            with path.open("rb") as file:
                data = file.read(largest + 1)
    except (FileNotFoundError, NotADirectoryError):
        raise Missing(say("there is no such file")) from None
    except PermissionError:
        raise Unreadable(say("you have no permission to read this file")) from None
    except OSError as error:
        raise Unreadable(error.strerror or str(error)) from None
    except ValueError:  # a null character
        raise Unreadable(say("no file can have this name")) from None
    if stat.S_ISDIR(kind):
        raise Unreadable(say("this is a folder, not a file"))
    if not stat.S_ISREG(kind):
        raise Unreadable(say("this is a device or a pipe, not a file"))
    if len(data) > largest:
        raise _too_large(largest)
    return Source(str(path), _decoded(data))


def read_standard_input(largest: int = LARGEST) -> Source:
    """What another program writes into this one, of `largest` bytes at most. Raises Unreadable."""
    if sys.stdin is None:
        raise Unreadable(say("standard input is closed"))
    data = sys.stdin.buffer.read(largest + 1)
    if len(data) > largest:
        raise _too_large(largest)
    return Source(say("standard input"), _decoded(data))


def _too_large(largest: int) -> Unreadable:
    return Unreadable(
        say(
            "the file is too large: more than {kib} KiB, and a few lines are usual",
            kib=largest // 1024,
        )
    )


def _decoded(data: bytes) -> str:
    if data.startswith((b"\xff\xfe\0\0", b"\0\0\xfe\xff")):
        raise Unreadable(say("the file is written in UTF-32; save it as UTF-8"))
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise Unreadable(say("the file is written in UTF-16; save it as UTF-8"))
    if b"\0" in data:
        raise Unreadable(say("this is not a text in UTF-8: it holds null characters"))
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Unreadable(
            say(
                "the file is not written in UTF-8 (line {line} holds the byte {byte}, which in "
                "Latin-1 is {character}); save it as UTF-8",
                line=data.count(b"\n", 0, error.start) + 1,
                byte=f"0x{data[error.start]:02x}",
                character=data[error.start : error.start + 1].decode("latin-1"),
            )
        ) from None


def compose(source: Source) -> yaml.Node | None:
    """The one document of a text; None when it is empty. Raises Faulty."""
    if unseen := _NOT_SHOWN.search(source.text):
        raise Faulty(_unseen_problem(source, unseen))
    try:
        if harm := _harm(source):
            raise Faulty(harm)
        return yaml.compose(source.text, _Loader)
    except yaml.MarkedYAMLError as error:
        raise Faulty(_syntax_problem(source, error)) from None
    except yaml.YAMLError as error:
        raise Faulty(source.problem(Place(), _not_yaml(str(error)))) from None


def _unseen_problem(source: Source, unseen: re.Match[str]) -> Problem:
    before = re.split(_LINE_BREAK, source.text[: unseen.start()])
    return source.problem(
        Place(len(before), len(before[-1]) + 1),
        say(
            "a control character, or one that cannot be seen: {escape}",
            escape=unseen[0].encode("unicode_escape").decode("ascii"),
        ),
        advice=say("delete it"),
    )


def _harm(source: Source) -> Problem | None:
    """What could do harm if the document were built up: its depth, its aliases, its number."""
    depth = documents = 0
    for event in yaml.parse(source.text, _Loader):
        start = _place_of_mark(event.start_mark)
        if isinstance(event, yaml.AliasEvent):
            alias = f"*{event.anchor}"
            return source.problem(
                start._replace(width=len(alias)),
                say("{alias} stands for what is written elsewhere", alias=alias),
                advice=say("write it out here; a text that begins with * goes in quotes"),
            )
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
            if depth > _DEEPEST:
                return _too_deep(source, start)
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        elif isinstance(event, yaml.DocumentStartEvent):
            documents += 1
            if documents > 1:
                return source.problem(
                    start._replace(width=3),
                    say("a second document begins here"),
                    advice=say("keep one document a file: put the other into its own"),
                )
    return None


def _too_deep(source: Source, place: Place) -> Problem:
    return source.problem(
        place,
        say("nested more than {deepest} levels deep", deepest=_DEEPEST),
        advice=say("write plain lines: a key, a colon and a value"),
    )


def _syntax_problem(source: Source, error: yaml.MarkedYAMLError) -> Problem:
    place = _place_of_mark(error.problem_mark or error.context_mark)
    written = source.line(place.line)
    indent = written[: len(written) - len(written.lstrip())]
    if "\t" in indent or written[place.column - 1 : place.column] == "\t":
        where = place if "\t" not in indent else Place(place.line, indent.index("\t") + 1)
        return source.problem(
            where,
            say("a tab stands here, where YAML takes only spaces"),
            advice=say("write spaces instead of the tab"),
        )
    why = error.problem or ""
    if "nesting depth" in why:  # the loader in C looks ahead
        return _too_deep(source, place)
    if "mapping values" in why:
        message = say("this colon cannot stand here")
        advice = (
            say("begin each key at the left edge, under the others")
            if written.startswith(" ")
            else say("a text that holds a colon and a space goes in quotes")
        )
    elif "cannot start any token" in why:
        sign = written[place.column - 1 : place.column]
        message = say("YAML does not let a text begin with {sign}", sign=sign)
        advice = say("put the text in quotes")
    else:
        message, advice = _not_yaml(why), ""
        if error.context_mark and error.context_mark.line + 1 != place.line:
            advice = say(
                "{what} that began in line {line}",
                what=error.context or "",
                line=error.context_mark.line + 1,
            )
    return source.problem(place, message, advice=advice)


def _not_yaml(why: str) -> str:
    return say("this is not YAML: {why}", why=why)
