"""A game that is refereed: a line in, what was accepted onto the disk, then the answer out.

Here the table, its file and its clock come together. Whatever a line means is the table's
business; how it is asked for and shown, the screen's.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from time import monotonic
from typing import NamedTuple

from warcli.deal import deal
from warcli.generator import Generator
from warcli.record import (
    Entry,
    Flip,
    Head,
    Note,
    Record,
    clock_text,
    read_clock,
    shuffle_of,
)
from warcli.recordfile import BadRecord
from warcli.referee.clock import Clock, Tick, today
from warcli.referee.journal import Journal
from warcli.referee.table import Answer, Table
from warcli.replay import Replay
from warcli.rules import Rules
from warcli.words import say

_STAMP_EVERY = 20
"""Seconds on the clock after which the record is told the time, even in the middle of a war, whose
line that breaks. With a time limit every second counts, but between rounds only."""


class Wishes(NamedTuple):
    """What the players want of the referee besides rulings."""

    hints: bool = False
    """Show the next cards where they are known."""
    odds: bool = False
    """Tell everybody's chances after every round."""


NO_WISHES = Wishes()


class Reply(NamedTuple):
    """What to show for a line."""

    lines: tuple[str, ...]
    round_over: bool
    """Whether a round ended with it."""


class Session:
    """One sitting at a game."""

    table: Table
    journal: Journal
    clock: Clock
    """It starts with the first cards: dealing takes as long as it takes."""
    wishes: Wishes

    def __init__(self, table: Table, journal: Journal, clock: Clock, wishes: Wishes) -> None:
        self.table = table
        self.journal = journal
        self.clock = clock
        self.wishes = wishes
        self._stamped = clock.seconds
        self._time_told = False
        self._known_told = _all_known(table)
        self._keep_time()

    # Lines

    def enter(self, line: str) -> Reply:
        """Take a typed line."""
        return self._reply(self.table.enter(line))

    def turn_up(self) -> Reply:
        """Turn up the next cards, all of which are known."""
        answer = self.table.turn_up_known()
        assert answer is not None, "the program dealt, so it knows every card"
        return self._reply(answer)

    def odds(self) -> tuple[str, ...]:
        """Everybody's chances, which take a while; nothing once the game is over."""
        return () if self.table.result is not None else self.table.enter("odds").lines

    def leave(self) -> tuple[str, ...]:
        """Put the time on record, and let others have the file. Returns what to say of that."""
        told = self._put([], stamp=True)
        self.journal.close()
        return told

    def _reply(self, answer: Answer) -> Reply:
        answers = [answer]
        flipped = any(isinstance(entry, Flip) for entry in answer.entries)
        limit = self.table.rules.seconds
        if flipped and limit is not None and self.clock.seconds >= limit and not self._time_told:
            self._time_told = True
            if self.table.result is None:
                answers.append(self.table.time_up())
        self._keep_time()
        entries = [entry for part in answers for entry in part.entries]
        warning = self._put(entries) if entries else ()
        round_over = answer.round is not None
        lines = [*warning, *(line for part in answers for line in part.lines)]
        if self.wishes.hints and entries and not self._known_told and _all_known(self.table):
            self._known_told = True
            lines.append(say("Every card is known now: Enter takes the next ones."))
        return Reply(tuple(lines), round_over)

    # The file

    def _put(self, entries: Sequence[Entry], *, stamp: bool = False) -> tuple[str, ...]:
        """Have these on the disk, with the time where it is due. Returns what to say of that."""
        journal = self.journal
        trouble, path, begun_again = journal.trouble, journal.path, journal.begun_again
        seconds = self.clock.seconds
        stamp |= any(isinstance(entry, Note) and entry.word == "pause" for entry in entries)
        stamp |= self.table.rules.seconds is not None and not self.table.game.laid
        if int(seconds) - int(self._stamped) >= (1 if stamp else _STAMP_EVERY):
            entries = [*entries, Note("clock", clock_text(seconds))]
            self._stamped = seconds
        journal.add(entries)
        told = (_changed(path, journal.path),) if journal.begun_again > begun_again else ()
        if journal.trouble == trouble:
            return told
        again = say("Saved again: {file}", file=str(journal.path))
        return (*told, saving_trouble(journal) or again)

    def _keep_time(self) -> None:
        """The clock runs while the game does."""
        table = self.table
        if table.game.rounds and not table.paused and table.result is None:
            self.clock.go()
        else:
            self.clock.stop()


def _changed(before: Path, now: Path) -> str:
    """What to say when somebody else removed or changed the file `before`, so that another one
    had to be begun."""
    if now == before:
        return say(
            "CAUTION: somebody removed {file}; the whole game is in it again.", file=str(now)
        )
    return say(
        "CAUTION: somebody else changed {file}; it stays as they left it, and the whole game is in "
        "{new} from now on.",
        file=str(before),
        new=str(now),
    )


def saving_trouble(journal: Journal) -> str:
    """What to say when the game can't be saved; nothing, when it can."""
    if not journal.trouble:
        return ""
    return say(
        "CAUTION: this game is not saved, because {file} cannot be written: {why}. It goes on, but "
        "only here; it is tried again with every line.",
        file=str(journal.path),
        why=journal.trouble,
    )


# Beginning, and going on


def begin(
    rules: Rules,
    players: Sequence[str],
    path: Path,
    wishes: Wishes = NO_WISHES,
    tick: Tick = monotonic,
) -> Session:
    """Begin a game of real cards. Raises FileExistsError when there is a file at `path`."""
    head = Head(rules=rules, players=tuple(players), started=today())
    table = _table(head, wishes)
    return Session(table, Journal.begin(path, head), Clock(0, tick), wishes)


def begin_dealt(rules: Rules, players: Sequence[str], path: Path, seed: int, game: int) -> Session:
    """Begin a game whose cards the program deals and knows. Raises FileExistsError."""
    piles = deal(rules, Generator(seed, game)).piles
    head = Head(
        rules=rules,
        players=tuple(players),
        piles=piles,
        seed=seed,
        game=game,
        started=today(),
    )
    table = _table(head, NO_WISHES)
    return Session(table, Journal.begin(path, head), Clock(0, monotonic), NO_WISHES)


class Resumed(NamedTuple):
    """A game that goes on."""

    session: Session
    dropped: str
    """What stood at the end of the file, torn in half; empty if nothing did."""
    dealt: bool
    """Whether the program dealt the cards, and still knows where each of them is."""


def resume(path: Path, wishes: Wishes = NO_WISHES, tick: Tick = monotonic) -> Resumed:
    """Go on with a saved game at exactly the point where it was.

    Raises BadRecord when the file is no record, or one that the law contradicts (see `Replay`);
    InUse; OSError.
    """
    journal, record, dropped = Journal.resume(path)
    try:
        table = _table(record.head, wishes)
        journal.add(_ruled_on(path, record, table).missing())
        session = Session(table, journal, Clock(_seconds(record), tick), wishes)
    except BaseException:
        journal.close()
        raise
    return Resumed(session, dropped, _is_known(record.head, table))


def _ruled_on(path: Path, record: Record, table: Table) -> Replay:
    """The record, ruled on at this table. Raises BadRecord when the law contradicts it."""
    found = Replay(record, table)
    for slip in found.disagreements:
        message = say(
            "{file}:{line}: the record and the law disagree, so nobody can go on from it: {why}",
            file=str(path),
            line=slip.line,
            why=slip.message,
        )
        raise BadRecord([message])
    return found


def _seconds(record: Record) -> int:
    """What the clock showed last."""
    entries = reversed(record.entries)
    told = (each.value for each in entries if isinstance(each, Note) and each.word == "clock")
    return next(map(read_clock, told), 0)


def _table(head: Head, wishes: Wishes) -> Table:
    """The table at which a game begins."""
    return Table(head.rules, head.players, head.piles, hints=wishes.hints, shuffle=shuffle_of(head))


def _is_known(head: Head, table: Table) -> bool:
    """Whether every card of this game can be turned up by the program, to its end."""
    if head.piles is None or (head.rules.shuffles and shuffle_of(head) is None):
        return False
    return _all_known(table)


def _all_known(table: Table) -> bool:
    """Whether it is known of every card in the game where it is."""
    game = table.game
    on_table = [layer.cards for layer in (*game.carried, *game.laid)]
    places = (*game.piles, *game.asides, *on_table)
    slots = (slot for place in places for slot in place if slot is not None)
    return all(table.knowledge.certain(slot) is not None for slot in slots)
