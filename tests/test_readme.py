"""What the README says is so: its commands, what they print, its tables, its Python."""

import doctest
import re
import subprocess
import sys
from pathlib import Path

import pytest
from console import check, fits, run, steps
from msgspec import NODEFAULT
from msgspec.inspect import Field, LiteralType, StructType, UnionType, type_info

from warcli.commands import COMMANDS
from warcli.rules import Rules

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")

RULES = type_info(Rules)
assert isinstance(RULES, StructType)
FIELDS = RULES.fields


def blocks(language: str) -> list[str]:
    """The contents of the fenced blocks in one language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


def table(head: str) -> list[list[str]]:
    """The cells of the table under this head, row by row."""
    _, found, after = README.partition(f"{head}\n")
    assert found
    rows = after.partition("\n\n")[0].splitlines()[1:]
    return [[cell.strip() for cell in row.strip("|").split(" | ")] for row in rows]


def table_of_keys() -> dict[str, str]:
    """The values of every key, as the table has them; some keys have several rows."""
    values: dict[str, str] = {}
    key = ""
    for first, second, _ in table("| key | values | meaning |"):
        key = first.strip("`") or key
        values[key] = values.get(key, "") + second
    return values


def test_every_session_runs_as_shown(tmp_path: Path) -> None:
    for file in [*blocks("yaml"), *(text for text in blocks("text") if text[0] == "#")]:
        name = re.match(r"# (\S+\.(yaml|war))\n", file)
        assert name, f"a file needs its name in its first line:\n{file}"
        (tmp_path / name[1]).write_text(file, encoding="utf-8")
    for session in blocks("console"):
        check(session, tmp_path)


def test_what_is_typed_at_the_table_is_answered_as_shown(tmp_path: Path) -> None:
    (session,) = (text for text in blocks("text") if text.startswith("$ war referee"))
    (step,) = steps(session)
    typed = re.findall(r"^Round \d.*?> (.*)$", step.expected, re.MULTILINE)
    answers = re.sub(r"^Round \d.*?> .*\n", "", step.expected, flags=re.MULTILINE)
    printed, status = run(step.command, tmp_path, typed="\n".join(typed))
    assert (fits(printed, answers), status) == (True, 0), printed


def test_every_command_is_run_in_a_session() -> None:
    sessions = [*blocks("console"), *blocks("text")]
    commands = {step.command.split()[1] for session in sessions for step in steps(session)}
    assert commands == set(COMMANDS)


def test_every_command_is_described() -> None:
    described = [row[0].strip("`").split()[1] for row in table("| command | what it does |")]
    assert described == list(COMMANDS)


def test_the_table_of_keys_names_every_key() -> None:
    assert sorted(table_of_keys()) == sorted([*Rules.__struct_fields__, "extends"])


@pytest.mark.parametrize("field", FIELDS, ids=lambda field: field.name)
def test_the_table_of_keys_names_every_value(field: Field) -> None:
    types = field.type.types if isinstance(field.type, UnionType) else (field.type,)
    values = {value for type_ in types if isinstance(type_, LiteralType) for value in type_.values}
    assert values <= set(re.findall("`([^`]+)`", table_of_keys()[field.name]))


@pytest.mark.parametrize("field", FIELDS, ids=lambda field: field.name)
def test_the_table_of_keys_shows_the_defaults(field: Field) -> None:
    bold = re.findall(r"\*\*`?([^`*]+)`?\*\*", table_of_keys()[field.name])
    without = {(): ["none"], "": [], NODEFAULT: []}
    assert bold == without.get(field.default, [str(field.default)])


def test_the_python_gives_what_it_shows() -> None:
    example = doctest.DocTestParser().get_doctest(
        "\n".join(blocks("python")), {}, "README.md", "README.md", 0
    )
    runner = doctest.DocTestRunner(verbose=False)
    assert example.examples
    assert runner.run(example).failed == 0


@pytest.mark.parametrize(
    ("name", "ends_with"), [("simulate", "war simulate --seed 42"), ("test", "pytest")]
)
def test_ci_runs_the_very_commands_that_set_the_project_up(name: str, ends_with: str) -> None:
    shown = [block.strip() for block in blocks("sh")]
    read = subprocess.run(
        [sys.executable, ROOT / ".ci" / "readme_command.py", name],
        capture_output=True,
        encoding="utf-8",
        check=True,
    ).stdout.strip()
    assert read in shown
    assert read.endswith(ends_with)
    assert f"readme {name}\n" in (ROOT / ".ci" / "run").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("printed", "expected", "same"),
    [
        ("one\ntwo\n", "one\ntwo\n", True),
        ("one\ntwo\n", "one\n", False),
        ("one\ntwo\nthree\n", "one\n…\nthree\n", True),
        ("one\nthree\n", "one\n…\nthree\n", True),
        ("one\ntwo\n", "one\n…\nthree\n", False),
    ],
)
def test_a_session_that_prints_something_else_is_noticed(
    printed: str, expected: str, *, same: bool
) -> None:
    assert fits(printed, expected) == same
