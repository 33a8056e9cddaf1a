"""The commands at the table, and the one that was meant by a slip."""

from __future__ import annotations

from difflib import get_close_matches

COMMANDS: dict[str, str] = {
    "why": "why: explains the last ruling and names the rule",
    "undo": "undo, undo 3: takes back the last line, or the last three",
    "redo": "redo, redo 3: plays again what was taken back",
    "accept": "accept: the card is really there; forget what speaks against it and play on",
    "unordered": "unordered NAME, unordered all: that pile was dropped or mixed; its order is "
    "forgotten",
    "count": "count 25 27: the players hold so many cards really",
    "pause": "pause: stops the clock",
    "resume": "resume: starts the clock again",
    "piles": "piles: what is known of every pile, the top card first",
    "history": "history, history 20: the last rounds",
    "odds": "odds: everybody's chances, and how many rounds are still to go",
    "foretell": "foretell: how the game ends, once every card is known",
    "stop": "stop: ends the game without a winner",
    "help": "help, or ?: shows this",
    "leave": "leave: saves the game and leaves",
}
"""Everything that can be typed instead of cards, and what `help` says of it."""

_ALSO_CALLED = {"back": "undo", "end": "stop", "exit": "leave", "quit": "leave"}
"""Words that people try, and the commands for them."""

_NEAR = 0.7
"""How alike, from 0 to 1, a slip and the command that was meant must be."""


def nearest(word: str) -> str | None:
    """The command that was probably meant by a word that is none; None if no command is near."""
    plain = word.casefold()
    near = get_close_matches(plain, COMMANDS, n=1, cutoff=_NEAR)
    return _ALSO_CALLED.get(plain) or (near[0] if near else None)
