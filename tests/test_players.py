"""The names that players can have."""

from __future__ import annotations

import pytest

from warcli.players import BadName, check_names
from warcli.rulesfile import load

ENGLISH = load("english")


@pytest.mark.parametrize(
    ("names", "why"),
    [
        (["A", "A"], "two players are called A"),
        (["Ana", "".join(["A", "na"])], "two players are called Ana"),
        (["Ana", "ANA "], "Ana and ANA differ only in capitals"),
    ],
)
def test_two_players_have_two_names(names: list[str], why: str) -> None:
    with pytest.raises(BadName, match=why):
        check_names(names, ENGLISH)


def test_the_shortest_names_will_do() -> None:
    assert check_names(["A", "b"], ENGLISH) == ("A", "b")
