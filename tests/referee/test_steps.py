"""Steps at a table: however a record comes to a table, it stands alike, and can go back alike."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import rules as random_rules

from warcli.record import Entry, Head, Record, Writer, head_text, shuffle_of, write
from warcli.recordfile import load
from warcli.referee.table import Table
from warcli.replay import Replay
from warcli.rules import Rules
from warcli.rulesfile import load as rules_of
from warcli.rulesfile import profiles
from warcli.simulation import default_players, simulate


def standing(table: Table) -> tuple[object, ...]:
    """Everything that a table knows of its game."""
    game, known = table.game, table.knowledge
    return (
        game.position(),
        (game.carried, game.laid, game.due, game.out, game.rounds, game.result),
        (known.pack.cards, known.slots, known.seen, known.mixings),
        (table.rounds, table.ruling, table.paused, table.wanted()),
    )


def some_line(table: Table, random: Random) -> str:
    """Something that people type: mostly cards that can be there, by their ranks or with suits."""
    many = random.randint(1, 12)
    other = ("pause", "resume", f"undo {many}", f"redo {many}", "undo", "accept", "stop")
    if random.random() < 0.05 or table.result is not None:
        return random.choice(other)
    if random.random() < 0.005:
        return f"unordered {random.choice((*table.players, 'all'))}"
    if random.random() < 0.02:
        return " ".join(random.choices(table.rules.pack.cards, k=len(table.due)))
    assert table.game.due is not None
    rank, layout = table.rules.pack.rank, table.knowledge.layout(random)
    cards = [layout[slot] for slot in table.game.due.slots]
    return " ".join(cards if random.random() < 0.5 else [rank[card] for card in cards])


def played(rules: Rules, random: Random, lines: int) -> tuple[Table, list[Entry]]:
    """A table at which so many lines were typed, and the entries of its record."""
    table = Table(rules, default_players(rules))
    entries: list[Entry] = []
    for _ in range(lines):
        entries += table.enter(some_line(table, random)).entries
    return table, entries


def read_back(text: str) -> Record:
    """The record that is read from a file with this text."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "game.war"
        path.write_text(text, encoding="utf-8")
        return load(path)


def begun(head: Head) -> Table:
    return Table(head.rules, head.players, head.piles, shuffle=shuffle_of(head))


def applied(record: Record) -> Table:
    """A table that was told its entries one by one."""
    table = begun(record.head)
    for entry in record.entries:
        assert table.apply(entry).kind != "refused"
    return table


def followed(record: Record) -> Table:
    """A table that followed them without a word, wherever it could."""
    table = begun(record.head)
    entries, place = record.entries, 0
    while (place := table.follow(entries, place)) < len(entries):
        assert table.apply(entries[place]).kind != "refused"
        place += 1
    return table


def ruled_on(record: Record) -> Table:
    """A table at which the whole record was ruled on again."""
    table = begun(record.head)
    assert Replay(record, table).disagreements == []
    return table


@settings(max_examples=80)
@given(random_rules(players=st.integers(2, 4)), st.integers(0, 2**32), st.integers(1, 100))
def test_typed_told_followed_or_ruled_on_a_game_stands_alike_and_can_be_taken_back_alike(
    rules: Rules, seed: int, lines: int
) -> None:
    random = Random(seed)
    typed, entries = played(rules, random, lines)
    head = Head(rules=rules, players=typed.players)
    writer = Writer(typed.players)
    record = read_back(head_text(head) + "".join(map(writer.text, entries)))
    others = [applied(record), followed(record), ruled_on(record)]
    assert all(standing(table) == standing(typed) for table in others)
    for command in (
        "redo 1",
        "undo 1",
        f"undo {random.randint(1, lines)}",
        "redo 1",
        "undo 3",
        "redo 2",
    ):
        told = typed.enter(command).lines
        assert all(table.enter(command).lines == told for table in others)
        assert all(standing(table) == standing(typed) for table in others)


@pytest.mark.parametrize("dealt", [True, False], ids=["dealt", "not dealt"])
@pytest.mark.parametrize("profile", profiles())
def test_a_simulated_game_is_followed_to_its_end_and_taken_back_to_any_round(
    profile: str, dealt: bool
) -> None:
    """Its record knows the face-down cards, and with the deal all others too."""
    text = "".join(write(rules_of(profile), simulate(rules_of(profile), 3)))
    record = read_back(text if dealt else re.sub(r"(?m)^(deal|seed): .*\n", "", text))
    told, silent = applied(record), followed(record)
    assert standing(told) == standing(silent)
    random = Random(0)
    for _ in range(3):
        many = random.choice((1, random.randint(1, 200)))
        back, again = f"undo {many}", f"redo {random.randint(1, many)}"
        for command in (back, again):
            assert told.enter(command).lines == silent.enter(command).lines
            assert standing(told) == standing(silent)
