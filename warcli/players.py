"""The names of the players, and which names a player can have.

A name stands in transcripts, deal files and game records, and is typed at the table; so it is one
short line, without the signs that mean something there.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from warcli.rules import Rules
from warcli.words import say, say_count

MAX_LENGTH = 40
"""Characters that a name may have."""

_TAKEN = frozenset(',:;|>#"')
"""Signs that part names from other things, in `--players` or in a game record."""


class BadName(ValueError):
    """A name that a player can't have, or that two have; `str()` of it says why."""


class WrongNumber(BadName):
    """More or fewer names than the rules have players."""


def check_name(name: str) -> str:
    """The name, without spaces around it, and each letter with its accent as one character.

    Raises BadName when it is empty, too long, `-` (which stands for nobody), or holds what cannot
    be shown or one of the signs `, : ; | > # "`.
    """
    plain = unicodedata.normalize("NFC", name.strip())
    if not plain or plain == "-":
        raise BadName(say("a player needs a name, not {name}", name=repr(name)))
    if len(plain) > MAX_LENGTH:
        raise BadName(
            say(
                "the name {name}... has {length} characters; use at most {most}",
                name=plain[:20],
                length=len(plain),
                most=MAX_LENGTH,
            )
        )
    for sign in plain:
        if not (sign.isprintable() or sign == "\N{NO-BREAK SPACE}"):
            raise BadName(
                say(
                    "the name {name} holds {sign}, which cannot be shown everywhere; leave it out",
                    name=plain,
                    sign=repr(sign),
                )
            )
        if sign in _TAKEN:
            raise BadName(
                say(
                    "the name {name} holds {sign}, which means something else in a game record; "
                    "leave it out",
                    name=plain,
                    sign=repr(sign),
                )
            )
    return plain


def check_names(names: Sequence[str], rules: Rules) -> tuple[str, ...]:
    """The names of all players of a game, one a seat, each as `check_name` gives it.

    Raises BadName when one is no name, when two are the same but for capitals, and
    WrongNumber when there are more or fewer than the rules have players.
    """
    checked = tuple(map(check_name, names))
    taken: dict[str, str] = {}
    for name in checked:
        other = taken.get(name.casefold())
        if other is not None:
            raise BadName(
                say("two players are called {name}; give each a name of their own", name=name)
                if other == name
                else say("{one} and {other} differ only in capitals", one=other, other=name)
            )
        taken[name.casefold()] = name
    if len(checked) != rules.players:
        raise WrongNumber(
            say_count(
                "{count} name was given ({names}), but the rules {rules} are for {players} players",
                "{count} names were given ({names}), but the rules {rules} are for {players} "
                "players",
                len(checked),
                names=", ".join(checked),
                rules=rules.name,
                players=rules.players,
            )
        )
    return checked
