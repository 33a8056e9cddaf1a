"""The JSON Schema of a rules file, for editors: they complete and explain each key with it.

It comes from the model, as everything said of the keys does; here stands only in what a file
differs from the model. What no schema can say (that the pack has its size, say) `rulesfile` checks.
"""

from __future__ import annotations

from typing import Any

import msgspec

from warcli.keys import EXTENDS, SPLIT
from warcli.rules import Rules
from warcli.rulesfile import profiles
from warcli.words import say


def schema() -> dict[str, Any]:
    """The schema, in draft 2020-12."""
    model = msgspec.json.schema(Rules)["$defs"]["Rules"]
    keys: dict[str, Any] = model["properties"]
    ranks = keys[SPLIT]
    described = {"description": ranks.pop("description")}
    ranks["items"]["type"] = ["string", "number"]  # 10 without quotes is a number to YAML
    as_text = {"type": "string", "pattern": r"\S", "examples": ["A K Q J 10 9 8 7 6 5 4 3 2"]}
    keys[SPLIT] = described | {"anyOf": [as_text, ranks]}
    extends = {
        "description": say(
            "What to start from, so that the file gives only what differs: the name of a built-in "
            "profile, or the path of a rules file, beginning beside this one."
        ),
        "anyOf": [{"enum": profiles()}, {"type": "string", "minLength": 1}],
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": say("Rules of a game of War"),
        "description": say("House rules for warcli; check them with war validate."),
        "type": "object",
        "properties": {EXTENDS: extends, **keys},
        "additionalProperties": False,
        "if": {"required": [EXTENDS]},
        "else": {"required": model["required"]},
    }
