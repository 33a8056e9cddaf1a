"""How long a game takes at a table, from how fast people play."""

from __future__ import annotations

from decimal import Decimal
from typing import NamedTuple

from warcli.rules import Rules
from warcli.study.columns import Column, combined
from warcli.words import say

_SHORTEST_ROUND = 10
_LONGEST = 360_000
"""Hundredths of a second. With these, an int64 has room for the time of any game of fewer than
25 million million rounds and layers, more than a machine plays in a day."""


class Pace(NamedTuple):
    """Hundredths of a second for turning up and taking the cards of a round, and for a whole war
    step.

    A step that shortage cuts short takes the part of the time that its layers are of a whole one.
    """

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

    def times(self, rules: Rules, rounds: Column, layers: Column) -> Column:
        """How long games of so many rounds and layers take, in whole hundredths of a second,
        halves up."""
        layers_a_step = rules.war_face_down + 1

        def at_the_table(rounds: int, layers: int) -> int:
            steps = self.step * (layers - rounds) + layers_a_step // 2
            return self.round * rounds + steps // layers_a_step

        return combined(at_the_table, rounds, layers)

    def __str__(self) -> str:
        return f"{self.round / 100:g},{self.step / 100:g}"


def _hundredths(seconds: str) -> int:
    """Raises ValueError or ArithmeticError unless it is a whole number of hundredths."""
    number = 100 * Decimal(seconds.strip())
    if number % 1:
        raise ValueError(seconds)
    return int(number)
