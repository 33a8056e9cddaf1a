"""Whole numbers as people write them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from warcli.commands.numbers import whole_number


@pytest.mark.parametrize(
    "text",
    [
        *("1234567", " 1234567 ", "1,234,567", "1_234_567", "1 234 567", "1'234'567"),
        *("1.234.567", "1\N{NO-BREAK SPACE}234\N{NO-BREAK SPACE}567", "1.234567e6", "12.34567E+5"),
    ],
)
def test_a_number_can_be_written_in_many_ways(text: str) -> None:
    assert whole_number(text) == 1_234_567


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("0", 0),
        ("-5", -5),
        ("−1,000", -1_000),
        ("007", 7),
        ("1,000", 1_000),
        ("1e6", 10**6),
        ("20k", 20_000),
        ("1.5M", 1_500_000),
    ],
)
def test_short_ways_too(text: str, number: int) -> None:
    assert whole_number(text) == number


@given(st.integers(0, 10**20))
def test_any_number_is_read_as_python_writes_it(number: int) -> None:
    for form in ("d", ",d", "_d"):
        assert whole_number(format(number, form)) == number


@pytest.mark.parametrize(
    "text",
    [
        *(
            "",
            " ",
            ",",
            "-",
            "--5",
            "+5",
            "1.5",
            "1,5",
            "1e-1",
            "1.55e1",
            "1.2345k",
            "1m",
            "1G",
            "0x10",
        ),
        *("1,0000", "1000,000", "1,000_000", "1 00", "1,00,000", "1,000,", "1,000.0", "1  000"),
        *("ten", "٣", "²", "1e", "e6", "inf", "nan", "1e100", "9" * 1_000, "1_0"),
    ],
)
def test_what_is_no_whole_number_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is not a whole number, such as 20000, 20,000 or 2e4"):
        whole_number(text)


def test_a_thousand_or_one_is_asked_back() -> None:
    with pytest.raises(ValueError, match=r"'1\.000' can be read in two ways; write 1 or 1000"):
        whole_number("1.000")
