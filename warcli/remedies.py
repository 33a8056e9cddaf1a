"""In words, for a value that a key cannot take: what it is, what is allowed, what was meant.

All of it comes from the key's type in the model, and from how the value is written in the file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import get_close_matches
from typing import Any

import msgspec
import yaml
from msgspec.inspect import IntType, LiteralType, Metadata, StrType, Type, UnionType, VarTupleType

from warcli.words import say

_NUMBERS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_NO_LIMIT = ("no", "off", "false", "null", "~", "", "never", "unlimited", "infinite", "0", "-1")
_DURATION = r"(?:(\d+) *h[a-z]*)? *(?:(\d+) *m?(?:in[a-z.]*)?)? *(?:(\d+) *s[a-z.]*)?"
_EXCEPTION = r"(\w+)\W+(?:beats?\W+|over\W+)?(\w+)"


def short(text: str) -> str:
    """The beginning of a text, where the whole is too long to be put into a sentence."""
    return text if len(text) <= 40 else text[:39] + "…"


def found(node: yaml.Node) -> str:
    """What stands there, and what YAML makes of it if that isn't what it looks like."""
    if isinstance(node, yaml.ScalarNode):
        return _found_text(node) if node.tag == "tag:yaml.org,2002:str" else _found_other(node)
    return say("a list") if isinstance(node, yaml.SequenceNode) else say("a mapping")


def _found_text(node: yaml.ScalarNode) -> str:
    if not node.value:
        return say("an empty text")
    text = short(node.value)
    if node.style in ("'", '"'):
        return say("the text {text} in quotes", text=text)
    return say("the text {text}", text=text)


def _found_other(node: yaml.ScalarNode) -> str:
    written: str = node.value
    if not written:
        return say("empty")
    if len(written) > 20:
        return say("{start} ({count} characters)", start=short(written), count=len(written))
    read = _read_by_yaml(node)
    if read == written:
        return say("{written}", written=written)
    return say("{written}, which YAML reads as {read}", written=written, read=read)


def _read_by_yaml(node: yaml.ScalarNode) -> str:
    try:
        value: object = yaml.constructor.SafeConstructor().construct_object(node)
    except (ValueError, yaml.YAMLError):
        return node.tag.rpartition(":")[2]
    if value is None:
        return say("nothing")
    return str(value).lower() if isinstance(value, bool) else str(value)


def allowed(type_: Type) -> str:
    """What a type takes, in words."""
    match type_:
        case Metadata(type=StrType(), extra_json_schema={"examples": examples}):
            words = say("a text such as {examples}", examples=_either(examples))
        case Metadata(type=plain):
            words = allowed(plain)
        case IntType(ge=least, le=most):
            words = say("a whole number from {least:,} to {most:,}", least=least, most=most)
        case LiteralType(values=values):
            words = _either(values)
        case UnionType(types=types):
            words = _either(map(allowed, types))
        case VarTupleType(item_type=item):
            words = say("a list, in which each entry is {entry}", entry=allowed(item))
        case StrType(max_length=int(most)):
            words = say("a text of at most {most} characters", most=most)
        case _:
            words = say("a text")
    return words


def _either(choices: Any) -> str:
    *some, last = map(str, choices)
    return say("{some} or {last}", some=", ".join(some), last=last) if some else last


def nearest(node: yaml.Node, hint: Any, type_: Type) -> list[str]:
    """What was probably meant: the first guess that the type takes, if there is any.

    `hint` and `type_` are the same type, as written in the model and as msgspec shows it.
    """
    if isinstance(node, yaml.ScalarNode) and len(node.value) <= 40:
        for guess in _guesses(node, type_):
            try:
                msgspec.convert(guess, hint)
            except msgspec.ValidationError:
                continue
            return [str(guess)]
    return []


def _guesses(node: yaml.ScalarNode, type_: Type) -> Iterator[object]:
    text = node.value.strip().lower()
    if node.tag.endswith((":int", ":float")):
        read = _read_by_yaml(node)
        yield int(float(read)) if re.fullmatch(r"[0-9]+(\.0)?", read) else read
    if re.fullmatch("[0-9]{1,9}", text):
        yield int(text)
    if text in _NUMBERS:
        yield _NUMBERS.index(text)
    if text in _NO_LIMIT:
        yield "none"
    yield from get_close_matches(re.sub(r"[\W_]+", "-", text), _choices(type_), n=1)
    if duration := re.fullmatch(_DURATION, text):
        yield "".join(
            number + unit for number, unit in zip(duration.groups(), "hms", strict=True) if number
        )
    if exception := re.fullmatch(_EXCEPTION, node.value.strip(), re.IGNORECASE):
        yield f"{exception[1]} beats {exception[2]}"


def _choices(type_: Type) -> list[str]:
    match type_:
        case Metadata(type=plain):
            return _choices(plain)
        case UnionType(types=types):
            return [choice for each in types for choice in _choices(each)]
        case LiteralType(values=values):
            return [str(value) for value in values]
    return []
