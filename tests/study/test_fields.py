"""What the README says of a study's figures and of its games one by one: all of them, no more."""

from __future__ import annotations

import csv
import io
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import get_args

import pytest
from test_readme import table

from warcli.study.figures import Stopped
from warcli.study.games import REASONS

HEAD = "| part | field | what it is |"
FIELDS: dict[str, set[str]] = {}
for first, names, _ in table(HEAD):
    if first:
        part = first.replace("`", "")
        FIELDS[part] = set()
    FIELDS[part] |= set(re.findall("`([a-z0-9_]+)`", names))

PARTS = {
    "rules": "each of the rules",
    "ended": "a share",
    "wins": "a share",
    "drawn": "a share",
    **dict.fromkeys(("rounds", "minutes", "layers", "lead_changes"), "a spread"),
    **dict.fromkeys(("shortest", "longest", "deepest"), "an extreme"),
    "wars": "an entry of wars",
    "bars": "a bar",
    "change": "change",
}
"""What stands in a field, or in each entry of it."""

LISTS = {"ended", "wins", "rules", "wars", "bars"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Reports of rules under which some games never end, compared, and the games of the first."""
    folder = tmp_path_factory.mktemp("study")
    for name, changes in (("first", ""), ("second", "war_face_down: 2\ntime_limit: 30m\n")):
        rules = f"extends: krig\ncapture_order: seat-order\n{changes}"
        (folder / f"{name}.yaml").write_text(rules, encoding="utf-8")
    both = ["-r", "first.yaml", "-r", "second.yaml", "--until", "20%"]
    for more in (
        [*both, "-o", "report.json", "--format", "json"],
        [*both, "-o", "report.csv", "--format", "csv"],
        ["-r", "first.yaml", "--games-csv", "games.csv"],
    ):
        subprocess.run(
            [sys.executable, "-m", "warcli", "study", "-n", "4000", "-s", "1", *more],
            cwd=folder,
            capture_output=True,
            check=True,
        )
    return folder


def entries(value: object, field: str) -> list[object]:
    if field not in LISTS:
        return [value]
    assert isinstance(value, dict | list)
    return list(value.values() if isinstance(value, dict) else value)


def check(value: object, part: str) -> None:
    """Raises AssertionError unless this is what the README says of such a part of a report."""
    assert isinstance(value, dict)
    told = FIELDS[part]
    # the first of the rules are compared with nothing
    assert set(value) in (told, told - {"change"}), part
    for field, content in value.items():
        inner = PARTS.get(field)
        if inner is None or not isinstance(content, dict | list):
            continue
        if part == "change":
            inner = "a difference"
        for entry in entries(content, field):
            check(entry, inner)


def test_json_has_the_fields_that_the_readme_tells(folder: Path) -> None:
    report = json.loads((folder / "report.json").read_text(encoding="utf-8"))
    check(report, "the study")
    assert set(report["rules"][1]["change"]) == FIELDS["change"]
    assert "change" not in report["rules"][0]


def test_csv_has_the_same_under_their_paths(folder: Path) -> None:
    with (folder / "report.csv").open(encoding="utf-8") as file:
        lines = list(csv.DictReader(file))
    assert set(lines[0]) == {"rules", "figure", "value"}
    steps = {step for line in lines for step in line["figure"].split(".")}
    reasons = {"collected", "shortage", "endless"}
    words = {step for step in steps if not step.isdigit()} - reasons
    told = set().union(*FIELDS.values())
    assert words == told - {"rules"}  # which have a column of their own


@pytest.mark.parametrize(("field", "values"), [("stopped", get_args(Stopped)), ("ended", REASONS)])
def test_every_reason_is_told(field: str, values: tuple[str, ...]) -> None:
    told = next(text for _, names, text in table(HEAD) if names == f"`{field}`")
    assert set(re.findall("`([a-z-]+)`", told)) == set(values)


def test_the_games_have_the_columns_that_the_readme_tells(folder: Path) -> None:
    text = (folder / "games.csv").read_text(encoding="utf-8")
    (head, *_) = csv.reader(io.StringIO(text))
    assert head == [name.strip("`") for name, _ in table("| column | what it is |")]
