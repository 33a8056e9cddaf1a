"""Nothing is lost: what was accepted is on disk, and a game goes on where it was."""

from __future__ import annotations

import errno
import os
import re
import subprocess
import sys
from collections.abc import Callable
from itertools import islice, pairwise
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from processes import run_by_nobody
from strategies import rules as random_rules

from warcli.commands.sitting import saving_path
from warcli.record import Head, write
from warcli.recordfile import BadRecord, load
from warcli.referee.journal import InUse, Journal, SavedGame
from warcli.referee.session import NO_WISHES, Session, begin, resume
from warcli.replay import Replay
from warcli.rules import Rules
from warcli.rulesfile import load as rules_of
from warcli.simulation import simulate

TINY = Rules(
    name="tiny",
    deck_size=12,
    rank_order=("A", "K", "Q", "J", "10", "9"),
    suits=2,
    war_face_down=1,
    shortage="first-out-loses",
    capture_order="own-first",
    round_limit="none",
)
LINES = [
    "k 9",  # taken by Ana
    "10 10",  # war
    "pause",  # in the middle of it
    "resume",
    "j a",
    "undo",
    "j q",
    "unordered Luis",
    "undo 2",
    "redo",
    "99",  # cannot be: nothing is accepted
    "accept",  # but they are there
    "q k",
    "stop",
]
"""A game with everything that is written in a record."""


def played(path: Path, lines: list[str] = LINES) -> list[int]:
    """Play these lines into a file; returns how long it was before, and after each of them."""
    session = begin(TINY, ["Ana", "Luis"], path)
    sizes = [path.stat().st_size]
    for line in lines:
        session.enter(line)
        sizes.append(path.stat().st_size)
    session.leave()
    return sizes


def record_of(data: bytes) -> bytes:
    """A record without the moment at which it was started."""
    return b"".join(line for line in data.splitlines(True) if not line.startswith(b"started:"))


def test_every_accepted_line_is_on_disk_before_the_answer_is_given(tmp_path: Path) -> None:
    sizes = played(tmp_path / "game.war")
    grown = [after > before for before, after in pairwise(sizes)]
    assert grown == [line != "99" for line in LINES]


def test_the_journal_is_a_game_record(tmp_path: Path) -> None:
    played(tmp_path / "game.war", ["k 9", "10 10", "j q", "undo", "pause", "resume", "j j"])
    head, _, body = (tmp_path / "game.war").read_text(encoding="utf-8").partition("---\n")
    assert "players: [Ana, Luis]" in head
    assert body == (
        "1. K 9 > Ana\n2. 10 10 | (?) (?) | J Q > Luis\nundo: 1\npause:\nresume:\n| (?) (?) | J J |"
    )


def test_cut_off_at_any_byte_the_game_goes_on_to_the_same_end(tmp_path: Path) -> None:
    path = tmp_path / "game.war"
    sizes = played(path)
    whole = path.read_bytes()
    for cut in range(sizes[0], len(whole) + 1):
        path.write_bytes(whole[:cut])
        session = resume(path).session
        kept = path.stat().st_size
        on_disk = sizes.index(max(size for size in sizes if size <= kept))
        assert sizes[on_disk] == max(size for size in sizes if size <= cut) or kept > cut
        for line in LINES[on_disk:]:
            session.enter(line)
        session.leave()
        assert path.read_bytes() == whole, f"cut at {cut}, gone on after {LINES[:on_disk][-1:]}"


def test_what_was_torn_in_half_is_told(tmp_path: Path) -> None:
    path = tmp_path / "game.war"
    played(path, ["k 9", "q j"])
    path.write_bytes(path.read_bytes()[:-4])
    session, dropped, _ = resume(path)
    assert dropped == "2. Q J >"
    assert session.table.number == 2
    session.leave()


def test_a_round_torn_before_its_end_is_completed_by_the_law(tmp_path: Path) -> None:
    path = tmp_path / "game.war"
    played(path, ["9 9", "q q", "k k"])
    whole = path.read_text(encoding="utf-8")
    assert whole.endswith("result: -, shortage, 1 round\n")
    path.write_text(whole[: whole.rindex(" >")].rstrip(), encoding="utf-8")
    resume(path).session.leave()
    assert path.read_text(encoding="utf-8") == whole


def test_a_file_that_an_editor_saved_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "game.war"
    played(path, ["k 9"])
    data = path.read_bytes().replace(b"\n", b"\r\n")
    path.write_bytes(b"\xef\xbb\xbf" + data)
    session = resume(path).session
    session.enter("q j")
    session.leave()
    assert len(load(path).entries) == 2


@pytest.mark.parametrize("damage", ["1. K 9 > Luis\n", "1. K K > Ana\n", "undo: 3\n"])
def test_a_record_that_the_law_contradicts_does_not_go_on(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "game.war"
    played(path, [])
    before = path.read_text(encoding="utf-8") + damage
    path.write_text(before, encoding="utf-8")
    with pytest.raises(BadRecord, match=r"game.war:\d+: the record and the law disagree"):
        resume(path)
    assert path.read_text(encoding="utf-8") == before


# One judge


def judged(path: Path) -> list[str]:
    """What `war replay` finds wrong, as `--resume` tells it."""
    before = "the record and the law disagree, so nobody can go on from it: "
    slips = Replay(load(path)).disagreements
    return [f"{path}:{slip.line}: {before}{slip.message}" for slip in slips]


def assert_judged_alike(path: Path, random: Random) -> None:
    """What replay calls wrong, nobody goes on from, for the same reason; and from what it calls
    right the game goes on to a record that is right."""
    before = path.read_bytes()
    if wrong := judged(path):
        with pytest.raises(BadRecord) as caught:
            resume(path)
        assert str(caught.value) == wrong[0]
        assert path.read_bytes() == before
        return
    session = resume(path).session
    table = session.table
    if table.result is not None:
        assert session.enter("undo").round_over is False
    layout = table.knowledge.layout(random)
    assert table.game.due is not None
    session.enter(" ".join(layout[slot] for slot in table.game.due.slots))
    session.leave()
    assert judged(path) == []


@pytest.mark.parametrize(
    "lines",
    [
        ["1. K 9 > Ana", "result: Ana, collected, 1 round"],
        ["1. K 9 > Ana", "result: Luis, collected"],
        ["1. K 9 > Ana", "result: draw"],
        ["1. K 9 > Ana", "result: -, time-limit, 1 round"],
        ["1. K 9 > Ana", "result: -, abandoned, 7 rounds"],
        ["1. K 9 > Ana", "result: Ana, abandoned"],
        ["1. K K |", "2. Q 7 > Ana"],
        ["1. K K | Q 7 > Ana"],
        ["1. K K | (?) (?) | (?) (?) |"],
        ["1. K 9 > Ana", "3. Q 7 > Ana"],
        ["2. K 9 > Ana", "1. Q 7 > Ana"],
        ["clock: soon"],
    ],
)
def test_nobody_goes_on_from_what_replay_calls_wrong(tmp_path: Path, lines: list[str]) -> None:
    path = tmp_path / "game.war"
    path.write_text(
        "\n".join(["rules: krig\nplayers: [Ana, Luis]\n---", *lines, ""]), encoding="utf-8"
    )
    assert judged(path) != []
    assert_judged_alike(path, Random(0))


def test_a_seed_that_deals_other_cards_does_not_go_on(tmp_path: Path) -> None:
    path = tmp_path / "game.war"
    path.write_text("rules: english\nseed: 42\n---\n1. A 2 > A\n", encoding="utf-8")
    with pytest.raises(BadRecord, match="The next card here must be 3♣"):
        resume(path)


@pytest.mark.parametrize(
    ("broken_off", "goes_on"),
    [
        ("1. K K | (?) (?) |\n", "1. K K | (?) (?) |\n| Q 7 > Ana\n"),
        ("1. K K | (?) (?)\n", "1. K K | (?) (?)\n| Q 7 > Ana\n"),
        ("1. K K | (?) (?) |", "1. K K | (?) (?) | Q 7 > Ana\n"),
        ("1. K K |\n", "1. K K |\n| (?) (?) | Q 7 > Ana\n"),
        ("1. K K |", "1. K K | (?) (?) | Q 7 > Ana\n"),
    ],
)
def test_a_war_that_is_broken_off_goes_on_without_laying_its_cards_twice(
    tmp_path: Path, broken_off: str, goes_on: str
) -> None:
    path = tmp_path / "game.war"
    head = "rules: krig\nplayers: [Ana, Luis]\n---\n"
    path.write_text(head + broken_off, encoding="utf-8")
    session = resume(path).session
    session.enter("q7")
    session.leave()
    assert path.read_text(encoding="utf-8") == head + goes_on
    assert judged(path) == []


def test_face_down_cards_that_a_record_knows_are_known_when_it_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "game.war"
    path.write_text("rules: krig\n---\n1. K♠ K♥ | (3♦) (4♣) |\n", encoding="utf-8")
    session = resume(path).session
    assert session.enter("3d 7").lines[0] == "3♦ cannot be A's card here."
    session.enter("undo")
    session.enter("redo")
    assert session.enter("3d 7").lines[0] == "3♦ cannot be A's card here."
    session.enter("q 7")
    session.leave()
    assert judged(path) == []
    assert path.read_text(encoding="utf-8").endswith(
        "1. K♠ K♥ | (3♦) (4♣) |\nundo: 1\nredo: 1\n| (?) (?) | Q 7 > A\n"
    )


def damaged(lines: list[str], random: Random) -> list[str]:
    """The lines of a record with something wrong, perhaps, in one of them."""
    place = random.randrange(len(lines))
    line = lines[place]
    parts = line.split(" | ")
    return [
        *lines[:place],
        *random.choice(
            (
                [],
                [line, line],
                [line.partition(" | ")[0] + " |"],
                [" | ".join(parts[: random.randint(1, len(parts))])],
                [line.rpartition(" > ")[0] or line],
                [line.replace("1", "2", 1)],
                [line.replace("> A", "> B")],
                [line, "undo: 1"],
                [line, random.choice(("result: A, collected, 2 rounds", "result: -, abandoned"))],
                [*lines[place + 1 : place + 2], line],
            )
        ),
        *random.choice(([], lines[place + 1 :])),
    ]


@settings(max_examples=150, deadline=None)
@given(random_rules(players=st.integers(2, 3)), st.integers(0, 2**32))
def test_what_replay_calls_right_goes_on_and_nothing_else(rules: Rules, seed: int) -> None:
    random = Random(seed)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "game.war"
        begun = islice(simulate(rules, seed % 100), 1 + random.randint(1, 30))
        lines = "".join(write(rules, begun)).splitlines()
        first = lines.index("---") + 1
        known = random.random() < 0.5
        head = [line for line in lines[:first] if known or not line.startswith(("deal:", "seed:"))]
        body = lines[first:]
        if not known:
            body = [re.sub(r"\([^)]+\)", "(?)", line) for line in body]
        try:
            path.write_text("\n".join([*head, *damaged(body, random), ""]), encoding="utf-8")
            load(path)
        except BadRecord:
            return
        assert_judged_alike(path, random)


def test_a_result_that_the_law_does_not_know_is_not_listed_as_one(tmp_path: Path) -> None:
    path = tmp_path / "game.war"
    for result, is_over in (("Ana, collected, 1 round", False), ("-, abandoned, 1 round", True)):
        text = f"rules: krig\nplayers: [Ana, Luis]\n---\n1. K 9 > Ana\nresult: {result}\n"
        path.write_text(text, encoding="utf-8")
        assert SavedGame(path, load(path)).is_over is is_over


# The clock


class Hand:
    """A clock's hand that the test moves."""

    def __init__(self) -> None:
        self.at = 1000.0

    def __call__(self) -> float:
        return self.at


def test_the_clock_goes_on_where_it_was(tmp_path: Path) -> None:
    hand = Hand()
    path = tmp_path / "game.war"
    rules = rules_of("krig")
    session = begin(rules, ["Ana", "Luis"], path, tick=hand)
    hand.at += 300  # for dealing
    session.enter("k 9")
    hand.at += 65
    session.enter("q j")
    hand.at += 5
    session.enter("pause")
    hand.at += 600
    session.journal.close()  # nothing more is written, as after a crash
    hand.at += 3600
    session = resume(path, tick=hand).session
    assert (session.table.paused, session.clock.seconds) == (True, 70)
    session.enter("resume")
    hand.at += 10
    assert session.clock.seconds == 80
    session.leave()


def test_with_a_time_limit_every_second_counts(tmp_path: Path) -> None:
    hand = Hand()
    path = tmp_path / "game.war"
    session = begin(timed("30s"), ["Ana", "Luis"], path, tick=hand)
    for line in ("k 9", "q j", "10 8", "7 6"):
        session.enter(line)
        hand.at += 7
    session.enter("5 4")
    session.journal.close()
    assert resume(path, tick=hand).session.clock.seconds == 28


@pytest.mark.parametrize("limit", ["none", "30m"])
def test_a_crash_in_a_long_war_loses_little_of_the_clock(tmp_path: Path, limit: str) -> None:
    hand = Hand()
    path = tmp_path / "game.war"
    session = begin(timed(limit), ["Ana", "Luis"], path, tick=hand)
    session.enter("k 9")
    for rank in "2345678":
        hand.at += 7
        session.enter(f"{rank} {rank}")
    shown = session.clock.seconds
    session.journal.close()  # nothing more is written, as after a crash
    went_on = resume(path, tick=hand).session
    assert shown == 49
    assert shown - 20 < went_on.clock.seconds <= shown
    assert went_on.table.wanted() == "Round 2, war: Ana, Luis"


def timed(limit: str) -> Rules:
    import msgspec

    return msgspec.structs.replace(rules_of("krig"), time_limit=limit)


def test_the_time_limit_ends_the_game_after_the_round(tmp_path: Path) -> None:
    hand = Hand()
    path = tmp_path / "game.war"
    session = begin(timed("30s"), ["Ana", "Luis"], path, NO_WISHES, hand)
    session.enter("k 9")
    hand.at += 40
    assert "Time is up: this round is the last." in session.enter("9 9").lines
    session.enter("k q")
    assert session.table.result is not None
    assert session.table.result.reason == "time-limit"
    session.leave()
    record = path.read_text(encoding="utf-8")
    assert "2. 9 9 |\nclock: 0:40\n| " in record
    assert record.endswith("result: -, time-limit, 2 rounds\n")


def test_a_card_mistyped_when_time_is_up_can_still_be_corrected(tmp_path: Path) -> None:
    hand = Hand()
    session = begin(timed("30s"), ["Ana", "Luis"], tmp_path / "game.war", tick=hand)
    session.enter("q j")
    hand.at += 40
    session.enter("k 9")
    session.enter("undo")  # the card, and the end of the game that came of it
    assert session.table.result is None
    session.enter("9 k")
    assert session.table.rounds[1].winner == 1
    assert session.table.result is not None
    session.leave()


def test_what_came_of_time_being_up_is_played_again_with_its_card(tmp_path: Path) -> None:
    hand = Hand()
    path = tmp_path / "game.war"
    session = begin(timed("30s"), ["Ana", "Luis"], path, tick=hand)
    session.enter("q j")
    hand.at += 40
    session.enter("k 9")
    ended = session.table.result
    assert ended is not None
    session.enter("undo 2")
    assert session.table.number == 1
    *_, card, end = session.enter("redo 2").lines
    assert (card, end) == (
        "Now: Ana 28, Luis 24.",
        "Time is up, after 2 rounds. It is a draw.",
    )
    assert session.table.result == ended
    session.leave()
    assert resume(path).session.table.result == ended


# One referee at a time


def test_a_second_referee_on_the_same_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "game.war"
    session = begin(TINY, ["Ana", "Luis"], path)
    with pytest.raises(InUse, match="another referee is at work"):
        resume(path)
    session.leave()
    resume(path).session.leave()


def test_a_lock_dies_with_its_process(tmp_path: Path) -> None:
    path = tmp_path / "game.war"
    child = start("--save", str(path))
    say_and_wait(child, "k9", "Now:")
    with pytest.raises(InUse):
        resume(path)
    child.kill()
    child.wait()
    session = resume(path).session
    assert session.table.number == 2
    session.leave()


# Disks that take no more


def test_a_disk_that_cannot_be_written_is_announced_and_the_game_goes_on(tmp_path: Path) -> None:
    (tmp_path / "full").write_text("in the way of a folder", encoding="utf-8")
    path = tmp_path / "full" / "game.war"
    session = begin(TINY, ["Ana", "Luis"], path)
    assert session.journal.trouble
    session.enter("k 9")
    assert session.table.rounds[0].winner == 0
    assert "1. K 9 > Ana" in session.journal.unsaved()
    (tmp_path / "full").unlink()
    told = session.enter("q j").lines
    assert told[0] == f"Saved again: {path}"
    session.leave()
    assert len(load(path).entries) == 2


def test_a_full_disk_is_announced_with_the_line_that_did_not_fit(tmp_path: Path) -> None:
    path = tmp_path / "game.war"
    script = (
        "import resource, sys\n"
        "from pathlib import Path\n"
        "from warcli.referee.session import begin\n"
        "from warcli.rulesfile import load\n"
        "path = Path(sys.argv[1])\n"
        "session = begin(load('krig'), ['Ana', 'Luis'], path)\n"
        "size = path.stat().st_size\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (size + 18, resource.RLIM_INFINITY))\n"
        "print(session.enter('k 9').lines[0])\n"
        "print(session.enter('q j').lines[0])\n"
        "print(session.enter('9 j').lines[0])\n"
        "session.journal.close()\n"
    )
    if sys.platform == "win32":  # has no such limit; the test above stands for it
        return
    told = subprocess.run(
        [sys.executable, "-c", script, str(path)], capture_output=True, text=True, check=True
    ).stdout.splitlines()
    assert told[0] == "Round 1: Ana K, Luis 9."
    assert told[1].startswith("CAUTION: this game is not saved")
    assert told[2] == "Round 3: Ana 9, Luis J."
    assert path.read_text(encoding="utf-8").endswith("---\n1. K 9 > Ana\n")


def test_a_disk_that_is_full_from_the_beginning_is_left_without_an_empty_file(
    tmp_path: Path,
) -> None:
    path = tmp_path / "game.war"
    script = (
        "import resource, sys\n"
        "from pathlib import Path\n"
        "from warcli.referee.session import begin\n"
        "from warcli.rulesfile import load\n"
        "path = Path(sys.argv[1])\n"
        "no_limit = resource.getrlimit(resource.RLIMIT_FSIZE)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (20, no_limit[1]))\n"
        "session = begin(load('krig'), ['Ana', 'Luis'], path)\n"
        "print(bool(session.journal.trouble), path.exists())\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, no_limit)\n"
        "session.enter('k 9')\n"
        "session.leave()\n"
    )
    if sys.platform == "win32":  # has no such limit
        return
    told = subprocess.run(
        [sys.executable, "-c", script, str(path)], capture_output=True, text=True, check=True
    ).stdout
    assert told.split() == ["True", "False"]
    assert len(load(path).entries) == 1


def test_a_file_that_can_only_be_read_goes_on_in_memory() -> None:
    script = (
        "import sys\n"
        "from pathlib import Path\n"
        "from warcli.referee.session import begin, resume\n"
        "from warcli.rulesfile import load\n"
        "folder = Path(sys.argv[1])\n"
        "path = folder / 'game.war'\n"
        "session = begin(load('krig'), ['Ana', 'Luis'], path)\n"
        "session.enter('k 9')\n"
        "session.leave()\n"
        "path.chmod(0o444)\n"
        "by_hand = folder / 'by-hand.war'\n"
        "by_hand.write_text('rules: krig\\n---\\nk 9', encoding='utf-8')\n"
        "by_hand.chmod(0o444)\n"
        "folder.chmod(0o755)\n"
        "become_nobody()\n"
        "session = resume(path).session\n"
        "print(session.journal.trouble)\n"
        "print(session.enter('q j').lines[0])\n"
        "print(session.journal.unsaved())\n"
        "print(repr(resume(by_hand).session.journal.unsaved()))\n"
    )
    with TemporaryDirectory() as folder:  # where nobody can come, too
        told = run_by_nobody(script, folder).splitlines()
    assert told[0] == os.strerror(errno.EACCES)
    assert told[1:3] == ["Round 2: Ana Q, Luis J.", "2. Q J > Ana"]
    assert told[-1] == "''"  # nothing of what was only read is missing


def test_no_file_is_written_over(tmp_path: Path) -> None:
    path = tmp_path / "letter.txt"
    path.write_text("Dear Luis", encoding="utf-8")
    with pytest.raises(FileExistsError):
        Journal.begin(path, load_head(tmp_path))
    assert path.read_text(encoding="utf-8") == "Dear Luis"


def load_head(folder: Path) -> Head:
    session = begin(TINY, ["Ana", "Luis"], folder / "other.war")
    session.leave()
    return load(folder / "other.war").head


# Others who write to the file


def appended_to(path: Path) -> None:
    with path.open("a", encoding="utf-8") as file:
        file.write("theirs")


def cut_off(path: Path) -> None:
    path.write_text("theirs", encoding="utf-8")


CHANGES: list[Callable[[Path], None]] = [appended_to, cut_off]

if sys.platform != "win32":  # where an open file keeps its name

    def replaced(path: Path) -> None:
        """As editors and sync clients do: another file gets the name."""
        (path.parent / "new").write_text("theirs", encoding="utf-8")
        (path.parent / "new").replace(path)

    CHANGES.append(replaced)

    def test_a_file_that_somebody_removes_is_there_again_with_the_whole_game(
        tmp_path: Path,
    ) -> None:
        path = tmp_path / "game.war"
        session = begin(TINY, ["Ana", "Luis"], path)
        session.enter("k 9")
        path.unlink()
        told = session.enter("q j").lines
        assert told[0] == f"CAUTION: somebody removed {path}; the whole game is in it again."
        session.leave()
        assert len(load(path).entries) == 2

    def test_a_file_that_is_removed_before_the_players_leave_is_there_again(
        tmp_path: Path,
    ) -> None:
        path = tmp_path / "game.war"
        session = begin(TINY, ["Ana", "Luis"], path)
        session.enter("k 9")
        path.unlink()
        assert "somebody removed" in session.leave()[0]
        assert len(load(path).entries) == 1


@pytest.mark.parametrize("change", CHANGES)
def test_a_file_that_somebody_changes_is_left_to_them_and_the_game_goes_into_another(
    tmp_path: Path, change: Callable[[Path], None]
) -> None:
    played(tmp_path / "alone.war", ["k 9", "10 10", "j q", "q j"])
    path = tmp_path / "game.war"
    session = begin(TINY, ["Ana", "Luis"], path)
    for line in ("k 9", "10 10"):
        session.enter(line)
    change(path)
    theirs = path.read_bytes()
    told = session.enter("j q").lines
    assert told[0].startswith(f"CAUTION: somebody else changed {path};")
    other = tmp_path / "game-2.war"
    assert str(other) in told[0]
    with pytest.raises(InUse):
        resume(other)
    assert session.enter("q j").lines[0] == "Round 3: Ana Q, Luis J."
    session.leave()
    assert path.read_bytes() == theirs
    whole = (tmp_path / "alone.war").read_bytes()
    assert record_of(other.read_bytes()) == record_of(whole)


# A last line without a line end


BY_HAND = "rules: english\nplayers: [Ana, Luis]\n---\n"


@pytest.mark.parametrize("line", ["2. Q J > Ana", "2. Q J", "q j", "2. 9 9 | (?) (?) | K J > Ana"])
def test_a_last_line_that_tells_a_whole_round_needs_no_line_end(tmp_path: Path, line: str) -> None:
    path = tmp_path / "pencil.war"
    path.write_text(f"{BY_HAND}1. K 9 > Ana\n{line}", encoding="utf-8")
    session, dropped, _ = resume(path)
    assert dropped == ""
    assert session.table.number == 3
    session.enter("7 5")
    session.leave()
    body = path.read_text(encoding="utf-8").partition("---\n")[2]
    assert body == f"1. K 9 > Ana\n{line}\n3. 7 5 > Ana\n"


@pytest.mark.parametrize("taker", ["A", "An"])
def test_a_name_torn_in_half_is_no_whole_line(tmp_path: Path, taker: str) -> None:
    """An is a player, too; whether the line was about Ana, nobody knows."""
    path = tmp_path / "game.war"
    begin(TINY, ["Ana", "An"], path).leave()
    path.write_text(f"{path.read_text(encoding='utf-8')}1. K 9 > {taker}", encoding="utf-8")
    session, dropped, _ = resume(path)
    session.leave()
    assert dropped == f"1. K 9 > {taker}"


# Killed


def start(*arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "warcli", "referee", *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    )


def say_and_wait(child: subprocess.Popen[str], line: str, until: str) -> None:
    assert child.stdin is not None
    assert child.stdout is not None
    child.stdin.write(line + "\n")
    child.stdin.flush()
    while until not in (told := child.stdout.readline()):
        assert told, f"{line} was not answered by {until}"


KILLED = ["k9", "1010", "ja", "undo", "jq", "pause", "resume", "unordered luis", "stop"]


@pytest.mark.parametrize("line", range(len(KILLED) + 1))
def test_killed_at_any_line_the_game_goes_on_to_the_same_end(tmp_path: Path, line: int) -> None:
    path = tmp_path / "game.war"
    rules = tmp_path / "tiny.yaml"
    rules.write_text(TINY_FILE, encoding="utf-8")
    sizes = played(tmp_path / "uninterrupted.war", KILLED)
    whole = record_of((tmp_path / "uninterrupted.war").read_bytes())

    child = start("--rules", str(rules), "--players", "Ana,Luis", "--save", str(path))
    assert child.stdin is not None
    assert child.stdout is not None
    while "Turn up the top cards" not in child.stdout.readline():
        pass
    for typed in KILLED[:line]:
        child.stdin.write(typed + "\n")
    child.stdin.flush()  # and before it can be known how far the referee came:
    child.kill()
    child.wait()

    session: Session = resume(path).session
    reached = record_of(path.read_bytes())
    lengths = [len(whole) - (sizes[-1] - size) for size in sizes]
    for typed in KILLED[lengths.index(len(reached)) :]:
        session.enter(typed)
    session.leave()
    assert record_of(path.read_bytes()) == whole


TINY_FILE = """\
name: tiny
deck_size: 12
rank_order: A K Q J 10 9
suits: 2
war_face_down: 1
shortage: first-out-loses
capture_order: own-first
round_limit: none
"""


def test_a_new_game_gets_a_name_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("XDG_DATA_HOME", "HOME", "LOCALAPPDATA"):
        monkeypatch.setenv(variable, str(tmp_path))
    first = saving_path(None, ["Ana", "Luis"])
    first.parent.mkdir(parents=True)
    first.write_text("", encoding="utf-8")
    second = saving_path(None, ["Ana", "Luis"])
    assert first != second
    assert first.name.endswith("Ana-Luis.war")
