"""Reading YAML that a person wrote, and that may be anything at all: text in, nodes out.

Nodes, not values: a node knows its line and column, and how it was written before YAML made a
number or a truth of it. What could do harm (a file of megabytes, a device, nesting without
end, aliases that multiply) is refused before it is built up.
"""

from __future__ import annotations

import re
import stat
from pathlib import Path

import yaml
from msgspec import Struct

from warcli.diagnostics import Problem
from warcli.words import say

LARGEST = 256 * 1024
"""The most bytes that a file may have: room for the longest rank order there can be."""

_DEEPEST = 8
"""Levels of nesting, far more than any of our files has a use for."""

_LINE_BREAK = re.compile("\r\n|[\n\r\x85\u2028\u2029]")
"""What YAML takes for the end of a line, so that lines are counted as it counts them."""

_NOT_IN_YAML = re.compile(
    "[^\t\n\r\x20-\x7e\x85\xa0-\u2027\u202f-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]"
    "|[\u2060-\u2069]"
)
"""Control characters, and those that turn the direction of writing or cannot be seen."""

_Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""The safe loader, in C where it is there: ten times as fast, and the same marks."""


class Unreadable(ValueError):
    """No text can be had from a file; `str()` says why."""


class Faulty(ValueError):
    """The text is no YAML that we read; `problem` says what is wrong, and where."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(str(problem))
        self.problem = problem


class Source(Struct, frozen=True):
    """A text, and the name of the file that it comes from."""

    path: str
    text: str

    def line(self, number: int) -> str:
        """A line as it is written, counted from 1; past the end, nothing."""
        lines = _LINE_BREAK.split(self.text)
        return lines[number - 1] if number <= len(lines) else ""

    def problem(
        self,
        message: str,
        line: int = 1,
        column: int = 1,
        *,
        width: int = 1,
        allowed: str = "",
        advice: str = "",
        warning: bool = False,
    ) -> Problem:
        """Something wrong at this place, counted from 1."""
        return Problem(
            path=self.path,
            message=message,
            line=line,
            column=column,
            excerpt=self.line(line),
            width=width,
            allowed=allowed,
            advice=advice,
            severity="warning" if warning else "error",
        )

    def problem_at(
        self,
        node: yaml.Node,
        message: str,
        *,
        allowed: str = "",
        advice: str = "",
        warning: bool = False,
    ) -> Problem:
        """Something wrong with this node."""
        start, end = node.start_mark, node.end_mark
        width = end.column - start.column if end.line == start.line else 1
        return self.problem(
            message,
            start.line + 1,
            start.column + 1,
            width=max(1, width),
            allowed=allowed,
            advice=advice,
            warning=warning,
        )


def read(path: Path) -> Source:
    """The text of a file. Raises Unreadable."""
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            folder = path.is_dir()
            raise Unreadable(
                say("this is a folder, not a file")
                if folder
                else say("this is a device or a pipe, not a file")
            )
        with path.open("rb") as file:
            data = file.read(LARGEST + 1)
    except FileNotFoundError:
        raise Unreadable(say("there is no such file")) from None
    except PermissionError:
        raise Unreadable(say("you have no permission to read this file")) from None
    except OSError as error:
        raise Unreadable(error.strerror or str(error)) from None
    except ValueError:  # a null character in the path
        raise Unreadable(say("no file can have this name")) from None
    if len(data) > LARGEST:
        raise Unreadable(
            say(
                "the file is too large: more than {kib} KiB, and a few lines are usual",
                kib=LARGEST // 1024,
            )
        )
    return Source(str(path), _decoded(data))


def _decoded(data: bytes) -> str:
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise Unreadable(say("the file is written in UTF-16; save it as UTF-8"))
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        if b"\0" in data:
            raise Unreadable(say("this is not a text file; a text in UTF-8 is wanted")) from None
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
    if hidden := _NOT_IN_YAML.search(source.text):
        raise Faulty(_hidden_problem(source, hidden))
    try:
        _refuse_harm(source)
        return yaml.compose(source.text, _Loader)
    except yaml.MarkedYAMLError as error:
        raise Faulty(_syntax_problem(source, error)) from None
    except yaml.YAMLError as error:
        raise Faulty(source.problem(say("this is not YAML: {why}", why=str(error)))) from None


def _hidden_problem(source: Source, found: re.Match[str]) -> Problem:
    before = _LINE_BREAK.split(source.text[: found.start()])
    return source.problem(
        say(
            "a control character or one that cannot be seen: {escape}",
            escape=found[0].encode("unicode_escape").decode("ascii"),
        ),
        len(before),
        len(before[-1]) + 1,
        advice=say("delete it"),
    )


def _refuse_harm(source: Source) -> None:
    """Look through the document before it is built up: its depth, its aliases, its number."""
    depth = documents = 0
    for event in yaml.parse(source.text, _Loader):
        mark = event.start_mark
        line, column = mark.line + 1, mark.column + 1
        if isinstance(event, yaml.AliasEvent):
            raise Faulty(
                source.problem(
                    say("*{alias} repeats what stands elsewhere", alias=event.anchor),
                    line,
                    column,
                    width=len(event.anchor) + 1,
                    advice=say(
                        "write the value out here; a text that begins with * goes in quotes"
                    ),
                )
            )
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
            if depth > _DEEPEST:
                raise Faulty(
                    source.problem(
                        say("nested more than {deepest} levels deep", deepest=_DEEPEST),
                        line,
                        column,
                        advice=say("write simple lines such as {example}", example="players: 2"),
                    )
                )
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        elif isinstance(event, yaml.DocumentStartEvent):
            documents += 1
            if documents > 1:
                raise Faulty(
                    source.problem(
                        say("a second document begins here"),
                        line,
                        column,
                        width=3,
                        advice=say("keep one document a file: put the other into its own"),
                    )
                )


def _syntax_problem(source: Source, error: yaml.MarkedYAMLError) -> Problem:
    mark = error.problem_mark or error.context_mark
    line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
    written = source.line(line)
    if "\t" in written[: len(written) - len(written.lstrip())]:
        return source.problem(
            say("a tab stands at the beginning of this line; YAML takes only spaces there"),
            line,
            written.index("\t") + 1,
            advice=say("write spaces instead of the tab"),
        )
    why = error.problem or ""
    message = say("this is not YAML: {why}", why=why)
    advice = ""
    if "mapping values" in why:
        message = say("there is one colon too many here")
        advice = say("put a text that holds a colon in quotes")
    elif "cannot start any token" in why:
        message = say(
            "YAML does not let a text begin with {sign}", sign=written[column - 1 : column]
        )
        advice = say("put the text in quotes")
    elif error.context_mark and error.context_mark.line + 1 != line:
        message += say(
            " ({what}, begun in line {line})",
            what=error.context or "",
            line=error.context_mark.line + 1,
        )
    return source.problem(message, line, column, advice=advice)
