"""Pictures of one game, as `war simulate --plot` has them drawn."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from warcli.commands.options import BadInput
from warcli.commands.pictures import PictureFile, save_game
from warcli.events import Result
from warcli.rulesfile import load
from warcli.simulation import simulate, simulate_from

KRIG = load("krig")


def written_on(file: Path) -> str:
    return "\n".join(ET.parse(file).getroot().itertext())


def test_a_game_of_a_seed_is_drawn_and_can_still_be_played(tmp_path: Path) -> None:
    simulation = simulate(load("shuffled-captures"), 42, 3, ("Ana", "Luis"))
    save_game(simulation, str(tmp_path / "game.svg"))
    *_, result = simulation
    assert isinstance(result, Result)
    text = written_on(tmp_path / "game.svg")
    for said in ("Ana", "Luis", "seed 42, game 3", f"after {result.rounds} rounds"):
        assert said in text


def test_so_is_a_supplied_deal(tmp_path: Path) -> None:
    piles = (("9♣", "3♦", "Q♦"), ("9♥", "K♠", "7♣"))
    save_game(simulate_from(KRIG, piles, players=("Ana", "Luis")), str(tmp_path / "game.svg"))
    text = written_on(tmp_path / "game.svg")
    assert "krig: Ana wins after 1 round (collected)" in " ".join(text.split())
    assert "war of 1 step" in text


def test_a_picture_that_cannot_be_written_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="no folder"):
        save_game(simulate(KRIG, 1), str(tmp_path / "nowhere" / "game.png"))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["game", "game.pdf", ".png", "png"])
def test_only_png_and_svg_are_drawn(name: str) -> None:
    with pytest.raises(BadInput, match=r"\.png or \.svg"):
        PictureFile().convert(name, None, None)


def test_simulate_draws_the_game_that_it_prints(tmp_path: Path) -> None:
    command = [sys.executable, "-c", "from warcli.__main__ import main; main()", "simulate"]
    game = ["-r", "krig", "-s", "42", "--game", "7", "--summary"]
    plain = subprocess.run([*command, *game], capture_output=True, check=True)
    drawn = subprocess.run(
        [*command, *game, "--plot", "game.svg"], cwd=tmp_path, capture_output=True, check=True
    )
    assert drawn.stdout == plain.stdout
    assert "krig, seed 42, game 7" in written_on(tmp_path / "game.svg")


def test_a_transcript_and_a_picture_do_not_take_each_others_place(tmp_path: Path) -> None:
    command = [sys.executable, "-c", "from warcli.__main__ import main; main()", "simulate"]
    files = ["-o", "q.svg", "--plot", "./q.svg"]
    done = subprocess.run(
        [*command, "-s", "1", *files],
        cwd=tmp_path,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 2
    assert "q.svg can't be written twice; name two files" in done.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("quiet", [False, True])
def test_matplotlib_itself_says_nothing(tmp_path: Path, quiet: bool) -> None:
    """Neither of signs that it has no font for, nor of a folder that it can't write to."""
    (tmp_path / "file").write_text("", encoding="utf-8")
    command = [sys.executable, "-c", "from warcli.__main__ import main; main()", "simulate"]
    game = ["-s", "1", "-p", "\N{EGYPTIAN HIEROGLYPH A001},B", "--plot", "q.png"]
    done = subprocess.run(
        [*command, *game, *["-q"] * quiet],
        cwd=tmp_path,
        env={**os.environ, "PYTHONUTF8": "1", "MPLCONFIGDIR": str(tmp_path / "file" / "in")},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0
    said = done.stderr.splitlines()
    assert not said or (not quiet and len(said) == 1 and "no font on this machine" in said[0])
