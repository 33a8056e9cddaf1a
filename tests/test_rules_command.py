"""`war rules`, as a user runs it."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner, Result
from processes import war as started_war

from warcli.commands import war
from warcli.rulesfile import load, profiles, written
from warcli.schema import schema


def rules(*arguments: str) -> Result:
    return CliRunner().invoke(war, ["rules", *arguments])


def test_every_profile_is_listed_with_its_description() -> None:
    result = rules()
    assert (result.exit_code, result.stderr) == (0, "")
    listed = dict(line.split(maxsplit=1) for line in result.stdout.splitlines())
    assert listed == {name: load(name).description for name in profiles()}


@pytest.mark.parametrize("name", profiles())
def test_a_profile_is_shown_as_it_is_written(name: str) -> None:
    result = rules("show", name)
    assert result.exit_code == 0
    assert result.stdout == written(name).text


@pytest.mark.parametrize("name", profiles())
@pytest.mark.parametrize("how", [[], ["--flat"]])
def test_what_is_shown_is_a_rules_file_to_start_from(
    name: str, how: list[str], tmp_path: Path
) -> None:
    mine = tmp_path / f"{name}.yaml"
    mine.write_text(rules("show", name, *how).stdout, encoding="utf-8")
    assert load(str(mine)) == load(name)


def test_shown_flat_rules_extend_nothing_and_hold_every_key() -> None:
    flat = rules("show", "krig-rounds", "--flat").stdout
    assert "extends" not in flat
    keys = [line.split(":")[0] for line in flat.splitlines()]
    assert keys == list(load("krig").__struct_fields__)


@pytest.mark.parametrize("encoding", ["cp1252", "ascii", "utf-16"])
def test_what_is_shown_is_a_rules_file_whatever_the_terminal_can_show(
    encoding: str, tmp_path: Path
) -> None:
    shown = tmp_path / "house.yaml"
    with shown.open("wb") as file:
        started_war("rules", "show", "krig", stdout=file, env={"PYTHONIOENCODING": encoding})
    assert load(str(shown)) == msgspec.structs.replace(load("krig"), name=load(str(shown)).name)
    assert shown.read_text(encoding="utf-8") == written("krig").text


def test_what_is_shown_can_be_written_to_a_file(tmp_path: Path) -> None:
    for command, name in ((["show", "krig"], "house.yaml"), (["schema"], "schema.json")):
        file = tmp_path / name
        result = rules(*command, "--output", str(file))
        assert (result.exit_code, result.stdout) == (0, "")
        assert file.read_text(encoding="utf-8") == rules(*command).stdout


def test_rules_are_not_written_over_themselves(tmp_path: Path) -> None:
    house = tmp_path / "house.yaml"
    house.write_text("extends: krig\n", encoding="utf-8")
    result = rules("show", "--flat", str(house), "-o", str(house))
    assert result.exit_code == 2
    assert f"{house} is read here" in result.stderr
    assert house.read_text(encoding="utf-8") == "extends: krig\n"


def test_a_familys_own_rules_can_be_shown_flat(tmp_path: Path) -> None:
    house = tmp_path / "house.yaml"
    house.write_text("extends: krig\nplayers: 4\n", encoding="utf-8")
    assert "players: 4\n" in rules("show", str(house), "--flat").stdout


def test_an_unknown_profile_is_told_with_the_nearest() -> None:
    for how in ([], ["--flat"]):
        result = rules("show", "pianitsa", *how)
        assert result.exit_code == 2
        assert "did you mean pyanitsa?" in result.stderr
        assert "three-players" in result.stderr
        assert result.stdout == ""


def test_a_profiles_name_alone_is_told_how_it_is_shown() -> None:
    result = rules("krig")
    assert result.exit_code == 2
    assert "war rules show krig" in result.stderr


def test_the_schema_is_printed_as_json() -> None:
    result = rules("schema")
    assert result.exit_code == 0
    assert json.loads(result.stdout) == json.loads(json.dumps(schema()))


@pytest.mark.parametrize("command", [[], ["show"], ["schema"]])
@pytest.mark.parametrize("option", ["-h", "--help"])
def test_its_help_has_an_example(command: list[str], option: str) -> None:
    result = rules(*command, option)
    assert result.exit_code == 0
    assert "Example" in result.stdout
    assert " ".join(["war rules", *command]) in result.stdout
