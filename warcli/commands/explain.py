"""`war explain`: the rule sheet of a rules file."""

from __future__ import annotations

import click

from warcli.cards import SUITS
from warcli.commands.options import RulesType, ascii_option, output_option
from warcli.commands.output import opened
from warcli.rules import Rules
from warcli.words import say


@click.command()
@click.argument("rules", type=RulesType(), required=False, metavar="[NAME|FILE]")
@click.option(
    "-r",
    "--rules",
    "rules_option",
    type=RulesType(),
    metavar="NAME|FILE",
    help="The same as the argument. Without either: english.",
)
@ascii_option
@output_option
def explain(
    rules: Rules | None, rules_option: Rules | None, ascii: bool, output: str | None
) -> None:
    """Print the rule sheet of a rules file in plain words.

    It is made to be read aloud before the deal, so that everybody plays by the same rules.

    \b
    Examples:
      war explain
      war explain pyanitsa
      war explain house-rules.yaml
    """
    from warcli.explain import as_text, rule_sheet
    from warcli.rulesfile import load
    from warcli.transcript import in_ascii

    if rules is not None and rules_option is not None:
        raise click.UsageError(say("name the rules once, with or without --rules"))
    sections = rule_sheet(rules or rules_option or load("english"))
    with opened(output) as out:
        sheet = as_text(sections, out.width)
        shown = in_ascii(sheet) if ascii or not out.can_show(SUITS) else sheet
        out.write(shown + "\n")
