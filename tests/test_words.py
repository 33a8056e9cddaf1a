"""Nothing that a person reads can steer the terminal, whatever was put into the sentence."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from warcli.words import printable, say, say_count


@given(st.text())
def test_whatever_is_said_stays_on_its_line_and_shows_all_that_it_holds(text: str) -> None:
    said = say("{name} takes the table.", name=text)
    assert said.endswith(" takes the table.")
    assert not [sign for sign in said if unicodedata.category(sign) in ("Cc", "Cf", "Zl", "Zp")]


@pytest.mark.parametrize("text", ["Ana", "Peter Möller", "Мария", "李小龙", "K♠ 9♦", "P’yanitsa"])
def test_ordinary_names_are_said_as_they_are(text: str) -> None:
    assert printable(text) == text


def test_what_steers_a_terminal_is_shown_as_the_escape_that_makes_it() -> None:
    assert printable("\x1b[2J\u202eLuis\r\n") == r"\x1b[2J\u202eLuis\r\n"


def test_a_count_chooses_between_one_and_many_and_is_put_in() -> None:
    counted = [say_count("{count} card", "{count} cards", count) for count in (0, 1, 2)]
    assert counted == ["0 cards", "1 card", "2 cards"]


def test_braces_in_what_is_put_in_are_only_braces() -> None:
    assert say("{name} wins", name="{count}") == "{count} wins"
