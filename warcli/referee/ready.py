"""A game without cards in the house: the program deals, and turns up when everybody is ready.

Nobody can turn up anybody else's card: each player has a key of their own, and only when all who
are to turn up a card have pressed theirs are the cards shown.
"""

from __future__ import annotations

import os
import re
import signal
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from itertools import takewhile

import click

from warcli.interruptions import held_back
from warcli.referee.screen import Screen, introduction, saved_at_the_end
from warcli.referee.session import Session
from warcli.referee.table import Table
from warcli.words import say

_FAR_APART = {2: "al", 3: "agl", 4: "afhl"}
"""Keys that two, three or four people can reach without their hands meeting."""

_LEAVE = {"\x04", "\x1a"}
"""Ctrl-D, and Ctrl-Z, the end of input on Windows; elsewhere that stops a program until `fg`."""

_AGAIN = "\x0c"
"""Ctrl-L: show again what is waited for."""


def keys_of(players: Sequence[str]) -> tuple[str, ...]:
    """Each player's key: the first letter of the name if all have different ones on a keyboard,
    else keys that lie apart."""
    initials = [player[0].casefold() for player in players]
    plain = all(initial.isascii() and initial.isalnum() for initial in initials)
    if plain and len(set(initials)) == len(players):
        return tuple(initials)
    return tuple(_FAR_APART.get(len(players), "12345678")[: len(players)])


@contextmanager
def pressed_keys() -> Iterator[Iterator[str]]:
    """The keys that are pressed, one by one, until the input ends or somebody wants to leave.

    At a keyboard each counts at once, without Enter; through a pipe every character is a key.
    """
    if sys.stdin is None:
        yield iter(())
    elif not sys.stdin.isatty():
        yield (key for line in sys.stdin.buffer for key in line.decode("utf-8-sig", "replace"))
    else:
        with _each_key_at_once() as keys:
            yield takewhile(lambda key: key not in _LEAVE, keys)


if sys.platform == "win32":

    @contextmanager
    def _each_key_at_once() -> Iterator[Iterator[str]]:
        """The keys, as they are pressed."""
        yield iter(click.getchar, "")

else:
    _KEY = re.compile(
        r"\x1b\[200~.*?\x1b\[201~|\x1b\[[0-?]*[ -/]*[@-~]|\x1bO[ -~]|.", flags=re.DOTALL
    )
    """What one key sends: a sequence, such as an arrow's, or one character. What is pasted counts
    as one key, too."""

    _AT_ONCE = 0.02
    """Seconds within which a whole sequence is there."""

    @contextmanager
    def _each_key_at_once() -> Iterator[Iterator[str]]:
        """The keys, as they are pressed, until the end of the input; `_AGAIN`, too, when the game
        goes on after it was stopped.

        The terminal stays so for the whole game: if it were switched for every key, as by
        `click.getchar`, keys that two people press at once would get lost between.
        """
        import termios
        import tty
        from select import select

        keyboard = sys.stdin.fileno()
        before = termios.tcgetattr(keyboard)
        woken, wake = os.pipe()

        def switch(*_: object) -> None:
            with suppress(termios.error):  # in the background, where the terminal isn't ours
                tty.setcbreak(keyboard, termios.TCSANOW)

        def go_on(*_: object) -> None:
            switch()
            os.write(wake, _AGAIN.encode())

        def keys() -> Iterator[str]:
            while True:
                ready, _, _ = select([keyboard, woken], [], [])
                sent = read = os.read(ready[0], 1024)
                while read and b"\x1b" in sent and select([keyboard], [], [], _AT_ONCE)[0]:
                    read = os.read(keyboard, 1024)
                    sent += read
                if not sent:
                    return
                yield from _KEY.findall(sent.decode("utf-8", "replace"))

        switch()
        continued = signal.signal(signal.SIGCONT, go_on)  # the shell has switched it back
        try:
            yield keys()
        finally:
            signal.signal(signal.SIGCONT, continued)
            os.close(wake)
            os.close(woken)
            with suppress(termios.error):  # the terminal was closed
                termios.tcsetattr(keyboard, termios.TCSADRAIN, before)


def opening(session: Session) -> Iterator[str]:
    """A new game: what the players must know before they begin."""
    from warcli.explain import in_short

    table = session.table
    sizes = ", ".join(
        say("{player} {size}", player=player, size=size)
        for player, size in zip(table.players, table.game.sizes(), strict=True)
    )
    _, *war_and_end = in_short(table.rules)
    yield from introduction(
        session, say("The cards are shuffled and dealt: {sizes}.", sizes=sizes), *war_and_end
    )
    keys = ", ".join(
        say("{player} {key}", player=player, key=key)
        for player, key in zip(table.players, keys_of(table.players), strict=True)
    )
    yield say("Each player has a key: {keys}. Ctrl-D saves and leaves.", keys=keys)


def run(session: Session, screen: Screen, keys: Iterator[str]) -> None:
    """Turn up cards as the players are ready, until the game is over or the keys end; then save."""
    table = session.table
    of_player = keys_of(table.players)
    with saved_at_the_end(session, screen, "play"):
        while table.result is None and _all_ready(session, screen.show, of_player, keys):
            with held_back():
                screen.show(session.turn_up().lines)


def _all_ready(
    session: Session,
    show: Callable[[Sequence[str]], None],
    of_player: Sequence[str],
    keys: Iterator[str],
) -> bool:
    """Wait until everybody who is to turn up a card has pressed their key; False: they leave."""
    table = session.table
    waiting = {of_player[seat]: table.players[seat] for seat in table.due}
    show([_asked(table, waiting)])
    while waiting:
        key = next(keys, None)
        if key is None:
            return False
        key = key.casefold()
        if key == _AGAIN:
            show([_asked(table, waiting)])
        elif key in waiting:
            player = waiting.pop(key)
            if waiting:
                show([say("{player} is ready.", player=player)])
        elif key not in of_player and not key.isspace():
            show([say("That is nobody's key. Press: {keys}", keys=", ".join(waiting))])
    return True


def _asked(table: Table, waiting: Mapping[str, str]) -> str:
    """The question whether those are ready who have yet to press their key."""
    keys = ", ".join(
        say("{player} ({key})", player=player, key=key) for key, player in waiting.items()
    )
    if table.game.laid:
        return say("Round {number}, war. Ready? Press: {keys}", number=table.number, keys=keys)
    return say("Round {number}. Ready? Press: {keys}", number=table.number, keys=keys)
