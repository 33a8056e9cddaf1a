"""How a problem with a file is shown: above all, that the caret stands under the fault."""

from __future__ import annotations

import unicodedata

import pytest

from warcli.diagnostics import Part, Problem, shown


def problem(excerpt: str, fault: str, allowed: str = "", advice: str = "") -> Problem:
    column = excerpt.index(fault) + 1
    return Problem(
        path="house.yaml",
        message="something is wrong",
        line=7,
        column=column,
        excerpt=excerpt,
        width=len(fault),
        allowed=allowed,
        advice=advice,
    )


def test_a_problem_is_its_place_its_line_and_its_remedy() -> None:
    shown_problem = shown(problem("players: two", "two", allowed="2 or more", advice="write 2"))
    assert shown_problem.split("\n") == [
        "house.yaml:7:10: something is wrong",
        "  |",
        "7 | players: two",
        "  |          ^^^",
        "  = allowed: 2 or more",
        "  = write 2",
    ]


def test_a_warning_says_so() -> None:
    warned = Problem(path="house.yaml", message="odd", line=1, column=1, severity="warning")
    assert str(warned) == "house.yaml:1:1: warning: odd"


def test_a_problem_with_the_whole_file_has_no_place_in_it() -> None:
    assert str(Problem(path="house.yaml", message="no such file")) == "house.yaml: no such file"


def columns(text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(each) in "WF" else 1 for each in text)


@pytest.mark.parametrize(
    ("excerpt", "fault"),
    [
        ("players: two", "two"),
        ("players:\ttwo", "two"),
        ("日本: two", "two"),
        ("日本: 三", "三"),
        ("😀😀 two", "two"),
        ("\x1b[31mred two", "two"),
        ("name: " + "x" * 200 + " two " + "y" * 200, "two"),
        ("名" * 200 + "two" + "前" * 200, "two"),
    ],
)
def test_the_caret_stands_under_the_fault(excerpt: str, fault: str) -> None:
    _, _, line, carets = shown(problem(excerpt, fault)).split("\n")
    assert line.isprintable()
    assert columns(line[: line.index(fault)]) == carets.index("^")
    assert carets.count("^") == columns(fault)
    assert columns(line) < 150


def test_a_combining_accent_takes_no_column() -> None:
    _, _, line, carets = shown(problem("Cafe\u0301: two", "two")).split("\n")
    assert line.index("two") - 1 == carets.index("^")


def test_the_end_of_a_line_can_be_pointed_at() -> None:
    at_the_end = Problem(path="a", message="b", line=1, column=9, excerpt="players:")
    assert shown(at_the_end).split("\n")[-1] == "  |         ^"


def test_every_part_can_be_coloured() -> None:
    painted: list[Part] = []

    def paint(text: str, part: Part) -> str:
        painted.append(part)
        return text

    wrong = problem("players: two", "two", allowed="2", advice="write 2")
    assert shown(wrong, paint) == shown(wrong)
    assert set(painted) == {"place", "error", "frame", "caret", "hint"}


def test_what_a_file_is_called_cannot_reach_the_terminal_as_it_is() -> None:
    assert str(Problem(path="\x1b[31mred", message="gone")) == "\\x1b[31mred: gone"
