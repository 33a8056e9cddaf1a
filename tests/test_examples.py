"""The files in `examples/`, each played by the commands that it gives, against what must come out.

The expected sessions in `tests/examples/` were checked card for card against the documents that
the examples come from.
"""

import re
from pathlib import Path

import pytest
from console import check, steps

ROOT = Path(__file__).parent.parent
SESSIONS = Path(__file__).parent / "examples"

DEALS = sorted((ROOT / "examples").glob("*.yaml"))
HOUSE_RULES = sorted((ROOT / "examples" / "house-rules").glob("*.yaml"))


def session_of(example: Path) -> str:
    folder = example.parent.relative_to(ROOT / "examples")
    return (SESSIONS / folder / f"{example.stem}.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("example", DEALS, ids=lambda example: example.stem)
def test_a_deal_is_played_as_its_document_says(example: Path) -> None:
    check(session_of(example), ROOT)


@pytest.mark.parametrize("example", DEALS, ids=lambda example: example.stem)
def test_a_deal_gives_the_commands_that_play_it(example: Path) -> None:
    given = re.findall(r"^#   (war .+)$", example.read_text(encoding="utf-8"), re.MULTILINE)
    assert given == [step.command for step in steps(session_of(example))]


@pytest.mark.parametrize("example", HOUSE_RULES, ids=lambda example: example.stem)
def test_house_rules_are_valid_and_play_as_they_did(example: Path) -> None:
    check(session_of(example), ROOT)


def test_every_session_belongs_to_an_example() -> None:
    sessions = {path.relative_to(SESSIONS).with_suffix("") for path in SESSIONS.rglob("*.txt")}
    examples = {path.relative_to(ROOT / "examples").with_suffix("") for path in DEALS + HOUSE_RULES}
    assert sessions == examples
