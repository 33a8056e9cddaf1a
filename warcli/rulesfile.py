"""Rules files: YAML in, Rules out; every problem with its line, its column and its remedy.

The model `Rules` is the one definition of the keys. A good file is converted in one go. Only when
that fails are its keys looked at one by one, each problem told in words that come from the model.

    rules = load("krig")                 # a built-in profile
    rules = load("house-rules.yaml")     # a path
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping
from difflib import get_close_matches
from functools import cache
from itertools import chain, islice
from pathlib import Path
from typing import Any

import msgspec
import yaml
from msgspec import Struct
from msgspec.structs import FieldInfo, fields

from warcli.contradictions import Remark, contradictions
from warcli.diagnostics import Problem
from warcli.keys import EXTENDS, KEYS, entry, value
from warcli.remedies import did_you_mean, found, good_entries, refusals, short
from warcli.rules import Rules
from warcli.surprises import surprises
from warcli.words import printable, say, say_count
from warcli.yamlfile import (
    Faulty,
    Missing,
    Place,
    Source,
    Unreadable,
    compose,
    place_of,
    read,
    read_standard_input,
)

_NOT_INHERITED = ("name", "description")
"""What a file says of itself."""

_LONGEST_CHAIN = 20
"""Files that extend one another; nobody could follow so many."""

MOST_ERRORS = 100
"""Errors that are shown of one file; one more says that there are others."""


class RulesFileError(ValueError):
    """Rules that cannot be had: `str()` is the whole diagnosis, for a person."""

    def __init__(self, problems: tuple[Problem, ...], *, unreadable: bool = False) -> None:
        super().__init__("\n\n".join(map(str, problems)))
        self.problems = problems
        self.unreadable = unreadable
        """Whether the file could not be read at all, so that nothing is said of its rules."""


class _TooManyErrors(Exception):
    """There are so many that the file cannot be meant as a rules file."""


class Checked(Struct, frozen=True):
    """What came of checking a rules file."""

    rules: Rules | None
    """None when there are errors."""
    errors: tuple[Problem, ...]
    warnings: tuple[Problem, ...] = ()
    """Rules that are valid, but perhaps not what was meant."""
    unreadable: bool = False
    """Whether the file could not be read at all; the one error says why."""


def load(source: str | Path) -> Rules:
    """The rules of a built-in profile, by its name, or of a file, by its path; `-`: standard input.

    A profile's name goes before a file of the same name (`./krig`, or a Path, is the file). Rules
    without a `name` are called after their file. Raises RulesFileError.
    """
    checked = check(source)
    if checked.rules is None:
        raise RulesFileError(checked.errors, unreadable=checked.unreadable)
    return checked.rules


def rules_in(source: Source, mapping: yaml.MappingNode) -> Rules:
    """The rules that stand as a mapping in another file. Raises RulesFileError."""
    checked = _File(source, mapping, (source.path,)).checked()
    if checked.rules is None:
        raise RulesFileError(checked.errors)
    return checked.rules


def check(
    source: str | Path, try_out: Callable[[Rules], Iterable[Remark]] | None = None
) -> Checked:
    """Every problem and every surprise of a built-in profile or a file, named as for `load`.

    `try_out` says what else is surprising about rules that are valid (see `study.trial`).
    """
    try:
        text = written(source)
    except RulesFileError as error:
        return Checked(None, error.problems, unreadable=True)
    return _checked(text, (), try_out)


def written(source: str | Path) -> Source:
    """A built-in profile or a file as it is written, named as for `load`.

    Raises RulesFileError when it cannot be read.
    """
    named = str(source)
    if not named:  # pathlib would take it for the folder that we are in
        raise RulesFileError((_unknown(named),), unreadable=True)
    path = source if isinstance(source, Path) else _profile(source) or Path(source)
    try:
        return read_standard_input() if source == "-" else read(path)
    except Missing:
        problem = _unknown(named)
    except Unreadable as error:
        problem = Problem(path=named, message=str(error))
    raise RulesFileError((problem,), unreadable=True)


def profiles() -> list[str]:
    """The names of the built-in profiles."""
    return sorted(path.stem for path in _profile_folder().glob("*.yaml"))


def as_yaml(rules: Rules) -> str:
    """The rules as a rules file with every key, which `load` reads back to the same rules."""
    keys: dict[str, Any] = {"name": rules.name} if rules.name else {}
    keys |= {key: value for key, value in msgspec.to_builtins(rules).items() if key != "name"}
    keys["rank_order"] = " ".join(rules.rank_order)
    return yaml.safe_dump(keys, sort_keys=False, allow_unicode=True, width=100)


@cache
def _profile_folder() -> Path:
    """In an installed package inside it; in a source tree the top-level `rules/`."""
    package = Path(__file__).parent
    installed = package / "profiles"
    return installed if installed.is_dir() else package.parent / "rules"


def _profile(name: str) -> Path | None:
    path = _profile_folder() / f"{name}.yaml"
    return path if re.fullmatch("[a-z0-9-]{1,50}", name) and path.is_file() else None


def _unknown(source: str) -> Problem:
    near = get_close_matches(Path(source).stem.lower(), profiles(), n=1)
    return Problem(
        path=source or say("an empty name"),
        message=say("there is no such file, and no built-in profile of this name"),
        allowed=say("a path, or one of {profiles}", profiles=", ".join(profiles())),
        advice=did_you_mean(near),
    )


def _nearest(name: str, file: Path) -> list[str]:
    """The profile, or the path of the file beside this one, that was probably meant by a name."""
    files = [
        Path(name).with_name(path.name)
        for path in (file.parent / name).parent.glob("*.yaml")
        if path.resolve() != file.resolve()
    ]
    known = {path.stem.lower(): path.as_posix() for path in files} | {
        profile: profile for profile in profiles()
    }
    return [known[near] for near in get_close_matches(Path(name).stem.lower(), known, n=1)]


def _checked(
    source: Source,
    chain: tuple[str, ...],
    try_out: Callable[[Rules], Iterable[Remark]] | None = None,
) -> Checked:
    """`chain`: the paths of the files that extend this one, the one that was asked for first."""
    try:
        return _File(source, _mapping(source), (*chain, source.path)).checked(try_out)
    except Faulty as error:
        return Checked(None, (error.problem,))


def _mapping(source: Source) -> yaml.MappingNode:
    from warcli.dealfile import looks_like_deal

    root = compose(source)
    if isinstance(root, yaml.MappingNode):
        if looks_like_deal(root):
            raise Faulty(
                source.problem(
                    root,
                    say("this is a deal, not the rules of a game"),
                    advice=say("play it: war simulate --deal {file}", file=source.path),
                )
            )
        return root
    if root is None:
        where, message = Place(), say("there is nothing in this file")
    else:
        where = place_of(root)
        message = say("a rules file is made of lines with a key, a colon and a value")
    advice = say("begin with a line such as {example}", example="extends: english")
    raise Faulty(source.problem(where, message, advice=advice))


class _File:
    """One rules file that is YAML: its keys, and what is wrong with them."""

    def __init__(self, source: Source, root: yaml.MappingNode, chain: tuple[str, ...]) -> None:
        """`chain`: the paths of the files that led here by `extends`, this one last."""
        self.source = source
        self.root = root
        self.chain = chain
        self.errors: list[Problem] = []
        self.nodes: dict[str, yaml.Node] = {}
        """The value of each key, as it stands in this file."""
        self._entries: dict[str, list[yaml.Node]] = {}

    def checked(self, try_out: Callable[[Rules], Iterable[Remark]] | None = None) -> Checked:
        try:
            self._read_keys()
            inherited = self._inherited()
            if not self.errors and (rules := self._rules(inherited or {})):
                found = surprises(rules, self.nodes.keys())
                tried = try_out(rules) if try_out else ()
                remarks = islice((*found, *tried), MOST_ERRORS)
                warnings = [self._located(remark, warning=True) for remark in remarks]
                return Checked(rules, (), tuple(self._in_order(warnings)))
            self._find_errors(inherited)
        except _TooManyErrors:
            message = say("more than {many} errors; the rest is not shown", many=MOST_ERRORS)
            return Checked(None, (*self.errors, self.source.problem(self.root, message)))
        assert self.errors, "the model refused what no check found fault with"
        return Checked(None, tuple(self._in_order(self.errors)))

    def _rules(self, inherited: Mapping[str, object]) -> Rules | None:
        own = {key: value(key, node) for key, node in self.nodes.items() if key != EXTENDS}
        own["name"] = own.get("name") or printable(Path(self.source.path).stem).strip()[:100]
        try:
            return msgspec.convert({**inherited, **own}, Rules)
        except msgspec.ValidationError:
            return None

    def _in_order(self, problems: list[Problem]) -> list[Problem]:
        """By their places; those of a file that this one extends, last."""
        return sorted(
            problems,
            key=lambda each: (each.path != self.source.path, each.path, each.line, each.column),
        )

    def _read_keys(self) -> None:
        lines: dict[str, int] = {}
        for key_node, value_node in self.root.value:
            key = key_node.value if isinstance(key_node, yaml.ScalarNode) else None
            if key is None:
                self._error(key_node, say("a key is one word"), allowed=KEYS)
            elif key not in KEYS:
                near = get_close_matches(re.sub(r"[\W_]+", "_", key.lower()), KEYS, n=1)
                self._error(
                    key_node,
                    say("{key} is no key of a rules file", key=short(key)),
                    allowed=() if near else KEYS,
                    advice=did_you_mean(near),
                )
            elif key in lines:
                self._error(
                    key_node,
                    say("{key} is given already in line {line}", key=key, line=lines[key]),
                    advice=say("keep one of the two"),
                )
            else:
                lines[key] = key_node.start_mark.line + 1
                self.nodes[key] = value_node

    def _inherited(self) -> dict[str, Any] | None:
        """The keys of the file that this one extends, if any; None when they cannot be had."""
        node = self.nodes.get(EXTENDS)
        if node is None:
            return {}
        name = value(EXTENDS, node)
        if not isinstance(name, str) or not name:
            self._error(
                node,
                say("{key} cannot be {found}", key=EXTENDS, found=found(node)),
                allowed=say("the name of a built-in profile, or the path of a rules file"),
            )
            return None
        beside = Path(self.source.path).parent
        try:
            source = read(_profile(name) or beside / name)
        except Missing:
            self._error(
                node,
                say(
                    "there is no file {name}, and no built-in profile of this name",
                    name=short(name),
                ),
                allowed=say(
                    "a path, beginning beside this file, or one of {profiles}",
                    profiles=", ".join(profiles()),
                ),
                advice=did_you_mean(_nearest(name, Path(self.source.path))),
            )
        except Unreadable as error:
            self._error(
                node,
                say("{file} cannot be read: {why}", file=short(name), why=str(error)),
                advice=say("name a built-in profile, or the path of a rules file"),
            )
        else:
            return self._inherited_from(source, node)
        return None

    def _inherited_from(self, source: Source, node: yaml.Node) -> dict[str, Any] | None:
        real = list(map(os.path.realpath, self.chain))
        if (again := os.path.realpath(source.path)) in real:
            circle = (*self.chain[real.index(again) :], source.path)
            names = " → ".join(Path(path).name for path in circle)
            self._error(
                node,
                say("extends goes in a circle: {names}", names=names),
                advice=say("let one of them stand on its own, with all its keys"),
            )
            return None
        if len(self.chain) > _LONGEST_CHAIN:
            self._error(node, say("more than {many} files extend one another", many=_LONGEST_CHAIN))
            return None
        base = _checked(source, self.chain)
        if base.rules is None:
            self.errors += [
                msgspec.structs.replace(each, extended_by=each.extended_by or self.chain[::-1])
                for each in base.errors
            ]
            return None
        keys = set(Rules.__struct_fields__).difference(_NOT_INHERITED)
        return {key: getattr(base.rules, key) for key in keys}

    def _find_errors(self, inherited: Mapping[str, object] | None) -> None:
        """Everything that keeps this file from being Rules; None: what it inherits isn't known."""
        keys: dict[str, object] = {}
        if inherited is not None:
            keys = {field.name: field.default for field in _fields() if not field.required}
            keys |= inherited
        for field in _fields():
            if (node := self.nodes.get(field.name)) is None:
                continue
            try:
                keys[field.name] = msgspec.convert(value(field.name, node), field.type)
            except msgspec.ValidationError:
                keys.pop(field.name, None)
                for each in refusals(field.name, node, field.type):
                    self._error(each.node, each.message, allowed=each.allowed, advice=each.advice)
        required = [field.name for field in _fields() if field.required]
        missing = [key for key in required if key not in keys and key not in self.nodes]
        if missing and inherited is not None:
            self._error(
                self.root.value[0][0] if self.root.value else self.root,
                say_count(
                    "one key is missing: {keys}",
                    "{count} keys are missing: {keys}",
                    len(missing),
                    keys=", ".join(missing),
                ),
                advice=say_count(
                    "add it, or start from other rules: {line}",
                    "add them, or start from other rules: {line}",
                    len(missing),
                    line="extends: english",
                ),
            )
        # What is well written in a list is judged all the same: an exception together with the
        # other keys, but ranks only among themselves, since they are not all there.
        ranks: dict[str, object] = {}
        for key, judged in (("rank_exceptions", keys), ("rank_order", ranks)):
            if key in self.nodes and key not in keys:
                judged[key] = tuple(map(entry, self._good_entries(key)))
        for remark in chain(contradictions(keys), contradictions(ranks)):
            self._add(self._located(remark))

    def _located(self, remark: Remark, *, warning: bool = False) -> Problem:
        """A remark where its likeliest culprit stands in this file; else at `extends`."""
        key = next((key for key in (*remark.keys, EXTENDS) if key in self.nodes), None)
        node = self.nodes[key] if key else self.root
        where = place_of(node)
        if remark.entry is not None and key == remark.keys[0]:
            if isinstance(node, yaml.SequenceNode):
                where = place_of(self._good_entries(key)[remark.entry])
            elif (word := self._word(node, remark.entry)) is not None:
                where = Place(where.line, word.start() + 1, len(word[0]))
        return self.source.problem(where, remark.message, advice=remark.advice, warning=warning)

    def _good_entries(self, key: str) -> list[yaml.Node]:
        """The entries of a list that are well written; a remark counts only these."""
        if key not in self._entries:
            [hint] = [field.type for field in _fields() if field.name == key]
            self._entries[key] = good_entries(self.nodes[key], hint)
        return self._entries[key]

    def _word(self, node: yaml.Node, place: int) -> re.Match[str] | None:
        """A word of a text that is written in one line, where that line has it."""
        start, end = node.start_mark, node.end_mark
        if start.line != end.line:
            return None
        word = re.compile(r"[^\s'\"]+")
        words = word.finditer(self.source.line(start.line + 1), start.column, end.column)
        return next(islice(words, place, None), None)

    def _error(
        self, node: yaml.Node, message: str, *, allowed: str | Iterable[str] = "", advice: str = ""
    ) -> None:
        if not isinstance(allowed, str):
            allowed = ", ".join(allowed)
        self._add(self.source.problem(node, message, allowed=allowed, advice=advice))

    def _add(self, error: Problem) -> None:
        self.errors.append(error)
        if len(self.errors) == MOST_ERRORS:
            raise _TooManyErrors


@cache
def _fields() -> tuple[FieldInfo, ...]:
    """The keys as the model has them; asked for only where something is wrong."""
    return fields(Rules)
