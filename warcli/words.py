"""The one place through which everything that a person reads is said; two things excepted, which
are English only: the help of commands and options, and what the JSON Schema says of keys.

English stands in the code where it is said; another language is a gettext catalogue,
`locale/LANGUAGE/LC_MESSAGES/warcli.mo` (the ordinary tools extract `say` and `say_count`).
Whatever is put into a sentence may have come from a file or a player, so control characters never
pass through here.
"""

from __future__ import annotations

import unicodedata
from functools import cache
from gettext import NullTranslations, translation
from pathlib import Path


def say(sentence: str, /, **parts: object) -> str:
    """`sentence` in the reader's language, with its `{parts}` put in, made safe to show."""
    return _catalogue().gettext(sentence).format_map(_safe_parts(parts))


def say_count(one: str, many: str, count: int, /, **parts: object) -> str:
    """`one` or `many`, as `count` asks for in the reader's language; `{count}` is put in too."""
    chosen = _catalogue().ngettext(one, many, count)
    return chosen.format_map(_safe_parts({"count": count, **parts}))


def printable(text: str) -> str:
    """`text` on one line without control characters, each written as the escape that makes it.

    Directional overrides and other invisible format characters count: they can hide text.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(
        character
        if character.isprintable() or unicodedata.category(character) == "Zs"
        else character.encode("unicode_escape").decode("ascii")
        for character in text
    )


@cache
def _catalogue() -> NullTranslations:
    """The reader's language, as the environment asks for it; English where there is no other."""
    return translation("warcli", Path(__file__).with_name("locale"), fallback=True)


def _safe_parts(parts: dict[str, object]) -> dict[str, object]:
    return {
        name: printable(part) if isinstance(part, str) else part for name, part in parts.items()
    }
