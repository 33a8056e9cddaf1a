"""How long a game takes at a table, in seconds, from how fast people play."""

from __future__ import annotations

from decimal import Decimal, InvalidOperation
from typing import NamedTuple

from warcli.rules import Rules
from warcli.study.columns import Column, combined
from warcli.words import say

_LONGEST = 86_400


class Pace(NamedTuple):
    """Milliseconds for turning up and taking the cards of a round, and for a whole war step.

    A step that shortage cuts short takes the part of the time that its layers are of a whole one.
    """

    round: int
    step: int

    @classmethod
    def read(cls, text: str) -> Pace:
        """The pace written as `4,6`: seconds for a round, seconds more for each war step.

        Raises ValueError when it isn't two numbers of seconds, the first of them above 0.
        """
        try:
            a_round, a_step = (int(1000 * Decimal(part.strip())) for part in text.split(","))
        except (ValueError, InvalidOperation, OverflowError):
            a_round = a_step = -1
        if not (0 < a_round <= 1000 * _LONGEST and 0 <= a_step <= 1000 * _LONGEST):
            raise ValueError(
                say(
                    "{text} is not a pace; write the seconds for a round and for a war step, "
                    "such as 4,6",
                    text=repr(text),
                )
            )
        return cls(a_round, a_step)

    def seconds(self, rules: Rules, rounds: Column, layers: Column) -> Column:
        """How long games of so many rounds and layers take, in whole seconds, halves up."""
        layers_a_step = rules.war_face_down + 1

        def at_the_table(rounds: int, layers: int) -> int:
            milliseconds = self.round * layers_a_step * rounds + self.step * (layers - rounds)
            return (milliseconds + 500 * layers_a_step) // (1000 * layers_a_step)

        return combined(at_the_table, rounds, layers)

    def __str__(self) -> str:
        return f"{self.round / 1000:g},{self.step / 1000:g}"
