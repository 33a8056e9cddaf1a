"""Rules files: YAML in, Rules out; every problem with its line, its column and its remedy.

The model `Rules` is the one definition of the keys. A good file is converted in one go. Only when
that fails are its keys looked at one by one, each problem told in words that come from the model.

    rules = load("krig")                 # a built-in profile
    rules = load("house-rules.yaml")     # a path
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any, get_args, get_type_hints

import msgspec
import yaml
from msgspec import Struct
from msgspec.inspect import Metadata, StructType, Type, VarTupleType, type_info

from warcli.diagnostics import Problem
from warcli.remedies import allowed, found, nearest, short
from warcli.rules import Remark, Rules, contradictions, surprises
from warcli.words import printable, say, say_count
from warcli.yamlfile import Faulty, Source, Unreadable, compose, read

EXTENDS = "extends"
"""The one key of a rules file that is no key of the rules: what to start from."""

_NOT_INHERITED = ("name", "description")
"""What a file says of itself."""

_SPLIT = "rank_order"
"""The key whose list may be written as one text."""

_NULL = "tag:yaml.org,2002:null"
_PLAIN_NUMBER = re.compile("-?(0|[1-9][0-9]{0,17})")

_LONGEST_CHAIN = 20
"""Files that extend one another; nobody could follow so many."""


class RulesFileError(ValueError):
    """Rules that cannot be had: `str()` is the whole diagnosis, for a person."""

    def __init__(self, problems: tuple[Problem, ...], *, unreadable: bool = False) -> None:
        super().__init__("\n\n".join(map(str, problems)))
        self.problems = problems
        self.unreadable = unreadable
        """Whether the file could not be read at all, so that nothing is said of its rules."""


class Checked(Struct, frozen=True):
    """What came of checking a rules file."""

    rules: Rules | None
    """None when there are errors."""
    errors: tuple[Problem, ...]
    warnings: tuple[Problem, ...] = ()
    """Rules that are valid, but perhaps not what was meant."""
    unreadable: bool = False
    """Whether the file could not be read at all; the one error says why."""


def load(source: str) -> Rules:
    """The rules of a built-in profile, by its name, or of a file, by its path.

    A profile's name goes before a file of the same name (write `./krig` for the file). Rules without
    a `name` are called after their file. Raises RulesFileError.
    """
    checked = _checked(_path_of(source), ())
    if checked.rules is None:
        raise RulesFileError(checked.errors, unreadable=checked.unreadable)
    return checked.rules


def check(source: str) -> Checked:
    """Every problem and every surprise of a built-in profile or a file, named as for `load`."""
    try:
        return _checked(_path_of(source), (), warn=True)
    except RulesFileError as error:
        return Checked(None, error.problems, unreadable=error.unreadable)


def profiles() -> list[str]:
    """The names of the built-in profiles."""
    return sorted(path.stem for path in _profile_folder().glob("*.yaml"))


def profile_path(name: str) -> Path:
    """The file of a built-in profile. Raises RulesFileError, naming the nearest."""
    if name not in profiles():
        raise RulesFileError((_unknown(name),), unreadable=True)
    return _profile_folder() / f"{name}.yaml"


def as_yaml(rules: Rules) -> str:
    """The rules as a rules file with every key, which `load` reads back to the same rules."""
    keys: dict[str, Any] = {"name": rules.name} if rules.name else {}
    keys |= {key: value for key, value in msgspec.to_builtins(rules).items() if key != "name"}
    keys["rank_order"] = " ".join(rules.rank_order)
    return yaml.safe_dump(keys, sort_keys=False, allow_unicode=True, width=100)


def _profile_folder() -> Path:
    """In an installed package inside it; in a source tree the top-level `rules/`."""
    package = Path(__file__).parent
    installed = package / "profiles"
    return installed if installed.is_dir() else package.parent / "rules"


def _path_of(source: str) -> Path:
    path = _profile_folder() / f"{source}.yaml"
    if re.fullmatch(r"[a-z0-9-]+", source) and path.is_file():
        return path
    if not Path(source).exists():
        raise RulesFileError((_unknown(source),), unreadable=True)
    return Path(source)


def _unknown(source: str) -> Problem:
    near = get_close_matches(Path(source).stem.lower(), profiles(), n=1)
    return Problem(
        path=source,
        message=say("there is no such file, and no built-in profile of this name"),
        allowed=say("a path, or one of {profiles}", profiles=", ".join(profiles())),
        advice=say("did you mean {near}?", near=near[0]) if near else "",
    )


def _checked(path: Path, chain: tuple[Path, ...], *, warn: bool = False) -> Checked:
    """`chain`: the files that extend this one, the one that was asked for first."""
    try:
        source = read(path)
    except Unreadable as error:
        problem = Problem(path=str(path), message=str(error))
        return Checked(None, (problem,), unreadable=True)
    try:
        root = compose(source)
        if root is None:
            raise Faulty(source.problem(say("the file is empty"), advice=_start_advice()))
        if not isinstance(root, yaml.MappingNode):
            raise Faulty(
                source.problem_at(
                    root,
                    say("a rules file is made of lines with a key, a colon and a value"),
                    advice=_start_advice(),
                )
            )
    except Faulty as error:
        return Checked(None, (error.problem,))
    return _File(source, root, chain).checked(warn=warn)


def _start_advice() -> str:
    return say("begin with a line such as {example}", example="extends: english")


class _File:
    """One rules file that is YAML: its keys, and what is wrong with them."""

    def __init__(self, source: Source, root: yaml.MappingNode, chain: tuple[Path, ...]) -> None:
        self.source = source
        self.root = root
        self.chain = (*chain, Path(source.path))
        self.errors: list[Problem] = []
        self.nodes: dict[str, yaml.Node] = {}
        """The value of each key, as it stands in this file."""
        self.key_nodes: dict[str, yaml.Node] = {}
        self._read_keys()

    def checked(self, *, warn: bool) -> Checked:
        inherited = self._inherited()
        if not self.errors:
            own = {key: _plain(key, node) for key, node in self.nodes.items() if key != EXTENDS}
            name = printable(Path(self.source.path).stem)[:100]
            try:
                rules = msgspec.convert({"name": name, **(inherited or {}), **own}, Rules)
            except msgspec.ValidationError:
                pass
            else:
                remarks = surprises(rules, self.nodes.keys()) if warn else ()
                warnings = [self._located(remark, warning=True) for remark in remarks]
                return Checked(rules, (), tuple(sorted(warnings, key=_place)))
        self._find_errors(inherited)
        assert self.errors, "the model refused what no check found fault with"
        return Checked(None, tuple(sorted(self.errors, key=_place)))

    def _read_keys(self) -> None:
        known = (EXTENDS, *Rules.__struct_fields__)
        for key_node, value_node in self.root.value:
            if not isinstance(key_node, yaml.ScalarNode):
                self._error(key_node, say("a key is one word"), allowed=", ".join(known))
                continue
            key = key_node.value
            if key not in known:
                near = get_close_matches(re.sub(r"[\W_]+", "_", key.lower()), known, n=1)
                self._error(
                    key_node,
                    say("{key} is no key of a rules file", key=short(key)),
                    allowed=", ".join(known),
                    advice=say("did you mean {near}?", near=near[0]) if near else "",
                )
            elif key in self.nodes:
                first = self.key_nodes[key].start_mark.line + 1
                self._error(
                    key_node,
                    say("{key} is given already in line {line}", key=key, line=first),
                    advice=say("keep one of the two"),
                )
            else:
                self.nodes[key] = value_node
                self.key_nodes[key] = key_node

    def _inherited(self) -> dict[str, Any] | None:
        """The keys inherited from the file that this one extends; None when that cannot be had."""
        node = self.nodes.get(EXTENDS)
        if node is None:
            return {}
        name = _plain(EXTENDS, node)
        if not isinstance(name, str) or not name:
            self._error(
                node,
                say("{key} cannot be {found}", key=EXTENDS, found=found(node)),
                allowed=say("the name of a built-in profile, or the path of a rules file"),
            )
            return None
        path = self._extended_path(name)
        if not path.exists():
            self._missing_base(node, name)
        elif (again := path.resolve()) in (resolved := [each.resolve() for each in self.chain]):
            circle = [*self.chain[resolved.index(again) :], path]
            self._error(
                node,
                say("extends goes in a circle: {files}", files=" → ".join(map(_file_name, circle))),
                advice=say("let one of them stand on its own, with all its keys"),
            )
        elif len(self.chain) > _LONGEST_CHAIN:
            self._error(node, say("more than {many} files extend one another", many=_LONGEST_CHAIN))
        else:
            base = _checked(path, self.chain)
            if base.rules is not None:
                keys = set(Rules.__struct_fields__).difference(_NOT_INHERITED)
                return {key: getattr(base.rules, key) for key in keys}
            if base.unreadable:
                why = base.errors[0].message
                self._error(node, say("{file} cannot be read: {why}", file=name, why=why))
            else:
                self.errors += base.errors
        return None

    def _extended_path(self, name: str) -> Path:
        if name in profiles():
            return _profile_folder() / f"{name}.yaml"
        return self.chain[-1].parent / name

    def _missing_base(self, node: yaml.Node, name: str) -> None:
        folder = self._extended_path(name).parent
        files = [path.name for path in folder.glob("*.yaml")] if folder.is_dir() else []
        near = get_close_matches(Path(name).name, [*profiles(), *files], n=1)
        self._error(
            node,
            say("there is no file {name} beside this one, and no built-in profile", name=name),
            allowed=say(
                "a path relative to this file, or one of {profiles}", profiles=", ".join(profiles())
            ),
            advice=say("did you mean {near}?", near=near[0]) if near else "",
        )

    def _find_errors(self, inherited: Mapping[str, object] | None) -> None:
        """Everything that keeps this file from being Rules; None: what it inherits isn't known."""
        model = type_info(Rules)
        assert isinstance(model, StructType)
        hints = get_type_hints(Rules, include_extras=True)
        keys: dict[str, object] = {}
        if inherited is not None:
            keys = {field.name: field.default for field in model.fields if not field.required}
            keys |= inherited
        for field in model.fields:
            if (node := self.nodes.get(field.name)) is None:
                continue
            try:
                keys[field.name] = msgspec.convert(_plain(field.name, node), hints[field.name])
            except msgspec.ValidationError:
                keys.pop(field.name, None)
                self._refuse(field.name, node, hints[field.name], field.type)
        required = [field.name for field in model.fields if field.required]
        missing = [key for key in required if key not in keys and key not in self.nodes]
        if missing and inherited is not None:
            self._error(
                self.root,
                say_count(
                    "one key is missing: {keys}",
                    "{count} keys are missing: {keys}",
                    len(missing),
                    keys=", ".join(missing),
                ),
                advice=say("add it, or start from other rules: {line}", line="extends: english"),
            )
        self.errors += map(self._located, contradictions(keys))

    def _refuse(self, key: str, node: yaml.Node, hint: Any, type_: Type) -> None:
        """Say of a key, or of each of its entries that is at fault, that it cannot be so."""
        plain = type_.type if isinstance(type_, Metadata) else type_
        if isinstance(plain, VarTupleType) and isinstance(node, yaml.SequenceNode) and node.value:
            item_hint = get_args(get_args(hint)[0])[0]
            for entry in node.value:
                try:
                    msgspec.convert(_entry(entry), item_hint)
                except msgspec.ValidationError:
                    self._refuse(
                        say("an entry of {key}", key=key), entry, item_hint, plain.item_type
                    )
            return
        near = nearest(node, hint, type_)
        advice = say("did you mean {near}?", near=near) if near else ""
        what = allowed(type_)
        if key == _SPLIT:
            what = say("{list}; or one text, split at spaces", list=what)
        elif isinstance(plain, VarTupleType) and isinstance(node, yaml.ScalarNode):
            advice = say("write it as a list: [{entry}]", entry=short(node.value))
        self._error(
            node,
            say("{key} cannot be {found}", key=key, found=found(node)),
            allowed=what,
            advice=advice,
        )

    def _located(self, remark: Remark, *, warning: bool = False) -> Problem:
        """A remark at the entry or the key that it is about; what is inherited, at `extends`."""
        node = self.nodes.get(remark.key) or self.nodes.get(EXTENDS) or self.root
        if remark.entry is not None and remark.key in self.nodes:
            if isinstance(node, yaml.SequenceNode):
                node = node.value[remark.entry]
            elif (word := self._word(node, remark.entry)) is not None:
                return self.source.problem(
                    remark.message,
                    node.start_mark.line + 1,
                    word.start() + 1,
                    width=len(word[0]),
                    advice=remark.advice,
                    warning=warning,
                )
        return self.source.problem_at(node, remark.message, advice=remark.advice, warning=warning)

    def _word(self, node: yaml.Node, place: int) -> re.Match[str] | None:
        """A word of a text that is written in one line, where that line has it."""
        start, end = node.start_mark, node.end_mark
        line = self.source.line(start.line + 1)
        words = list(re.finditer(r"[^\s'\"]+", line[: end.column]))
        words = [word for word in words if word.start() >= start.column]
        return words[place] if start.line == end.line and place < len(words) else None

    def _error(self, node: yaml.Node, message: str, *, allowed: str = "", advice: str = "") -> None:
        self.errors.append(self.source.problem_at(node, message, allowed=allowed, advice=advice))


def _plain(key: str, node: yaml.Node) -> object:
    """The value that is written there: a text, a whole number in plain digits, or a list of texts.

    Anything else stays a node, which no key takes. Entries, ranks above all, are compared as they
    are written, so that a number is a text there.
    """
    if isinstance(node, yaml.SequenceNode):
        return [_entry(entry) for entry in node.value]
    if not isinstance(node, yaml.ScalarNode):
        return node
    if key == _SPLIT and node.tag != _NULL:
        return node.value.split()
    if node.tag == "tag:yaml.org,2002:str":
        return node.value
    if node.tag == "tag:yaml.org,2002:int" and _PLAIN_NUMBER.fullmatch(node.value):
        return int(node.value)
    return node


def _entry(node: yaml.Node) -> object:
    return node.value if isinstance(node, yaml.ScalarNode) and node.tag != _NULL else node


def _place(problem: Problem) -> tuple[str, int, int]:
    return problem.path, problem.line, problem.column


def _file_name(path: Path) -> str:
    return path.name
