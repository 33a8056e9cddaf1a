"""The room that texts take on a terminal."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from prompt_toolkit.utils import get_cwidth

from warcli.cells import cells, filled, fitted, unfilled

texts = st.text(alphabet="Añe ♠█░日本語ｱ花子🂡\N{COMBINING ACUTE ACCENT}", max_size=12)


@pytest.mark.parametrize("text", ["", "Ana", "Añe", "K♠ █░", "日本語の名前", "花子 27", "e\u0301"])
def test_a_text_is_as_wide_as_terminals_have_it(text: str) -> None:
    assert cells(text) == get_cwidth(text)


@given(texts, st.integers(0, 20))
def test_a_fitted_text_fills_its_room_with_its_beginning(text: str, room: int) -> None:
    line = fitted(text, room)
    assert cells(line) == room
    assert text.startswith(line.rstrip(" ")) or cells(text) <= room
    if cells(text) <= room:
        assert line.startswith(text)


@given(texts)
def test_a_filled_text_has_a_character_a_cell(text: str) -> None:
    accents = text.count("\N{COMBINING ACUTE ACCENT}")
    assert len(filled(text)) == cells(text) + accents
    assert unfilled(filled(text)) == text
