"""A keyboard and a screen for interactive commands: `from keyboard import Keyboard`.

The command runs in a pseudo-terminal, as in front of a person. Where it asks the terminal for the
cursor's place, as prompts with a toolbar do, it is answered.
"""

from __future__ import annotations

import os
import re
import shlex
import signal
import sys
from collections.abc import Sequence
from pathlib import Path

import pexpect

_ASKS_PLACE = re.escape("\x1b[6n")
_ESCAPE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b[=>]|\r")


class Keyboard:
    """A `war` command at a terminal."""

    def __init__(self, *arguments: str, home: Path, columns: int = 80, **variables: str) -> None:
        """`home` is where it saves its games."""
        environment = {
            **{name: it for name, it in os.environ.items() if name not in ("COLUMNS", "LINES")},
            "TERM": "xterm-256color",
            "XDG_DATA_HOME": str(home),
            "HOME": str(home),
            **variables,
        }
        program, *words = self._command(arguments)
        self._child = pexpect.spawn(
            program,
            words,
            env=environment,
            encoding="utf-8",
            dimensions=(24, columns),
            timeout=20,
        )
        self._child.delaybeforesend = None
        self.seen = ""
        """All that was shown so far, escape sequences included."""

    def _command(self, arguments: Sequence[str]) -> list[str]:
        return [sys.executable, "-m", "warcli", *arguments]

    def wait(self, text: str) -> str:
        """Wait until this is shown; returns what was shown before it."""
        before = ""
        while True:
            found = self._child.expect([re.escape(text), _ASKS_PLACE])
            shown, matched = str(self._child.before), str(self._child.after)
            before += shown
            self.seen += shown + matched
            if found == 0:
                return _ESCAPE.sub("", before)
            self._child.send("\x1b[10;1R")

    def type(self, line: str) -> None:
        """Type a line, and Enter."""
        self._child.send(line + "\r")

    def press(self, keys: str) -> None:
        """Press keys, without Enter."""
        self._child.send(keys)

    def stop_and_continue(self) -> None:
        """What Ctrl-Z and `fg` in a shell do: the shell has the terminal in between."""
        import termios

        command = self._child.pid
        assert command is not None
        os.kill(command, signal.SIGSTOP)
        os.waitpid(command, os.WUNTRACED)
        screen = self._child.child_fd
        mode = termios.tcgetattr(screen)
        mode[3] |= termios.ICANON | termios.ECHO
        termios.tcsetattr(screen, termios.TCSANOW, mode)
        os.kill(command, signal.SIGCONT)

    def send(self, number: signal.Signals) -> None:
        """Send the command a signal, as the system or another terminal does."""
        assert self._child.pid is not None
        os.kill(self._child.pid, number)

    def shows_what_is_typed(self) -> bool:
        """Whether the terminal is as a shell needs it."""
        return bool(self._child.getecho())

    def end(self) -> int:
        """Wait for the end of the command; returns its exit status."""
        while self._child.expect([pexpect.EOF, _ASKS_PLACE]):
            self._child.send("\x1b[10;1R")
        self.seen += str(self._child.before)
        self._child.close()
        status = self._child.exitstatus
        assert status is not None
        return int(status)

    def kill(self) -> None:
        """Close the terminal, without any warning."""
        self._child.close(force=True)

    @property
    def text(self) -> str:
        """All that was shown, without escape sequences."""
        return _ESCAPE.sub("", self.seen)


class Shell(Keyboard):
    """The same in a shell, as people have it: `$ ` is its prompt."""

    def __init__(self, *arguments: str, home: Path) -> None:
        super().__init__(home=home, PS1="$ ", ENV="")
        self.wait("$ ")
        self.type(shlex.join(super()._command(arguments)))

    def _command(self, arguments: Sequence[str]) -> list[str]:
        return ["sh", "-i", *arguments]
