"""`war study`, as it is typed: real processes, their output and their exit status."""

from __future__ import annotations

import csv
import errno
import io
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from xml.etree import ElementTree as ET

import pexpect
import pytest

START = "from warcli.__main__ import main; main()"
EXTRA = ["numpy", "numba", "matplotlib", "distributed"]
WITHOUT_EXTRA = f"import sys; sys.modules.update(dict.fromkeys({EXTRA}));"
"""Run first, it makes Python find none of these, as where they aren't installed."""


if sys.platform == "win32":
    # Ctrl-C would reach everybody at this console; a group of its own can be sent Ctrl-Break.
    CTRL_C = signal.CTRL_BREAK_EVENT
    OWN_GROUP = subprocess.CREATE_NEW_PROCESS_GROUP
else:
    CTRL_C = signal.SIGINT
    OWN_GROUP = 0


def war(
    *arguments: str, folder: Path | None = None, before: str = "", columns: int = 80
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", before + START, *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONUTF8": "1", "COLUMNS": str(columns)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


def study(*arguments: str, **extra: object) -> str:
    """What a study that must go well prints."""
    done = war("study", *arguments, **extra)  # type: ignore[arg-type]
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout


def refused(*arguments: str, **extra: object) -> str:
    """What a study that can't be had says; nothing is printed."""
    done = war("study", *arguments, **extra)  # type: ignore[arg-type]
    assert done.returncode == 2
    assert done.stdout == ""
    assert "Traceback" not in done.stderr
    return done.stderr


def figures(*arguments: str) -> dict[str, object]:
    """The one rules' figures of a study in JSON."""
    whole = json.loads(study(*arguments, "--format", "json"))
    (only,) = whole["rules"]
    assert isinstance(only, dict)
    return only


def use(folder: Path, before: str = "") -> subprocess.CompletedProcess[str]:
    """A study whose kernel is kept in this folder."""
    cache = f"import os; os.environ['NUMBA_CACHE_DIR'] = {str(folder)!r};"
    return war("study", "-n", "100", "-s", "1", before=cache + before)


@pytest.fixture(scope="module")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty folder, as on a fresh machine."""
    return tmp_path_factory.mktemp("kernel")


@pytest.fixture(scope="module")
def first_use(fresh: Path) -> subprocess.CompletedProcess[str]:
    return use(fresh)


# The report


def test_the_report_is_a_table_for_people() -> None:
    text = study("--games", "3000", "--seed", "42")
    for line in (
        "3,000 games of seed 42",
        r"Rules +english",
        r"  all collected +\d\d\.\d+ % \(\d\d\.\d+–\d\d\.\d+\)",
        r"  A +\d\d\.\d+ % \(.*\)",
        r"  B +\d\d\.\d+ % \(.*\)",
        r"  median +\d+",
        r"  99\.9 % up to +[\d,]+",
        r"  shortest +\d+ \(--game \d+\)",
        r"  longest +[\d,]+ \(--game \d+\)",
        r"  deepest +\d+ steps \(--game \d+\)",
        r"  war simulate -r english -s 42 --game N",
        r"Rounds of the games that end",
        r" +1–\d+ +\d+\.\d %  █+▌?",
    ):
        assert re.search(f"^{line}$", text, re.MULTILINE), line


def test_the_longest_game_is_the_one_that_simulate_plays() -> None:
    longest = figures("-n", "2000", "-s", "7", "-r", "krig")["longest"]
    assert isinstance(longest, dict)
    game = war(
        *f"simulate --rules krig --seed 7 --game {longest['game']} --format jsonl --summary".split()
    )
    result = json.loads(game.stdout.splitlines()[-1])
    assert result["rounds"] == longest["number"]


@pytest.mark.parametrize("columns", [40, 80])
def test_it_fits_the_terminal_in_plain_signs(columns: int) -> None:
    text = study("-n", "500", "-s", "1", "-r", "krig", "-r", "guerra", "--ascii", columns=columns)
    assert text.isascii()
    assert max(map(len, text.splitlines())) <= columns


def test_a_seed_is_drawn_and_told() -> None:
    done = war("study", "-n", "50")
    (seed,) = re.findall(r"--seed (\d+) plays these games again", done.stderr)
    assert f"50 games of seed {seed}" in done.stdout
    assert study("-n", "50", "-s", seed) == done.stdout


def test_quiet_says_nothing_else() -> None:
    assert war("study", "-q", "-n", "50").stderr == ""


def test_a_time_limit_is_said_to_be_left_out(tmp_path: Path) -> None:
    rules = "extends: krig\ntime_limit: 20m\nlimit_result: most-cards\n"
    (tmp_path / "timed.yaml").write_text(rules, encoding="utf-8")
    options = ("-r", "krig", "-r", "timed.yaml", "-n", "50", "-s", "1")
    told = war("study", "-q", *options, folder=tmp_path).stdout
    assert "A study has no clock, so a time limit is left out: that of timed." in told
    in_json = json.loads(war("study", *options, "--format", "json", folder=tmp_path).stdout)
    assert [each["time_limit"] for each in in_json["rules"]] == [None, "20m"]


def test_rules_are_compared_on_the_same_deals() -> None:
    whole = json.loads(
        study("-n", "2000", "-s", "3", "-r", "krig", "-r", "last-card", "--format", "json")
    )
    krig, last_card = whole["rules"]
    assert "change" not in krig
    change = last_card["change"]
    assert change["compared_with"] == "krig"
    # nobody falls short when the last card stands; the interval is about ±1.7 points wide
    assert change["ended"]["shortage"]["mean"] == -krig["ended"]["shortage"]["share"]
    assert change["ended"]["shortage"]["high"] < -0.15
    assert krig["rounds"]["mean"] + change["rounds"]["mean"] == pytest.approx(
        last_card["rounds"]["mean"]
    )


def test_the_same_deals_make_a_difference_surer_than_two_studies() -> None:
    whole = json.loads(
        study("-n", "2000", "-s", "3", "-r", "krig", "-r", "krig-rounds", "--format", "json")
    )
    change = whole["rules"][1]["change"]["ended"]["collected"]
    apart = [figures["ended"]["collected"] for figures in whole["rules"]]
    alone = sum((share["high"] - share["low"]) ** 2 for share in apart) ** 0.5
    assert change["high"] - change["low"] < alone


def test_csv_has_a_line_a_figure() -> None:
    lines = list(csv.DictReader(io.StringIO(study("-n", "200", "-s", "1", "--format", "csv"))))
    found = {line["figure"]: line["value"] for line in lines}
    assert found["games"] == "200"
    assert float(found["rounds.low"]) < float(found["rounds.mean"]) < float(found["rounds.high"])


def test_a_game_under_each_of_the_rules_can_be_played_again(tmp_path: Path) -> None:
    (tmp_path / "house rules.yaml").write_text("extends: krig\nround_limit: 80\n", encoding="utf-8")
    sources = ("krig", "house rules.yaml", "guerra")
    given = [argument for source in sources for argument in ("-r", source)]
    text = study("-n", "200", "-s", "3", *given, folder=tmp_path)
    commands = re.findall("^  (war simulate .*) --game N$", text, re.MULTILINE)
    assert [shlex.split(command)[3] for command in commands] == list(sources)
    whole = json.loads(study("-n", "200", "-s", "3", *given, "--format", "json", folder=tmp_path))
    for command, told in zip(commands, whole["rules"], strict=True):
        _, *arguments = shlex.split(command)
        longest = told["longest"]
        game = war(*arguments, "--game", str(longest["game"]), "--format", "jsonl", folder=tmp_path)
        assert json.loads(game.stdout.splitlines()[-1])["rounds"] == longest["number"]


def test_minutes_follow_the_pace() -> None:
    slow, fast = (
        figures("-n", "200", "-s", "1", "--pace", pace)["minutes"] for pace in ("8,12", "4,6")
    )
    assert isinstance(slow, dict)
    assert isinstance(fast, dict)
    assert slow["mean"] == pytest.approx(2 * fast["mean"], rel=0.01)


def test_a_number_of_games_can_be_written_as_people_do() -> None:
    plain = study("-n", "2000", "-s", "1", "--threads", "1")
    for games in ("2,000", "2_000", "2e3", "2k"):
        assert study("-n", games, "-s", "1", "--threads", "1e0") == plain


# Files


def test_a_line_of_csv_a_game(tmp_path: Path) -> None:
    study(
        "-n", "300", "-s", "9", "-r", "three-players", "--games-csv", "games.csv", folder=tmp_path
    )
    lines = (tmp_path / "games.csv").read_text(encoding="utf-8").splitlines()
    assert lines[0] == "game,reason,winner,rounds,layers,wars,deepest"
    assert len(lines) == 301
    for game in (0, 117, 299):
        told = war(*f"simulate -r three-players -s 9 --game {game} --format jsonl".split()).stdout
        _, *rounds, result = map(json.loads, told.splitlines())
        number, reason, winner, length, layers, *_ = lines[1 + game].split(",")
        assert number == str(game)
        assert reason == result["reason"]
        assert winner == " ".join(map(str, result["winners"]))
        assert length == str(result["rounds"])
        assert layers == str(sum(len(ended["layers"]) for ended in rounds))


def test_pictures_are_what_their_names_say(tmp_path: Path) -> None:
    study("-n", "300", "-s", "9", "--plot", "lengths.png", folder=tmp_path)
    assert (tmp_path / "lengths.png").read_bytes().startswith(b"\x89PNG")
    study("-n", "300", "-s", "9", "-r", "krig", "-r", "guerra", "--plot", "l.SVG", folder=tmp_path)
    texts = "\n".join(ET.parse(tmp_path / "l.SVG").getroot().itertext())
    for said in ("300 games of seed 9", "krig", "guerra", "rounds", "minutes", "Chance"):
        assert said in texts


def test_the_report_can_go_to_a_file(tmp_path: Path) -> None:
    printed = study("-n", "100", "-s", "1")
    assert study("-n", "100", "-s", "1", "-o", "report.txt", folder=tmp_path) == ""
    assert (tmp_path / "report.txt").read_text(encoding="utf-8") == printed


@pytest.mark.parametrize("option", ["--output", "--plot", "--games-csv"])
def test_where_a_file_cannot_go_is_said_before_anything_is_played(
    option: str, tmp_path: Path
) -> None:
    said = refused("-n", "1000000000", "-s", "1", option, "nowhere/f.png", folder=tmp_path)
    assert "no folder nowhere" in said
    assert list(tmp_path.iterdir()) == []


def test_a_picture_that_cannot_be_written_does_not_cost_the_report(tmp_path: Path) -> None:
    """Files here can't grow beyond 8 kB; a picture is larger."""
    small = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (8192, 8192));"
    files = ("-o", "report.txt", "--plot", "lengths.png")
    said = refused("-n", "300", "-s", "9", *files, folder=tmp_path, before=small)
    assert f"cannot write lengths.png: {os.strerror(errno.EFBIG)}" in said
    assert [path.name for path in tmp_path.iterdir()] == ["report.txt"]
    text = (tmp_path / "report.txt").read_text(encoding="utf-8")
    assert text == study("-n", "300", "-s", "9")


def test_whoever_reads_the_games_may_go_without_the_report(tmp_path: Path) -> None:
    """A pipe whose reader has seen enough after the first games."""
    pipe = tmp_path / "games"
    os.mkfifo(pipe)
    with subprocess.Popen(
        [sys.executable, "-c", START, "study", "-n", "1000000", "-s", "1", "--games-csv", pipe],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    ) as begun:
        with pipe.open(encoding="utf-8") as games:
            assert games.readline() == "game,reason,winner,rounds,layers,wars,deepest\n"
        printed, said = begun.communicate()
    assert begun.returncode == 2
    assert said == f"Error: cannot write {pipe}: {os.strerror(errno.EPIPE)}\n"
    assert "Broken off: these are the first games only." in printed


# Bad input


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--rules", "krgi"], "did you mean krig?"),
        (["-r", "krig", "-r", "krig"], "--rules krig is given twice"),
        (["--games", "1.5"], "'1.5' is not a whole number, such as 20000, 20,000 or 2e4"),
        (["--games", "1.000"], "'1.000' can be read in two ways; write 1 or 1000"),
        (["--games", "0"], "0 is not between 1 and"),
        (["--games", str(2**64 + 1)], "is not between 1 and 18,446,744,073,709,551,616"),
        (["--threads", "0"], "0 is not between 1 and 1,024"),
        (["--pace", "4"], "such as 4,6"),
        (["--pace", "0.001,0"], "for a round, from 0.1 to 3600, and for a war step, from 0 to"),
        (["--until", "lots"], "such as 0.1%"),
        (["--until", "0%"], "such as 0.1%"),
        (["--until", "nan"], "such as 0.1%"),
        (["--plot", "picture.pdf"], ".png or .svg"),
        (["--ascii", "--format", "json"], "--ascii goes with --format text"),
        (["-r", "krig", "-r", "guerra", "--games-csv", "x.csv"], "one --rules only"),
        (["-o", "b.csv", "--games-csv", "b.csv"], "b.csv can't be written twice"),
        (["-o", "b.png", "--plot", "./b.png"], "b.png can't be written twice"),
        (["--games-csv", "b.svg", "--plot", "../{folder}/b.svg"], "b.svg can't be written twice"),
        (["--games-csv", "-"], "takes a file's name"),
        (["--games-csv", ""], "an empty name is no file"),
        (["--plot", ""], "an empty name is no file"),
        (["--cluster", "tcp://127.0.0.1:1", "--threads", "2"], "without --threads"),
        (["--cluster", "tcp://127.0.0.1:1"], "no Dask scheduler answers at tcp://127.0.0.1:1"),
        (["--cluster", "what://is:this"], "no Dask scheduler answers at what://is:this"),
    ],
)
def test_what_cannot_be_is_refused_with_the_remedy(
    arguments: list[str], said: str, tmp_path: Path
) -> None:
    arguments = [argument.format(folder=tmp_path.name) for argument in arguments]
    assert said in refused(*arguments, folder=tmp_path)
    assert list(tmp_path.iterdir()) == []


# Long runs


def test_the_figures_are_the_same_on_any_number_of_threads() -> None:
    arguments = ("-n", "120000", "-s", "5", "-r", "pyanitsa", "--format", "json")
    assert study(*arguments, "--threads", "1") == study(*arguments, "--threads", "3")


def test_until_the_mean_is_known_well_enough() -> None:
    whole = json.loads(study("--until", "2%", "-s", "5", "--format", "json"))
    (only,) = whole["rules"]
    assert whole["stopped"] == "until"
    width = (only["rounds"]["high"] - only["rounds"]["low"]) / only["rounds"]["mean"]
    assert width == pytest.approx(whole["width"])
    assert width <= 0.02


def test_until_has_a_limit() -> None:
    text = study("--until", "0.01%", "-n", "5000", "-s", "5")
    assert "5,000 games" in text
    assert re.search(r"is still \d\.\d\d % of the mean: more --games", " ".join(text.split()))


def interrupted(folder: Path, *arguments: str, before: str = "") -> tuple[str, str, int]:
    """A study that is interrupted as soon as some of its games are in the file `games.csv`."""
    begun = subprocess.Popen(
        [sys.executable, "-c", before + START, "study", *arguments, "--games-csv", "games.csv"],
        cwd=folder,
        env={**os.environ, "PYTHONUTF8": "1"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        creationflags=OWN_GROUP,
    )
    while begun.poll() is None:
        if any(part.stat().st_size > 1_000 for part in folder.glob(".war-*.part")):
            begun.send_signal(CTRL_C)
            break
    printed, said = begun.communicate()
    return printed, said, begun.returncode


@pytest.mark.parametrize("who", [["--threads", "2"], ["--on-the-law"]])
def test_ctrl_c_reports_what_was_played(who: list[str], tmp_path: Path) -> None:
    endless = ("-n", "1000000000000", "-s", "6", "--format", "json", *who)
    printed, said, status = interrupted(tmp_path, *endless)
    assert status == 130
    report = json.loads(printed)
    assert report["stopped"] == "interrupted"
    played = report["games"]
    assert f"the first {played:,} of 1,000,000,000,000 games" in said
    # It is, to the last digit, the report of that many games from game 0 on …
    again = json.loads(study("-n", str(played), "-s", "6", "--format", "json"))
    assert again["rules"] == report["rules"]
    # … and the games one by one are the same ones, all of them.
    with (tmp_path / "games.csv").open(encoding="utf-8") as file:
        assert sum(1 for _ in file) == 1 + played
    assert [path.name for path in tmp_path.iterdir()] == ["games.csv"]


def test_what_a_shell_runs_in_the_background_is_not_interrupted_from_the_keyboard(
    tmp_path: Path,
) -> None:
    """It starts with Ctrl-C ignored."""
    key = "SIGBREAK" if sys.platform == "win32" else "SIGINT"
    ignored = f"import signal; signal.signal(signal.{key}, signal.SIG_IGN);"
    printed, _, status = interrupted(
        tmp_path, "-n", "400000", "-s", "6", "--format", "json", before=ignored
    )
    assert status == 0
    report = json.loads(printed)
    assert (report["stopped"], report["games"]) == ("done", 400_000)


def test_more_threads_than_cores_are_not_started() -> None:
    few = war("study", "-n", "3000", "-s", "1", "--threads", "1024")
    assert few.stdout == study("-n", "3000", "-s", "1")
    many = "import warcli.study.run as run; run.cores = lambda: 1;"
    one = war("study", "-n", "3000", "-s", "1", "--threads", "2", before=many)
    assert one.stdout == few.stdout
    assert one.stderr == (
        "Note: this machine plays one game at once, as it has 1 core to play on\n"
    )


def test_ctrl_c_loses_little_however_many_games_a_second_can_be_played(tmp_path: Path) -> None:
    """Not long after the beginning too: of the shortest games there are, and of endless ones."""
    for name, changes in (
        ("short", "deck_size: 8\nrank_order: A K"),
        ("endless", "capture_order: seat-order"),
    ):
        rules = f"extends: krig\n{changes}\n"
        (tmp_path / f"{name}.yaml").write_text(rules, encoding="utf-8")
        folder = tmp_path / name
        folder.mkdir()
        endless = ("-r", f"../{name}.yaml", "-n", "1000000000000", "-s", "6", "--format", "json")
        printed, _, status = interrupted(folder, *endless)
        assert status == 130
        assert json.loads(printed)["games"] > 0


@pytest.mark.usefixtures("first_use")
def test_ctrl_c_does_not_wait_for_the_compiler(fresh: Path, tmp_path: Path) -> None:
    """And what stood in the files that it would have written is still there."""
    older = {name: tmp_path / name for name in ("report.json", "games.csv", "lengths.svg")}
    for file in older.values():
        file.write_text("older", encoding="utf-8")
    cache = tmp_path / "cache"
    files = ("-o", "report.json", "--games-csv", "games.csv", "--plot", "lengths.svg")
    with subprocess.Popen(
        [sys.executable, "-c", START, "study", "-n", "100", "-s", "1", *files],
        cwd=tmp_path,
        env={**os.environ, "PYTHONUTF8": "1", "NUMBA_CACHE_DIR": str(cache)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        creationflags=OWN_GROUP,
    ) as begun:
        assert begun.stderr
        assert "is being compiled" in begun.stderr.readline()
        begun.send_signal(CTRL_C)
        printed, said = begun.communicate()
    assert begun.returncode == 130
    assert printed == ""
    assert said == "Note: interrupted before the first games were over: nothing to report\n"
    assert len(list(cache.rglob("*.nbc"))) < len(list(fresh.rglob("*.nbc")))
    assert all(file.read_text(encoding="utf-8") == "older" for file in older.values())
    assert set(tmp_path.iterdir()) == {cache, *older.values()}


def test_a_study_that_cannot_begin_leaves_older_files_as_they_are(tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    report.write_text("older", encoding="utf-8")
    refused("-n", "9", "-o", "report.json", "--cluster", "what://is:this", folder=tmp_path)
    assert report.read_text(encoding="utf-8") == "older"


def test_a_terminal_shows_how_far_it_is() -> None:
    shown = terminal("-n", "400000", "-s", "1")
    positions = [int(games) for games in re.findall(r"(\d+)/400000", shown)]
    assert positions == sorted(positions)
    assert positions[0] == 0
    assert positions[-1] == 400_000
    assert "400,000 games of seed 1" in shown


def test_and_the_time_left_until_it_is_interrupted_by_a_key() -> None:
    child = spawned("-n", "1000000000", "-s", "1")
    child.expect(r"\d\d:\d\d:\d\d")
    child.sendintr()
    child.expect("Interrupted: these are the first games only.")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 130


def test_a_terminal_is_told_how_many_games_until_will_take() -> None:
    shown = terminal("--until", "0.5%", "-s", "1")
    ends = {int(games) for games in re.findall(r"\d+/(\d+)", shown)}
    assert 100_000_000 in ends  # until enough games are over to tell
    assert min(ends) < 1_000_000


def test_no_progress_when_quiet_or_piped() -> None:
    assert "/3000" not in terminal("-n", "3000", "-s", "1", "-q")
    assert war("study", "-n", "3000", "-s", "1").stderr == ""


def spawned(*arguments: str) -> pexpect.spawn[str]:
    """A study on a terminal of 80 columns."""
    return pexpect.spawn(
        sys.executable,
        ["-c", START, "study", *arguments],
        env={**os.environ, "PYTHONUTF8": "1", "TERM": "xterm"},
        encoding="utf-8",
        dimensions=(40, 80),
        timeout=120,
    )


def terminal(*arguments: str) -> str:
    """What a study that must go well shows there."""
    child = spawned(*arguments)
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0
    assert isinstance(child.before, str)
    return child.before


# Without the extra


def test_without_the_extra_a_few_games_are_played_on_the_law() -> None:
    done = war("study", "-s", "1", "-n", "40", before=WITHOUT_EXTRA)
    assert done.returncode == 0
    assert "pip install 'warcli[study]'" in done.stderr
    assert done.stdout == study("-s", "1", "-n", "40")


def test_many_games_without_the_extra_are_refused_with_both_ways_out() -> None:
    said = refused("-s", "1", "-n", "1000000", before=WITHOUT_EXTRA)
    assert "pip install 'warcli[study]'" in said
    assert "--on-the-law" in said


def test_a_kernel_that_cannot_be_loaded_is_told_with_both_ways_out() -> None:
    broken = "import sys; sys.modules['llvmlite'] = None;"
    said = refused("-n", "10", "-s", "1", before=broken)
    assert "cannot be loaded" in said
    assert "pip install 'warcli[study]'" in said
    assert "--on-the-law" in said


def test_pictures_and_clusters_say_what_they_need(tmp_path: Path) -> None:
    without = refused("-n", "10", "--plot", "x.png", before=WITHOUT_EXTRA, folder=tmp_path)
    assert "pip install 'warcli[study]'" in without
    without = refused("-n", "10", "--cluster", "tcp://127.0.0.1:1", before=WITHOUT_EXTRA)
    assert "pip install 'warcli[study,cluster]'" in without


def test_the_law_and_the_kernel_report_the_same() -> None:
    arguments = ("-n", "500", "-s", "8", "-r", "aside", "-r", "bataille-jokers")
    assert study(*arguments, "--on-the-law") == study(*arguments)


def test_the_first_use_says_that_it_compiles(
    fresh: Path, first_use: subprocess.CompletedProcess[str]
) -> None:
    """The second use finds what the first one left."""
    second = use(fresh)
    assert "the kernel is being compiled for this machine" in first_use.stderr
    assert second.stderr == ""
    assert first_use.stdout == second.stdout


@pytest.fixture
def damaged(
    fresh: Path, first_use: subprocess.CompletedProcess[str], tmp_path: Path
) -> tuple[Path, Sequence[Path]]:
    """A folder that keeps a compiled kernel, of which the largest function lost the ends of its
    files when the machine lost its power; and these files."""
    assert first_use.returncode == 0
    shutil.copytree(fresh, tmp_path, dirs_exist_ok=True)
    largest = max(tmp_path.rglob("*.nbc"), key=lambda file: file.stat().st_size)
    files = list(tmp_path.rglob(f"{largest.name.partition('.py')[0]}.*"))
    assert len(files) == 2
    for file in files:
        file.write_bytes(file.read_bytes()[:100])
    return tmp_path, files


def test_what_is_damaged_of_a_kernel_is_compiled_once_more(
    damaged: tuple[Path, Sequence[Path]], first_use: subprocess.CompletedProcess[str]
) -> None:
    folder, files = damaged
    again = use(folder)
    assert (again.returncode, again.stdout) == (0, first_use.stdout)
    assert all(file.stat().st_size > 100 for file in files)


def test_a_disk_that_takes_no_more_does_not_keep_anybody_from_playing(
    damaged: tuple[Path, Sequence[Path]], first_use: subprocess.CompletedProcess[str]
) -> None:
    """Files here can't grow beyond 4 kB; what is compiled is larger."""
    folder, _ = damaged
    done = use(folder, "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096));")
    assert (done.returncode, done.stdout) == (0, first_use.stdout)
    assert re.search(
        f"^Note: the kernel could not be kept for the next time: {re.escape(str(folder))}.*: "
        f"{os.strerror(errno.EFBIG)}$",
        done.stderr,
        re.MULTILINE,
    )
    assert not list(folder.rglob("*.tmp*"))


def test_help_shows_an_example() -> None:
    assert "war study --rules krig --games 1000000" in study("--help")
