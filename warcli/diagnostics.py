"""What is wrong with a file, and where: shown with the line itself and a caret.

house.yaml:4:16: war_face_down cannot be the text three
  |
4 | war_face_down: three
  |                ^^^^^
  = allowed: a whole number from 0 to 10,000
  = did you mean 3?
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator
from typing import Literal

from msgspec import Struct

from warcli.words import printable, say

Part = Literal["place", "error", "warning", "frame", "caret", "hint"]
"""The parts of a shown problem that a terminal can colour."""

_WIDEST = 96
"""Characters of a line that are shown; a longer one is cut out around the fault."""


class Problem(Struct, frozen=True, kw_only=True):
    """One thing that is wrong with a file, or (a warning) merely surprising."""

    path: str
    """The file, as whoever asked for it named it."""
    message: str
    line: int = 0
    """From 1; 0 when the file as a whole is meant."""
    column: int = 0
    """In characters, from 1; 0 when the file as a whole is meant."""
    excerpt: str = ""
    """The line as it stands in the file."""
    width: int = 1
    """How many characters of the line are at fault."""
    allowed: str = ""
    """What could stand there instead."""
    advice: str = ""
    """What to do now: the nearest valid spelling, say."""
    severity: Literal["error", "warning"] = "error"
    extended_by: tuple[str, ...] = ()
    """The files through which this one came to be read, the nearest first."""

    def __str__(self) -> str:
        return shown(self)


def shown(problem: Problem, paint: Callable[[str, Part], str] = lambda text, _: text) -> str:
    """The problem as lines for a person; `paint` colours a part of them."""
    return "\n".join(_lines(problem, paint))


def _lines(problem: Problem, paint: Callable[[str, Part], str]) -> Iterator[str]:
    place = printable(problem.path)
    if problem.line:
        place += f":{problem.line}:{problem.column}"
    message = problem.message
    if problem.severity == "warning":
        message = say("warning: {message}", message=message)
    yield paint(f"{place}:", "place") + " " + paint(message, problem.severity)
    gutter = " " * len(str(problem.line)) if problem.excerpt.strip() else ""
    if problem.excerpt.strip():
        before, fault, after = _cut(problem)
        bar = paint(f"{gutter} |", "frame")
        yield bar
        yield paint(f"{problem.line} |", "frame") + f" {before}{fault}{after}".rstrip()
        carets = "^" * max(1, _columns(fault))
        yield f"{bar} {' ' * _columns(before)}{paint(carets, 'caret')}"
    if problem.allowed:
        yield paint(f"{gutter} = ", "frame") + say("allowed: {what}", what=problem.allowed)
    if problem.advice:
        yield paint(f"{gutter} = ", "frame") + paint(problem.advice, "hint")
    if problem.extended_by:
        files = ", ".join(problem.extended_by)
        yield paint(f"{gutter} = ", "frame") + say("extended by {files}", files=files)


def _cut(problem: Problem) -> tuple[str, str, str]:
    """What is shown of the line: before the fault, the fault, and after it."""
    start = problem.column - 1
    before = problem.excerpt[:start]
    fault = problem.excerpt[start : start + problem.width]
    after = problem.excerpt[start + problem.width :]
    if len(problem.excerpt) > _WIDEST:
        third = _WIDEST // 3
        before = before if len(before) <= third else "…" + before[-third:]
        fault = fault if len(fault) <= third else fault[:third] + "…"
        after = after if len(after) <= third else after[:third] + "…"
    return _on_screen(before), _on_screen(fault), _on_screen(after)


def _on_screen(text: str) -> str:
    """Tabs as spaces, so that the caret stands under what it means on every terminal."""
    return printable(text.replace("\t", "    "))


def _columns(text: str) -> int:
    """How many columns of a terminal a text takes: East Asian characters and emoji take two."""
    return sum(
        2 if unicodedata.east_asian_width(character) in "WF" else 1
        for character in text
        if not unicodedata.combining(character)
    )
