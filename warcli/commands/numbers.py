"""Whole numbers as people write them on a command line."""

from __future__ import annotations

import re
from decimal import Decimal

import click

from warcli.words import say

_SPACES = "\N{SPACE}\N{NO-BREAK SPACE}\N{THIN SPACE}\N{NARROW NO-BREAK SPACE}"
_DIGITS = re.compile(r"[0-9]+")
_GROUPED = re.compile(rf"[0-9]{{1,3}}(?:([,_'’{_SPACES}])[0-9]{{3}})(?:\1[0-9]{{3}})*")
"""Groups of three digits between signs that are all the same."""
_GROUPED_BY_POINTS = re.compile(r"[0-9]{1,3}(?:\.[0-9]{3}){2,}")
_EITHER_WAY = re.compile(r"[0-9]{1,3}\.[0-9]{3}")
_SCIENTIFIC = re.compile(r"[0-9]+(?:\.[0-9]+)?[eE]\+?[0-9]{1,2}")
_SHORT = re.compile(r"([0-9]+(?:\.[0-9]{1,2})?)([kKM])")
_SHORT_FOR = {"k": 1_000, "K": 1_000, "M": 1_000_000}


def whole_number(text: str) -> int:
    """The whole number that a person means by `1000`, `1,000`, `1_000`, `1 000`, `1e3` or `1k`.

    Raises ValueError, which tells a person, where it is none or can be read in two ways."""
    plain = text.strip()
    if _EITHER_WAY.fullmatch(plain):  # half of the world groups digits by points
        raise ValueError(
            say(
                "{text} can be read in two ways; write {small} or {large}",
                text=repr(plain),
                small=plain.partition(".")[0],
                large=plain.replace(".", ""),
            )
        )
    number = _value(plain) if len(plain) <= 60 else None  # more digits are nothing that is counted
    if number is None or number != int(number):
        raise ValueError(
            say(
                "{text} is not a whole number, such as 20000, 20,000 or 2e4",
                text=repr(text[:40]),
            )
        )
    return int(number)


def _value(plain: str) -> Decimal | None:
    if plain[:1] in ("-", "\N{MINUS SIGN}"):
        positive = _value(plain[1:]) if plain[1:2].isdigit() else None
        return None if positive is None else -positive
    if any(form.fullmatch(plain) for form in (_DIGITS, _GROUPED, _GROUPED_BY_POINTS)):
        return Decimal("".join(_DIGITS.findall(plain)))
    if _SCIENTIFIC.fullmatch(plain):
        return Decimal(plain)
    if short := _SHORT.fullmatch(plain):
        return Decimal(short[1]) * _SHORT_FOR[short[2]]
    return None


class WholeNumber(click.ParamType):  # type: ignore[type-arg]  # generic only in newer clicks
    """A whole number between two others, both included."""

    name = "whole number"

    def __init__(self, least: int, most: int) -> None:
        self._least = least
        self._most = most

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> int:
        try:
            number = whole_number(value)
        except ValueError as problem:
            self.fail(str(problem), param, ctx)
        if not self._least <= number <= self._most:
            self.fail(
                say(
                    "{number} is not between {least} and {most}",
                    number=value.strip(),
                    least=f"{self._least:,}",
                    most=f"{self._most:,}",
                ),
                param,
                ctx,
            )
        return number
