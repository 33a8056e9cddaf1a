"""How long a game takes at a table, from how fast people play."""

from __future__ import annotations

from decimal import Decimal
from typing import NamedTuple

from warcli.study.columns import Column, combined
from warcli.words import say

_SHORTEST_ROUND = 10
_LONGEST = 360_000
"""Hundredths of a second. With these, an int64 has room for the time of any game of fewer than
25 million million rounds and war steps, more than a machine plays in a day."""


class Pace(NamedTuple):
    """Hundredths of a second for turning up and taking the cards of a round, and for a war step."""

    round: int
    step: int

    @classmethod
    def read(cls, text: str) -> Pace:
        """The pace written as `4,6`: seconds for a round, seconds more for each war step.

        Raises ValueError, which tells a person, when it isn't two numbers of seconds that people
        may take, in whole hundredths.
        """
        try:
            a_round, a_step = map(_hundredths, text.split(","))
        except (ValueError, ArithmeticError):
            a_round = a_step = -1
        if not (_SHORTEST_ROUND <= a_round <= _LONGEST and 0 <= a_step <= _LONGEST):
            raise ValueError(
                say(
                    "{text} is not a pace; write the seconds for a round, from {shortest} to "
                    "{longest}, and for a war step, from 0 to {longest}, such as 4,6 or 4.25,6",
                    text=repr(text),
                    shortest=f"{_SHORTEST_ROUND / 100:g}",
                    longest=f"{_LONGEST / 100:g}",
                )
            )
        return cls(a_round, a_step)

    def times(self, rounds: Column, steps: Column) -> Column:
        """How long games of so many rounds and war steps take, in hundredths of a second."""
        return combined(
            lambda rounds, steps: self.round * rounds + self.step * steps, rounds, steps
        )

    def __str__(self) -> str:
        return f"{self.round / 100:g},{self.step / 100:g}"


def _hundredths(seconds: str) -> int:
    """Raises ValueError or ArithmeticError unless it is a whole number of hundredths."""
    number = 100 * Decimal(seconds.strip())
    if number % 1:
        raise ValueError(seconds)
    return int(number)
