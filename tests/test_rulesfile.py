"""Rules files: what is read, and what is said of every fault in them.

The faulty files are data: tests/bad_rules/cases.yaml.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest
import yaml
from hypothesis import example, given, settings
from hypothesis import strategies as st
from processes import run_by_nobody
from strategies import rules as some_rules

from warcli import yamlfile
from warcli.diagnostics import Problem
from warcli.rules import Rules
from warcli.rulesfile import RulesFileError, as_yaml, check, load, profiles
from warcli.words import printable

BAD = yaml.safe_load(
    Path(__file__).with_name("bad_rules").joinpath("cases.yaml").read_text(encoding="utf-8")
)


@pytest.fixture(params=["the loader in C", "the loader in Python"])
def loader(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where PyYAML was built without its part in C, everything must be the same."""
    if request.param == "the loader in Python":
        monkeypatch.setattr(yamlfile, "_Loader", yaml.SafeLoader)


@pytest.fixture
def house(tmp_path: Path) -> Path:
    return tmp_path / "house.yaml"


def place(problem: Problem) -> str:
    return f"{problem.line}:{problem.column}"


@pytest.mark.usefixtures("loader")
@pytest.mark.parametrize("case", BAD, ids=[case["case"] for case in BAD])
def test_each_fault_is_told_with_its_place_and_its_remedy(
    case: dict[str, Any], house: Path
) -> None:
    house.write_text(case["file"], encoding="utf-8", newline="")
    checked = check(str(house))
    assert checked.rules is None
    assert not checked.unreadable
    assert [place(error) for error in checked.errors] == [each["at"] for each in case["problems"]]
    for error, expected in zip(checked.errors, case["problems"], strict=True):
        assert error.path == str(house)
        assert expected["says"] in error.message
        assert expected.get("allowed", "") in error.allowed
        assert expected.get("advice", "") in error.advice


@pytest.mark.usefixtures("loader")
@pytest.mark.parametrize("case", BAD, ids=[case["case"] for case in BAD])
def test_what_is_wrong_is_told_on_lines_without_control_characters(
    case: dict[str, Any], house: Path
) -> None:
    house.write_text(case["file"], encoding="utf-8", newline="")
    with pytest.raises(RulesFileError) as error:
        load(str(house))
    assert all(line.isprintable() for line in str(error.value).split("\n"))
    for problem in case["problems"]:
        assert f"{house}:{problem['at']}: " in str(error.value)


@pytest.mark.usefixtures("loader")
@pytest.mark.parametrize("opening", ["[", "{a: ", "- ", "? "])
def test_nesting_that_would_exhaust_the_stack_is_refused(opening: str, house: Path) -> None:
    house.write_text("rank_order:\n " + opening * 20_000, encoding="utf-8", newline="")
    [error] = check(str(house)).errors
    assert "levels deep" in error.message


# Files that cannot be read


def unreadable(source: str | Path) -> str:
    """What is said of a file that cannot be read at all."""
    checked = check(str(source))
    assert checked.unreadable
    [problem] = checked.errors
    with pytest.raises(RulesFileError) as error:
        load(str(source))
    assert error.value.unreadable
    assert error.value.problems == (problem,)
    return str(problem)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-be", "utf-32"])
def test_a_file_in_another_unicode_encoding_is_to_be_saved_as_utf_8(
    encoding: str, house: Path
) -> None:
    house.write_bytes("extends: english\n".encode(encoding))
    assert "UTF-8" in unreadable(house)
    assert encoding[:6].upper() in unreadable(house) or encoding == "utf-16-be"


def test_latin_1_is_told_with_the_line_and_the_character(house: Path) -> None:
    house.write_bytes("extends: english\nname: Café\n".encode("latin-1"))
    assert "line 2" in unreadable(house)
    assert "é" in unreadable(house)
    assert "save it as UTF-8" in unreadable(house)


def test_a_file_of_megabytes_is_not_read(house: Path) -> None:
    house.write_bytes(b"# nothing but a comment\n" * 200_000)
    assert "more than 256 KiB" in unreadable(house)


def test_the_largest_file_is_read(house: Path) -> None:
    house.write_text("extends: english\n#".ljust(yamlfile.LARGEST), encoding="utf-8", newline="")
    assert load(str(house)).deck_size == 52


def test_a_folder_is_no_rules_file(tmp_path: Path) -> None:
    assert "folder" in unreadable(tmp_path)


def test_a_missing_file_is_told_with_the_profiles_there_are(tmp_path: Path) -> None:
    assert "no such file" in unreadable(tmp_path / "gone.yaml")
    assert "krig-rounds" in unreadable(tmp_path / "gone.yaml")


def test_the_nearest_profile_is_offered() -> None:
    assert "did you mean pyanitsa?" in unreadable("piyanitsa")
    assert "did you mean krig?" in unreadable("Krig")


@pytest.mark.parametrize("name", ["", "a\0b", "krig\n", "x" * 5000, "\x1b[31mkrig", "?", "//"])
def test_what_can_be_no_files_name_is_refused_like_any_other(name: str) -> None:
    assert all(line.isprintable() for line in unreadable(name).split("\n"))


def test_a_device_or_a_pipe_is_not_waited_for(house: Path) -> None:
    assert "device" in unreadable(os.devnull)
    if hasattr(os, "mkfifo"):
        os.mkfifo(house)
        assert "pipe" in unreadable(house)


if sys.platform != "win32":  # Windows has other permissions, and links need one there

    def test_a_file_that_may_not_be_read_is_told(house: Path) -> None:
        house.write_text("extends: english\n", encoding="utf-8")
        house.chmod(0)
        code = (
            "import sys; from warcli.rulesfile import check; check('nothing')\n"
            "become_nobody()\n"
            "checked = check(sys.argv[1]); print(checked.unreadable, checked.errors[0])"
        )
        told = run_by_nobody(code, str(house))
        assert told == f"True {house}: you have no permission to read this file\n"

    def test_a_link_that_leads_nowhere_else_is_told(tmp_path: Path) -> None:
        loop = tmp_path / "loop.yaml"
        loop.symlink_to(loop)
        assert str(loop) in unreadable(loop)


@pytest.mark.parametrize(
    "deal",
    [
        "Ana: 9♣ 3♦ Q♦\nLuis: 9h Ks 7\n",
        "Ana: [9c, 10d]\nLuis: []\n",
        "A: 9c,8c\nB:\n",
    ],
)
def test_a_deal_is_told_what_it_is(deal: str, house: Path) -> None:
    house.write_text(deal, encoding="utf-8")
    [error] = check(str(house)).errors
    assert error.message == "this is a deal, not the rules of a game"
    assert error.advice == f"play it: war simulate --deal {house}"


def test_unknown_keys_make_no_deal(house: Path) -> None:
    house.write_text("player: 3\nrank-order: A K Q J\n", encoding="utf-8")
    assert "player is no key" in check(str(house)).errors[0].message


# Files that are read, whatever an editor did to them


@pytest.mark.usefixtures("loader")
@pytest.mark.parametrize(
    "data",
    [
        b"extends: english\nplayers: 3\n",
        b"\xef\xbb\xbfextends: english\nplayers: 3\n",
        b"extends: english\r\nplayers: 3\r\n",
        b"extends: english\rplayers: 3",
        b"---\nextends: english\nplayers: 3\n...\n",
        b"%YAML 1.1\n---\n{extends: english, players: 3}",
        b'"extends": "english"\n"players": 3 # a comment\n',
    ],
    ids=["plain", "with a BOM", "CRLF", "CR", "marked document", "in braces", "in quotes"],
)
def test_what_editors_do_to_a_file_is_forgiven(data: bytes, house: Path) -> None:
    house.write_bytes(data)
    assert load(str(house)).players == 3


@pytest.mark.usefixtures("loader")
@pytest.mark.parametrize(
    "written",
    [
        "A K Q J 10 9 8 7 6 5 4 3 2",
        "[A, K, Q, J, 10, 9, 8, 7, 6, 5, 4, 3, 2]",
        "['A', K, Q, J, \"10\", 9, 8, 7, 6, 5, 4, 3, 2]",
        "A K Q J 10\n  9 8 7 6 5 4 3 2",
        ">\n  A K Q J 10\n  9 8 7 6 5 4 3 2\n",
        "\n- A\n- K\n- Q\n- J\n- 10\n- 9\n- 8\n- 7\n- 6\n- 5\n- 4\n- 3\n- 2",
    ],
)
def test_ranks_are_a_list_or_a_text_split_at_spaces(written: str, house: Path) -> None:
    house.write_text(f"extends: krig\nrank_order: {written}\n", encoding="utf-8")
    assert load(str(house)).rank_order == load("krig").rank_order


@pytest.mark.usefixtures("loader")
def test_ranks_are_compared_as_they_are_written(house: Path) -> None:
    house.write_text(
        "extends: krig\ndeck_size: 28\nrank_order: [no, 1_0, 010, 0x10, 1.50, 2024-01, Cavalier]\n",
        encoding="utf-8",
    )
    [error] = check(str(house)).errors
    assert "2024-01 holds a sign" in error.message
    house.write_text(
        "extends: krig\ndeck_size: 24\nrank_order: [no, 1_0, 010, 0x10, 1.50, Cavalier]\n",
        encoding="utf-8",
    )
    assert load(str(house)).rank_order == ("no", "1_0", "010", "0x10", "1.50", "Cavalier")


def test_rules_are_called_after_their_file_or_by_their_own_name(house: Path) -> None:
    house.write_text("extends: english\n", encoding="utf-8")
    assert load(str(house)).name == "house"
    house.write_text("extends: english\nname: Our house\n", encoding="utf-8")
    assert load(str(house)).name == "Our house"


def test_a_built_in_profile_goes_before_a_file_of_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "krig").write_text("extends: english\nplayers: 5\n", encoding="utf-8")
    assert load("krig").players == 2
    assert load("./krig").players == 5
    assert load(Path("krig")).players == 5


# Extending


def chain_of(folder: Path, **files: str) -> None:
    for name, text in files.items():
        (folder / f"{name}.yaml").write_text(text, encoding="utf-8")


def test_what_is_not_given_is_inherited_but_not_the_name(tmp_path: Path) -> None:
    (tmp_path / "old").mkdir()
    chain_of(
        tmp_path / "old",
        ours="extends: guerra\nname: Ours\ndescription: As ever\nplayers: 4\nround_limit: 50\n",
    )
    chain_of(tmp_path, more="extends: old/ours.yaml\nround_limit: none\n")
    more = load(str(tmp_path / "more.yaml"))
    assert (more.players, more.round_limit, more.shortage) == (4, "none", "short-loses")
    assert (more.name, more.description) == ("more", "")


def test_files_are_found_beside_the_one_that_extends_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    chain_of(tmp_path / "a", base="extends: krig\nplayers: 7\n")
    chain_of(tmp_path / "a" / "b", house="extends: ../base.yaml\n")
    for folder in (tmp_path, tmp_path / "a" / "b"):
        monkeypatch.chdir(folder)
        assert load(str(tmp_path / "a" / "b" / "house.yaml")).players == 7


@pytest.mark.parametrize(
    ("files", "shown"),
    [
        ({"a": "extends: a.yaml"}, "a.yaml → a.yaml"),
        (
            {"a": "extends: b.yaml", "b": "extends: c.yaml", "c": "extends: ./b.yaml"},
            "b.yaml → c.yaml → b.yaml",
        ),
    ],
)
def test_a_circle_is_shown_as_a_whole(files: dict[str, str], shown: str, tmp_path: Path) -> None:
    chain_of(tmp_path, **files)
    [error] = check(str(tmp_path / "a.yaml")).errors
    assert f"circle: {shown}" in error.message
    assert (place(error), error.excerpt) == ("1:10", files[Path(error.path).stem])


def test_a_chain_too_long_to_follow_is_refused(tmp_path: Path) -> None:
    chain_of(tmp_path, a0="extends: krig")
    for step in range(40):
        chain_of(tmp_path, **{f"a{step + 1}": f"extends: a{step}.yaml"})
    assert load(str(tmp_path / "a19.yaml")).deck_size == 52
    [error] = check(str(tmp_path / "a40.yaml")).errors
    assert "more than 20 files" in error.message


def test_faults_of_an_extended_file_are_told_with_its_own_place(tmp_path: Path) -> None:
    chain_of(
        tmp_path,
        base="extends: krig\nplayers: two\n",
        house="extends: base.yaml\nround_limit: soon\n",
    )
    own, inherited = check(str(tmp_path / "house.yaml")).errors
    assert (Path(own.path).name, place(own)) == ("house.yaml", "2:14")
    assert (Path(inherited.path).name, place(inherited)) == ("base.yaml", "2:10")
    assert str(inherited).endswith(f"\n  = extended by {tmp_path / 'house.yaml'}")
    chain_of(tmp_path, more="extends: house.yaml")
    again, _ = check(str(tmp_path / "more.yaml")).errors
    assert Path(again.path).name == "base.yaml"
    assert list(map(Path, again.extended_by)) == [tmp_path / "house.yaml", tmp_path / "more.yaml"]
    assert own.extended_by == ()


def test_a_file_that_cannot_be_extended_is_told_where_it_is_named(tmp_path: Path) -> None:
    (tmp_path / "base.yaml").write_bytes("name: Café".encode("latin-1"))
    chain_of(tmp_path, house="players: 2\nextends: base.yaml\n")
    checked = check(str(tmp_path / "house.yaml"))
    [error] = checked.errors
    assert place(error) == "2:10"
    assert "base.yaml cannot be read" in error.message
    assert "UTF-8" in error.message
    assert not checked.unreadable


def test_the_nearest_file_beside_this_one_is_offered(tmp_path: Path) -> None:
    chain_of(tmp_path, grandma="extends: krig", house="extends: granma.yaml")
    [error] = check(str(tmp_path / "house.yaml")).errors
    assert error.advice == "did you mean grandma.yaml?"
    (tmp_path / "inner").mkdir()
    chain_of(tmp_path / "inner", house="extends: ../granma.yaml")
    [error] = check(str(tmp_path / "inner" / "house.yaml")).errors
    assert error.advice == "did you mean ../grandma.yaml?"


def test_the_file_itself_is_not_offered(tmp_path: Path) -> None:
    chain_of(tmp_path, house="extends: houses")
    [error] = check(str(tmp_path / "house.yaml")).errors
    assert error.advice == ""


def test_what_is_near_to_nothing_is_answered_without_a_guess(tmp_path: Path) -> None:
    chain_of(tmp_path, neg="extends: krig", list="extends: krig", house="extends: nope.yaml")
    [error] = check(str(tmp_path / "house.yaml")).errors
    assert error.advice == ""
    chain_of(tmp_path, house="extends: english\nround_limit: 12:30")
    [error] = check(str(tmp_path / "house.yaml")).errors
    assert error.advice == ""


def test_a_key_that_is_nearly_right_is_answered_without_a_list(tmp_path: Path) -> None:
    chain_of(tmp_path, house="extends: english\nplayer: 3")
    [error] = check(str(tmp_path / "house.yaml")).errors
    assert (error.advice, error.allowed) == ("did you mean players?", "")


# Surprises


def warnings(house: Path, text: str) -> list[str]:
    """What rules that are valid are warned of, each as `line:column message`."""
    house.write_text(text, encoding="utf-8")
    checked = check(str(house))
    assert checked.rules is not None
    assert all(each.severity == "warning" for each in checked.warnings)
    return [f"{place(each)} {each.message}" for each in checked.warnings]


def test_surprises_are_told_at_their_own_key_or_where_it_is_inherited(house: Path) -> None:
    assert warnings(house, "extends: krig\n") == ["1:10 a game by these rules can run for ever"]
    text = "extends: english\nrepetition: play-on\n"
    assert warnings(house, text) == ["2:13 a game by these rules can run for ever"]
    text = "extends: english\nplayers: 3\nrank_exceptions: [10 beats 9, 6 beats A]\n"
    assert [each.split()[0] for each in warnings(house, text)] == ["2:10", "3:19", "3:31"]


def test_a_stated_limit_result_without_a_limit_is_a_surprise(house: Path) -> None:
    text = "extends: english\nlimit_result: draw\n"
    assert warnings(house, text) == ["2:15 there is no limit, so limit_result never applies"]
    assert warnings(house, text + "time_limit: 30m\n") == []


# Tags that lie, and any text at all


@pytest.mark.usefixtures("loader")
@pytest.mark.parametrize("content", ["", "x", "+", "_", "0b", "'1:'", "[a]", "{a: b}"])
@pytest.mark.parametrize(
    "tag", ["int", "float", "bool", "null", "timestamp", "binary", "set", "omap", "str", "foo"]
)
def test_a_tag_that_lies_is_refused_like_any_other_value(
    tag: str, content: str, house: Path
) -> None:
    house.write_text(f"extends: krig\nround_limit: !!{tag} {content}\n", encoding="utf-8")
    [error] = check(str(house)).errors
    assert (error.line, error.column) == (2, 14)
    assert error.allowed == "a whole number from 1 to 1,000,000 or none"


SNIPPETS = [
    *Rules.__struct_fields__, "extends", ": ", ":", "\n", "\n  ", "- ", "[", "]", "{", "}",
    ", ", "#", "&a ", "*a", "!!int ", "'", '"', "|\n", ">\n", "---\n", "...\n", "%YAML 1.1\n",
    "? ", "<<: ", "\t", "\r\n", "\x85", "\u2028", "\ufeff", "\x1b[31m", "\0", "é", "日本", "😀",
    "none", "no", "~", "12:30", "0x10", "1_000", "1.5", "-1", "10", "9" * 30, "Joker",
    "A K Q J 10 9 8 7 6 5 4 3 2", "6 beats A",
    "english", "krig", "short-loses", "own-first", "shuffled", "30m", "\\e",
]  # fmt: skip


@given(st.lists(st.one_of(st.sampled_from(SNIPPETS), st.text(max_size=8)), max_size=30))
def test_any_text_is_rules_or_has_faults_that_can_be_shown(
    tmp_path_factory: pytest.TempPathFactory, parts: list[str]
) -> None:
    house = tmp_path_factory.getbasetemp() / "any.yaml"
    house.write_bytes("".join(parts).encode("utf-8", "surrogatepass"))
    assert_rules_or_faults(house)


@given(st.binary(max_size=60))
@example(b"\xff\xfe")
@example(b"rank_order: [" * 3000)
@example(b"- " * 100_000)
@example(b"a: 1\n" * 40_000)
@example(b"extends: krig\nrank_order: [" + b"A," * 80_000 + b"]")
@example(b"extends: krig\nrank_order: " + b"A " * 80_000)
@example(b"extends: krig\nround_limit: " + b"9" * 200_000)
def test_any_bytes_are_rules_or_have_faults_that_can_be_shown(
    tmp_path_factory: pytest.TempPathFactory, data: bytes
) -> None:
    house = tmp_path_factory.getbasetemp() / "any.yaml"
    house.write_bytes(data)
    assert_rules_or_faults(house)


def assert_rules_or_faults(house: Path) -> None:
    checked = check(str(house))
    assert (checked.rules is None) == bool(checked.errors)
    assert len(checked.errors) <= 101
    for problem in (*checked.errors, *checked.warnings):
        assert all(printable(line) == line for line in str(problem).split("\n"))
        assert checked.unreadable or problem.line > 0


ANY_VALUE = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-2, 60),
    st.integers(),
    st.floats(),
    st.sampled_from(["none", "draw", "own-first", "6 beats A", "30m", "A K Q J", ""]),
    st.text(max_size=10),
    st.dates(),
    st.lists(st.one_of(st.sampled_from("AKQJ"), st.integers(2, 10)), max_size=6),
    st.dictionaries(st.text(max_size=3), st.integers(), max_size=2),
)


@given(
    st.dictionaries(st.sampled_from(Rules.__struct_fields__), ANY_VALUE, max_size=4),
    st.sampled_from(profiles()),
)
def test_any_values_are_taken_or_refused_at_their_own_line(
    tmp_path_factory: pytest.TempPathFactory, keys: dict[str, object], base: str
) -> None:
    house = tmp_path_factory.getbasetemp() / "any.yaml"
    text = yaml.safe_dump({"extends": base, **keys}, sort_keys=False, allow_unicode=True)
    house.write_text(text, encoding="utf-8")
    checked = check(str(house))
    for error in checked.errors:
        assert error.path == str(house)
        assert error.excerpt in text
    assert_rules_or_faults(house)


# Written and read back


@given(some_rules(), st.text(max_size=100), st.text())
@settings(max_examples=50)
def test_rules_written_as_yaml_are_read_back_the_same(
    tmp_path_factory: pytest.TempPathFactory, some: Rules, name: str, description: str
) -> None:
    house = tmp_path_factory.getbasetemp() / "written.yaml"
    written = msgspec.structs.replace(
        some,
        name="".join(filter(str.isprintable, name)) or "rules",
        description="".join(each for each in description if each.isprintable() or each == "\n"),
    )
    house.write_text(as_yaml(written), encoding="utf-8")
    assert load(str(house)) == written
