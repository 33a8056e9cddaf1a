"""The keys of a rules file, and the values that are written for them."""

from __future__ import annotations

import re

import yaml

from warcli.rules import Rules

EXTENDS = "extends"
"""The one key of a rules file that is no key of the rules: what to start from."""

KEYS = (EXTENDS, *Rules.__struct_fields__)

SPLIT = "rank_order"
"""The key whose list may be written as one text."""

_TEXT = "tag:yaml.org,2002:str"
_NUMBER = "tag:yaml.org,2002:int"
_NOTHING = "tag:yaml.org,2002:null"
_PLAIN_NUMBER = re.compile("-?(0|[1-9][0-9]{0,17})")


def value(key: str, node: yaml.Node) -> object:
    """What is written there: a text, a whole number in plain digits, or a list of texts.

    Anything else stays a node, which no key takes: what YAML makes numbers and truths of (`0x10`,
    `12:30`, `no`) is hardly ever what was meant.
    """
    if isinstance(node, yaml.SequenceNode):
        return [entry(each) for each in node.value]
    if not isinstance(node, yaml.ScalarNode):
        return node
    if key == SPLIT and node.tag != _NOTHING:
        return node.value.split()
    if node.tag == _TEXT:
        return node.value
    if node.tag == _NUMBER and _PLAIN_NUMBER.fullmatch(node.value):
        return int(node.value)
    return node


def entry(node: yaml.Node) -> object:
    """An entry of a list. Ranks are compared as they are written, so that `10` is a text here."""
    return node.value if isinstance(node, yaml.ScalarNode) and node.tag != _NOTHING else node
