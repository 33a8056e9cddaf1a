"""The session on a terminal: a line with history and completion, and a toolbar that keeps time."""

from __future__ import annotations

import shutil
import sys
from collections import deque
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress

from prompt_toolkit import PromptSession
from prompt_toolkit.application import get_app, run_in_terminal
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.filters import Condition
from prompt_toolkit.formatted_text import ANSI
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys

from warcli.cards import ascii_form
from warcli.referee.commands import COMMANDS
from warcli.referee.screen import CTRL_C, LEAVING, Screen, bars, in_columns, state
from warcli.referee.session import Session
from warcli.referee.table import Table
from warcli.transcript import Look
from warcli.words import say

_MOST_BARS = 4
"""Players that a toolbar shows a bar each; more would fill a small terminal."""


class Terminal(Screen):
    """A screen that somebody sits in front of."""

    def __init__(self, look: Look, session: Session) -> None:
        super().__init__(look)
        self._session = session
        self._pasted: deque[str] = deque()  # lines that are still to be taken; the last isn't ended
        self._line: PromptSession[str] = PromptSession(
            completer=_Completer(session.table),
            complete_while_typing=False,
            bottom_toolbar=self._toolbar,
            key_bindings=self._keys(),
            enable_suspend=True,
            refresh_interval=1,  # the clock goes on
        )

    def ask(self, session: Session) -> str | None:
        while True:
            typed = self._pasted.popleft() if self._pasted else ""
            try:
                return self._line.prompt(
                    ANSI(self.prompt(session)), default=typed, accept_default=bool(self._pasted)
                )
            except KeyboardInterrupt:  # gives up what was typed, and nothing more
                self._pasted.clear()
                self.show([say(CTRL_C)])
            except EOFError:
                return None

    def busy(self) -> AbstractContextManager[None]:
        return _without_echo()

    def _keys(self) -> KeyBindings:
        """Keys that do here what they don't do at every prompt."""
        keys = KeyBindings()

        @keys.add("c-d", filter=Condition(lambda: bool(get_app().current_buffer.text)))
        def _(_event: KeyPressEvent) -> None:
            """Leaves only when nothing is typed; if something is, it could be meant otherwise."""
            said = say("Ctrl-D leaves when nothing is typed; Ctrl-C takes back what is.")
            run_in_terminal(lambda: self.show([said]))

        @keys.add(Keys.BracketedPaste)
        def _(event: KeyPressEvent) -> None:
            """Several lines are taken one by one, as if they had been typed."""
            first, *more = event.data.replace("\r\n", "\n").replace("\r", "\n").split("\n")
            event.current_buffer.insert_text(first)
            if more:
                self._pasted.extend(more)
                event.current_buffer.validate_and_handle()

        @keys.add(Keys.Vt100MouseEvent)
        def _(_event: KeyPressEvent) -> None:
            """Nothing: no mouse is asked for, and prompt_toolkit 3.0.53 takes colours that
            somebody pastes (`ESC[31m`) for one, and fails."""

        return keys

    def _toolbar(self) -> str:
        table = self._session.table
        width = shutil.get_terminal_size().columns - 1
        sizes = table.game.sizes()
        if len(sizes) <= _MOST_BARS:
            held = bars(table.players, sizes, width, letters=self.look.ascii)
            return "\n".join([state(self._session), *held])
        return "\n".join([state(self._session), *in_columns(table.players, sizes, width)])


if sys.platform == "win32":

    def _without_echo() -> AbstractContextManager[None]:
        return nullcontext()  # nothing is shown there before it is read

else:
    import termios

    @contextmanager
    def _without_echo() -> Iterator[None]:
        """What is typed is not shown here; the next prompt shows it."""
        _set_echo(0)
        try:
            yield
        finally:
            _set_echo(termios.ECHO)

    def _set_echo(echo: int) -> None:
        keyboard = sys.stdin.fileno()
        with suppress(termios.error):  # the terminal was closed
            mode = termios.tcgetattr(keyboard)
            mode[3] = mode[3] & ~termios.ECHO | echo
            termios.tcsetattr(keyboard, termios.TCSANOW, mode)


class _Completer(Completer):
    """Completes commands, players' names, and the cards that can be there."""

    def __init__(self, table: Table) -> None:
        self._table = table

    def get_completions(
        self,
        document: Document,
        complete_event: CompleteEvent,  # noqa: ARG002
    ) -> Iterator[Completion]:
        """What can stand where the cursor is, given what stands before it."""
        before = document.text_before_cursor
        words = before.split()
        begun = words.pop() if words and not before.endswith(" ") else ""
        for text, shown in self._words(words):
            if text.casefold().startswith(begun.casefold()):
                yield Completion(text, start_position=-len(begun), display=shown)

    def _words(self, before: list[str]) -> Iterator[tuple[str, str]]:
        """The words that can follow these, as they are typed and as they are shown."""
        table = self._table
        if before and before[0].casefold() == "unordered":
            yield from ((player, player) for player in table.players)
            return
        if not before:
            yield from ((word, word) for word in sorted({*COMMANDS, *LEAVING}))
        possible = table.possible()
        if len(before) < len(possible):
            order = table.rules.pack.kinds
            cards = possible[len(before)]
            yield from ((ascii_form(card), card) for card in order if card in cards)
