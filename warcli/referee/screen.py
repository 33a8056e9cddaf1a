"""How a session meets people: what it shows them, and how it asks for the next line.

This one is for pipes, files and screen readers: lines in, lines out, nothing that moves. The one
for terminals is in `terminal`.
"""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from pathlib import Path

import click

from warcli.cells import cells, filled, fitted, unfilled
from warcli.interruptions import held_back
from warcli.record import clock_text
from warcli.referee.session import Resumed, Session, saving_trouble
from warcli.referee.voice import Voice
from warcli.transcript import Look, dressed
from warcli.words import say, say_count

LEAVING = {"leave", "quit", "exit"}
"""What can be typed to save the game and leave."""

CTRL_C = "Ctrl-C takes back what was typed, no more; leave or Ctrl-D saves and leaves."

_NO_END = 1_000_000
"""Columns of a line that isn't broken."""


class Screen:
    """Shows lines, and asks for them."""

    def __init__(self, look: Look) -> None:
        self.look = look
        self.at_keyboard = sys.stdin is not None and sys.stdin.isatty()

    def show(self, lines: Sequence[str]) -> None:
        """Show these lines, long ones broken to the width of the terminal if it is one."""
        on_screen = sys.stdout.isatty()
        width = shutil.get_terminal_size().columns - 1 if on_screen else _NO_END
        text = unfilled(dressed(map(filled, lines), self.look._replace(width=width)))
        encoding = sys.stdout.encoding or "ascii"
        text = text.encode(encoding, "backslashreplace").decode(encoding)
        click.echo(text, nl=False, color=self.look.colour)

    def show_before_prompt(self, session: Session, lines: Sequence[str]) -> None:
        """Show these lines, but not what the prompt says again at once."""
        said = self.at_keyboard and lines and lines[-1] == session.table.wanted()
        self.show(lines[:-1] if said else lines)

    def ask(self, session: Session) -> str | None:
        """The next line; None at the end of the input.

        At a keyboard Ctrl-C gives up what was typed, and nothing more. Raises KeyboardInterrupt
        where there is none.
        """
        if not self.at_keyboard:
            line = sys.stdin.buffer.readline() if sys.stdin is not None else b""
            return line.decode("utf-8-sig", "replace") if line else None
        while True:
            try:
                return input(self.prompt(session))
            except EOFError:
                click.echo()
                return None
            except KeyboardInterrupt:
                click.echo()
                self.show([say(CTRL_C)])

    def busy(self) -> AbstractContextManager[None]:
        """While an answer is worked out: what is typed meanwhile comes to the next prompt."""
        return nullcontext()

    def prompt(self, session: Session) -> str:
        """What stands before the line that is typed."""
        table = session.table
        wanted = table.wanted()
        if session.wishes.hints and (cards := table.hints()) is not None:
            known = " ".join(cards)
            wanted = say("{wanted}, by Enter {cards}", wanted=wanted, cards=known)
        look = self.look._replace(width=_NO_END)
        return dressed([say("{wanted}> ", wanted=wanted)], look)[:-1]


def run(session: Session, screen: Screen) -> None:
    """Take lines and show rulings until somebody leaves or the input ends; then save."""
    with saved_at_the_end(session, screen, "referee"), _keyboard_as_it_was(screen):
        while (line := screen.ask(session)) is not None:
            if line.strip().casefold() in LEAVING:
                break
            try:
                with screen.busy():
                    _answer(session, screen, line)
            except KeyboardInterrupt:
                if not screen.at_keyboard:
                    raise
                screen.show(["", say(CTRL_C)])


def _answer(session: Session, screen: Screen, line: str) -> None:
    """Show what a line leads to: the ruling at once, what takes a while after it."""
    with held_back():
        reply = session.enter(line)
        screen.show_before_prompt(session, reply.lines)
    if session.wishes.odds and reply.round_over:
        # An interruption anywhere in here could be lost: Python drops those that come while it
        # tidies up behind an import. So it waits for the odds, half a second, which then aren't
        # shown.
        with held_back():
            odds = session.odds()
        screen.show(odds)


if sys.platform == "win32":

    def _keyboard_as_it_was(_screen: Screen) -> AbstractContextManager[None]:
        return nullcontext()

else:

    @contextmanager
    def _keyboard_as_it_was(screen: Screen) -> Iterator[None]:
        """Whoever leaves finds the keyboard set as before; a prompt that a signal broke off in the
        wrong moment may not have seen to it."""
        if not screen.at_keyboard:
            yield
            return
        import termios

        keyboard = sys.stdin.fileno()
        before = termios.tcgetattr(keyboard)
        try:
            yield
        finally:
            with suppress(termios.error):  # the terminal was closed
                termios.tcsetattr(keyboard, termios.TCSADRAIN, before)


@contextmanager
def saved_at_the_end(session: Session, screen: Screen, command: str) -> Iterator[None]:
    """A sitting: whatever ends it, Ctrl-C too, the game is saved then, and it is told how this
    command goes on with it."""
    wished = {
        "--hints": session.wishes.hints,
        "--odds": session.wishes.odds,
        "--ascii": screen.look.ascii,
    }
    again = " ".join([command, *(option for option, is_wished in wished.items() if is_wished)])
    try:
        yield
    except KeyboardInterrupt:
        if screen.at_keyboard:
            screen.show([""])  # after the ^C that the terminal shows
        raise
    finally:
        with held_back():
            screen.show([*session.leave(), *farewell(session, again)])


# What is said at the beginning and at the end


def opening(session: Session) -> Iterator[str]:
    """A new game with real cards: what the players must know before they begin."""
    from warcli.explain import in_short  # a game that goes on needs no rules told

    yield from introduction(session, *in_short(session.table.rules))
    yield say(
        "Turn up the top cards, and type them in the order of the players: {players}. Such as k9, "
        "or ks 9d with suits. Type help for everything else, and leave to save and leave.",
        players=", ".join(session.table.players),
    )


def introduction(session: Session, *paragraphs: str) -> Iterator[str]:
    """Who plays by which rules, these paragraphs, and where the game is saved."""
    table = session.table
    yield say(
        "War by the rules {rules}: {players}.",
        rules=table.rules.name,
        players=", ".join(table.players),
    )
    yield from paragraphs
    trouble = saving_trouble(session.journal)
    yield trouble or say("Every line is saved in {file}.", file=str(session.journal.path))


def reopening(resumed: Resumed) -> Iterator[str]:
    """A game that goes on: where it stood."""
    session = resumed.session
    table = session.table
    if resumed.dropped:
        yield say(
            "The last line of the file was torn in half and is dropped: {line}",
            line=resumed.dropped,
        )
    sizes = ", ".join(
        say("{player} {size}", player=player, size=size)
        for player, size in zip(table.players, table.game.sizes(), strict=True)
    )
    yield say(
        "Going on with {file}, by the rules {rules}.",
        file=str(session.journal.path),
        rules=table.rules.name,
    )
    yield say(
        "{sizes}. The clock shows {time}.", sizes=sizes, time=clock_text(session.clock.seconds)
    )
    if table.game.laid and table.result is None:
        yield from _war_on_the_table(session)
    elif table.game.rounds:
        yield say("The last round: {round}", round=" ".join(table.enter("history 1").lines))
    if table.paused:
        yield say("The clock is stopped; type resume to go on.")
    if trouble := saving_trouble(session.journal):
        yield trouble
    yield table.wanted()


def _war_on_the_table(session: Session) -> Iterator[str]:
    """Where the round stands that is being played: what lies there, and what comes next."""
    table = session.table
    layers = (*table.game.carried, *table.game.laid)
    lying = sum(card is not None for layer in layers for card in layer.cards)
    yield say_count(
        "In the middle of a war, with {count} card on the table:",
        "In the middle of a war, with {count} cards on the table:",
        lying,
    )
    if table.ruling is not None:
        yield from Voice(table.rules, table.players).ruling(table.ruling)


def farewell(session: Session, command: str) -> Iterator[str]:
    """Where the game is, and how this command goes on with it."""
    journal = session.journal
    if unsaved := journal.unsaved():
        yield saving_trouble(journal)
        yield say("This part of its record is on no disk; keep it:")
        yield from unsaved.splitlines()
    elif session.table.result is not None:
        yield say("The game is saved in {file}.", file=str(journal.path))
    else:
        yield say(
            "The game is saved. To go on: {command}",
            command=f"war {command} --resume {_quoted(journal.path)}",
        )


def _quoted(path: Path) -> str:
    """The path as it is typed on this system's command line, where it can't be an option."""
    text = str(path)
    if text.startswith("-"):
        text = f".{os.sep}{text}"
    if sys.platform == "win32":
        return f'"{text}"' if " " in text else text
    return shlex.quote(text)


# Sizes and time, for whoever shows them all the time


def bars(
    players: Sequence[str], sizes: Sequence[int], width: int, *, letters: bool
) -> Iterator[str]:
    """What each player holds, as a bar and as a number, in lines of `width` cells."""
    full, empty = ("#", ".") if letters else ("█", "░")
    total = max(1, sum(sizes))
    named = min(max(map(cells, players)), max(4, width // 3))
    counted = len(str(total))
    length = max(4, width - named - counted - 2)
    for player, size in zip(players, sizes, strict=True):
        filled = round(length * size / total)
        bar = full * filled + empty * (length - filled)
        yield f"{fitted(player, named)} {bar} {size:>{counted}}"


def in_columns(players: Sequence[str], sizes: Sequence[int], width: int) -> Iterator[str]:
    """What each player holds, several to a line of `width` cells, one under the other."""
    counted = len(str(max(sizes)))
    named = min(max(map(cells, players)), max(4, width - counted - 1))
    held = [
        f"{fitted(player, min(cells(player), named))} {size}"
        for player, size in zip(players, sizes, strict=True)
    ]
    column = max(map(cells, held)) + 2
    each = max(1, (width + 2) // column)
    for first in range(0, len(held), each):
        yield "".join(fitted(text, column) for text in held[first : first + each]).rstrip()


def state(session: Session) -> str:
    """The round, and the clock: `Round 12, 4:05 of 30:00`."""
    table = session.table
    parts = [say("Round {number}", number=table.number)]
    limit = table.rules.seconds
    time = clock_text(session.clock.seconds)
    if limit is not None:
        time = say("{time} of {limit}", time=time, limit=clock_text(limit))
    parts.append(say("{time} (stopped)", time=time) if table.paused else time)
    if session.journal.trouble:
        parts.append(say("NOT SAVED"))
    return ", ".join(parts)
