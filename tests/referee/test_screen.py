"""What a session shows at its beginning, all the time, and at its end."""

from __future__ import annotations

import os
import re
import shlex
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner
from prompt_toolkit.utils import get_cwidth

from warcli.commands import war
from warcli.referee.screen import Screen, bars, farewell, in_columns, opening, reopening, state
from warcli.referee.session import NO_WISHES, Session, Wishes, begin, resume
from warcli.rules import Rules
from warcli.rulesfile import load as rules_of
from warcli.transcript import Look

KRIG = rules_of("krig")


SIX_CARDS = Rules(
    name="six",
    deck_size=6,
    rank_order=("A", "K", "Q", "J", "10", "9"),
    suits=1,
    war_face_down=0,
    shortage="short-loses",
    capture_order="own-first",
    round_limit=9,
)


def started(folder: Path, rules: Rules = KRIG, wishes: Wishes = NO_WISHES) -> Session:
    return begin(rules, ["Ana", "Luis"], folder / "game.war", wishes)


def with_time(limit: str) -> Rules:
    return msgspec.structs.replace(KRIG, time_limit=limit)


# The beginning


def test_the_setup_says_how_many_cards_what_a_war_takes_and_how_it_ends(tmp_path: Path) -> None:
    told = "\n".join(opening(started(tmp_path)))
    assert "War by the rules krig: Ana, Luis." in told
    assert "26 cards for each player" in told
    assert "At a war: Each player adds 1 card face down and then turns one up." in told
    assert "Whoever has all the cards wins." in told
    assert f"Every line is saved in {tmp_path / 'game.war'}." in told
    assert "in the order of the players: Ana, Luis" in told


def test_a_game_that_goes_on_says_where_it_stood(tmp_path: Path) -> None:
    session = started(tmp_path)
    session.enter("k 9")
    session.enter("pause")
    session.leave()
    told = list(reopening(resume(tmp_path / "game.war")))
    assert told == [
        f"Going on with {tmp_path / 'game.war'}, by the rules krig.",
        "Ana 27, Luis 25. The clock shows 0:00.",
        "The last round: 1. K 9 > Ana",
        "The clock is stopped; type resume to go on.",
        "Round 2: Ana, Luis",
    ]


# All the time


@pytest.mark.parametrize("width", [20, 40, 80])
@pytest.mark.parametrize("sizes", [(26, 26), (52, 0), (1, 51), (0, 0)])
def test_bars_fill_their_lines_and_say_the_number_too(width: int, sizes: tuple[int, int]) -> None:
    lines = list(bars(["Ana", "Luis"], sizes, width, letters=False))
    assert all(len(line) == width for line in lines)
    assert [int(line.split()[-1]) for line in lines] == list(sizes)


def test_bars_are_as_long_as_the_share_of_the_cards() -> None:
    ana, luis = bars(["Ana", "Luis"], (39, 13), 48, letters=True)
    assert (ana.count("#"), ana.count(".")) == (30, 10)
    assert (luis.count("#"), luis.count(".")) == (10, 30)


@pytest.mark.parametrize("width", [10, 39, 79, 200])
def test_many_players_are_all_seen_in_columns(width: int) -> None:
    players = ["Ana", "Luis", "Mia", "Eva", "Tom", "Zoe", "Max", "Ida"]
    lines = list(in_columns(players, (8, 10, 9, 0, 8, 5, 6, 6), width))
    assert all(len(line) <= width for line in lines)
    assert " ".join(" ".join(lines).split()) == (
        "Ana 8 Luis 10 Mia 9 Eva 0 Tom 8 Zoe 5 Max 6 Ida 6"
    )
    if width == 39:
        assert lines == [
            "Ana 8    Luis 10  Mia 9    Eva 0",
            "Tom 8    Zoe 5    Max 6    Ida 6",
        ]


def test_long_names_leave_room_for_a_bar() -> None:
    (line, _) = bars(["Maximiliane von und zu", "B"], (26, 26), 40, letters=True)
    assert len(line) == 40
    assert "####" in line


WIDE = ["日本語の名前", "Ana", "さくらこ", "花子ちゃん", "José", "e\u0301va", "Bo", "🂡"]


@pytest.mark.parametrize("width", [12, 20, 39, 79])
def test_wide_names_leave_room_for_the_numbers(width: int) -> None:
    sizes = (26, 26, 3, 0)
    lines = list(bars(WIDE[:4], sizes, width, letters=False))
    assert {get_cwidth(line) for line in lines} == {width}
    assert [int(line.split()[-1]) for line in lines] == list(sizes)
    lines = list(in_columns(WIDE, (8, 10, 9, 0, 8, 5, 6, 6), width))
    assert max(map(get_cwidth, lines)) <= width
    assert re.findall(r"\d+", " ".join(lines)) == ["8", "10", "9", "0", "8", "5", "6", "6"]


def test_the_state_tells_round_and_clock(tmp_path: Path) -> None:
    session = started(tmp_path)
    assert state(session) == "Round 1, 0:00"
    session.enter("9 9")
    assert state(session) == "Round 1, 0:00"
    session.enter("k q")
    session.enter("pause")
    assert state(session) == "Round 2, 0:00 (stopped)"


def test_the_state_tells_the_time_limit(tmp_path: Path) -> None:
    assert state(started(tmp_path, with_time("30m"))) == "Round 1, 0:00 of 30:00"


@pytest.mark.parametrize(
    ("hints", "prompt"),
    [(True, "Round 4: Ana, Luis, by Enter Q A> "), (False, "Round 4: Ana, Luis> ")],
)
def test_the_prompt_shows_known_cards_only_when_wished(
    tmp_path: Path, hints: bool, prompt: str
) -> None:
    session = started(tmp_path, SIX_CARDS, Wishes(hints=hints))
    for line in ("k a", "q j", "10 9"):
        session.enter(line)
    assert Screen(Look()).prompt(session) == prompt


@pytest.mark.parametrize(("hints", "times"), [(True, 1), (False, 0)])
def test_with_hints_it_is_said_once_that_every_card_is_known(
    tmp_path: Path, hints: bool, times: int
) -> None:
    session = started(tmp_path, SIX_CARDS, Wishes(hints=hints))
    told = [session.enter(line).lines for line in ("k a", "q j", "10 9", "q a", "undo", "q a")]
    known = ["Every card is known now: Enter takes the next ones." in lines for lines in told]
    assert sum(known) == times


# The end


def test_the_end_says_how_to_go_on(tmp_path: Path) -> None:
    session = started(tmp_path)
    assert list(farewell(session, "referee")) == [
        f"The game is saved. To go on: war referee --resume {tmp_path / 'game.war'}"
    ]


@pytest.mark.parametrize("name", ["-x.war", "--", "--resume"])
def test_a_file_named_like_an_option_is_told_as_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    piped = CliRunner().invoke(war, ["referee", f"--save={name}"], input="k9\n")
    assert (tmp_path / name).is_file()
    _, _, command = piped.output.strip().rpartition("To go on: war ")
    resumed = CliRunner().invoke(war, shlex.split(command, posix=os.name == "posix"), input="")
    assert resumed.exit_code == 0, resumed.output
    assert "The last round: 1. K 9 > A" in resumed.output


def test_after_the_game_nothing_goes_on(tmp_path: Path) -> None:
    session = started(tmp_path)
    session.enter("stop")
    assert list(farewell(session, "referee")) == [f"The game is saved in {tmp_path / 'game.war'}."]


def test_a_game_that_could_not_be_saved_is_shown_so_that_it_is_not_lost(tmp_path: Path) -> None:
    (tmp_path / "in-the-way").write_text("", encoding="utf-8")
    session = begin(KRIG, ["Ana", "Luis"], tmp_path / "in-the-way" / "game.war")
    session.enter("k 9")
    caution, *shown = farewell(session, "referee")
    assert "is not saved" in caution
    assert "1. K 9 > Ana" in shown
    assert state(session).endswith("NOT SAVED")
