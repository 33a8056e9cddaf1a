"""In words, for a value that a key cannot take: what it is, what is allowed, what was meant.

All of it comes from the key's type in the model, and from how the value is written in the file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from typing import Any, NamedTuple, get_args, get_origin

import msgspec
import yaml
from msgspec.inspect import (
    IntType,
    LiteralType,
    Metadata,
    StrType,
    Type,
    UnionType,
    VarTupleType,
    type_info,
)

from warcli.keys import SPLIT, entry
from warcli.spoken import either
from warcli.words import say

_NUMBERS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_NO_LIMIT = ("no", "off", "false", "null", "~", "", "never", "unlimited", "infinite", "0", "-1")
_DURATION = r"(?:(\d+) *h[a-z]*)? *(?:(\d+) *m?(?:in[a-z.]*)?)? *(?:(\d+) *s[a-z.]*)?"
_PAIR = r"\W*(\w+)\W+(?:beats?\W+|over\W+)?(\w+)\W*"


class Refusal(NamedTuple):
    """That a key, or an entry of its list, cannot be what is written there."""

    node: yaml.Node
    message: str
    allowed: str
    advice: str


def refusals(key: str, node: yaml.Node, hint: Any) -> Iterator[Refusal]:
    """What is wrong with a value that its key doesn't take: with each entry, if it is a list.

    `hint` is the key's type, as the model writes it.
    """
    is_list = hint_of_entries(hint) is not None
    if is_list and isinstance(node, yaml.SequenceNode) and node.value:
        for each in node.value:
            if not takes(hint_of_entries(hint), entry(each)):
                yield from refusals(say("an entry of {key}", key=key), each, hint_of_entries(hint))
        return
    what = allowed(type_info(hint))
    advice = did_you_mean(nearest(node, hint))
    if key == SPLIT:
        what = say("{list}; or one text, split at spaces", list=what)
    elif is_list and node.value in (*_NO_LIMIT, "none") and takes(hint, ()):
        advice = say("write {nothing} for none", nothing="[]")
    elif is_list and takes(hint_of_entries(hint), entry(node)):
        advice = say("write it as a list: [{entry}]", entry=short(node.value))
    yield Refusal(node, say("{key} cannot be {found}", key=key, found=found(node)), what, advice)


def good_entries(node: yaml.Node, hint: Any) -> list[yaml.Node]:
    """The entries of a list that are well written."""
    entries = node.value if isinstance(node, yaml.SequenceNode) else ()
    return [each for each in entries if takes(hint_of_entries(hint), entry(each))]


def hint_of_entries(hint: Any) -> Any:
    """The type of the entries of a key that takes a list; None for other keys."""
    plain = get_args(hint)[0]
    return get_args(plain)[0] if get_origin(plain) is tuple else None


def takes(hint: Any, value: object) -> bool:
    """Whether a type takes this value."""
    try:
        msgspec.convert(value, hint)
    except msgspec.ValidationError:
        return False
    return True


def did_you_mean(near: Sequence[str]) -> str:
    """The advice to write what is nearest, if anything is near."""
    return say("did you mean {near}?", near=near[0]) if near else ""


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
    if re.fullmatch("[0-9]{20,}", written):
        return say("a number of {count} digits", count=len(written))
    if len(written) > 40:
        return say("{start} ({count} characters)", start=short(written), count=len(written))
    read = _read_by_yaml(node)
    if read == written:
        return written
    return say("{written}, which YAML reads as {read}", written=written, read=read)


def _read_by_yaml(node: yaml.ScalarNode) -> str:
    try:
        value: object = yaml.constructor.SafeConstructor().construct_object(node)
    except (ValueError, LookupError, AttributeError, yaml.YAMLError):  # its tag is a lie
        return node.tag.rpartition(":")[2]
    if value is None:
        return say("nothing")
    return str(value).lower() if isinstance(value, bool) else str(value)


def allowed(type_: Type) -> str:
    """What a type takes, in words."""
    match type_:
        case Metadata(type=StrType(), extra_json_schema={"title": str(title), "examples": few}):
            words = say(
                "{title}, such as {examples}", title=title, examples=either([*map(str, few)])
            )
        case Metadata(type=StrType(), extra_json_schema={"examples": few}):
            words = say("a text such as {examples}", examples=either([*map(str, few)]))
        case Metadata(type=plain):
            words = allowed(plain)
        case IntType(ge=least, le=most):
            words = say("a whole number from {least:,} to {most:,}", least=least, most=most)
        case LiteralType(values=values):
            words = either([*map(str, values)])
        case UnionType(types=types):
            words = either([*map(allowed, types)])
        case VarTupleType(item_type=item):
            words = say("a list, in which each entry is {entry}", entry=allowed(item))
        case StrType(max_length=int(most)):
            words = say("a text of at most {most} characters", most=most)
        case _:
            words = say("a text")
    return words


def nearest(node: yaml.Node, hint: Any) -> list[str]:
    """What was probably meant: the first guess that a type takes, if there is any."""
    if not isinstance(node, yaml.ScalarNode) or len(node.value) > 40:
        return []
    type_ = type_info(hint)
    for guess in _guesses(node, _spellings(type_)):
        if takes(hint, guess):
            return [str(guess)]
    if isinstance(type_, Metadata) and isinstance(type_.type, StrType) and node.value:
        return [f'"{node.value}"'] if type_.type.pattern is None else []
    return []


def _guesses(node: yaml.ScalarNode, spellings: list[str]) -> Iterator[object]:
    text = node.value.strip().lower()
    if re.fullmatch("[0-9]{1,9}|[0-9]{1,3}([ .,'_][0-9]{3}){1,2}", text):
        yield int(re.sub("[^0-9]", "", text))
    if node.tag.endswith((":int", ":float")) and ":" not in text:  # nobody counts in sixties
        read = _read_by_yaml(node)
        if re.fullmatch(r"[0-9]+(\.0)?", read):
            yield int(float(read))
    if text in _NUMBERS:
        yield _NUMBERS.index(text)
    if "none" in spellings and text in _NO_LIMIT:
        yield "none"
    yield from get_close_matches(re.sub(r"[\W_]+", "-", text), spellings, n=1)
    if "30m" in spellings and (duration := re.fullmatch(_DURATION, text)):
        parts = zip(duration.groups(), "hms", strict=True)
        yield "".join(number + unit for number, unit in parts if number)
    if "6 beats A" in spellings and (pair := re.fullmatch(_PAIR, node.value, re.IGNORECASE)):
        yield f"{pair[1]} beats {pair[2]}"


def _spellings(type_: Type) -> list[str]:
    """What a type names word for word: the values that can be chosen, the examples of a text."""
    match type_:
        case Metadata(type=StrType(), extra_json_schema={"examples": examples}):
            return list(examples)
        case Metadata(type=plain):
            return _spellings(plain)
        case UnionType(types=types):
            return [spelling for each in types for spelling in _spellings(each)]
        case LiteralType(values=values):
            return [str(value) for value in values]
    return []
