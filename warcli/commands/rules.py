"""`war rules`: the built-in rules, to look at and to start from."""

from __future__ import annotations

import json

import click

from warcli.commands.options import BadInput, offer_rules, output_option, reading
from warcli.commands.output import opened
from warcli.words import printable, say


class _Group(click.Group):
    """Its subcommands, and a word to whoever writes a profile's name in their place."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        from warcli.rulesfile import profiles

        if args[0] in profiles():
            raise click.UsageError(say("write: war rules show {name}", name=args[0]), ctx)
        return super().resolve_command(ctx, args)


@click.group(cls=_Group, invoke_without_command=True)
@click.pass_context
def rules(ctx: click.Context) -> None:
    """List the built-in rules, show one, or print the schema.

    \b
    Examples:
      war rules
      war rules show krig -o house-rules.yaml
      war rules schema -o rules.schema.json
    """
    if ctx.invoked_subcommand is None:
        from warcli.rulesfile import load, profiles

        names = profiles()
        width = max(map(len, names))
        with opened(None) as out:
            for name in names:
                out.write(f"{name:{width}}  {printable(load(name).description)}\n")


@rules.command()
@click.argument("name", metavar="NAME|FILE", shell_complete=offer_rules)
@click.option(
    "--flat",
    is_flag=True,
    help="Every key with the value that it has, without extends or comments.",
)
@output_option
def show(name: str, flat: bool, output: str | None) -> None:
    """Print built-in rules as YAML, to start from.

    They are shown as written, with the comments that say where each rule comes from. Rules that
    extend others hold only what differs from them; with --flat, everything.

    \b
    Examples:
      war rules show krig -o house-rules.yaml
      war rules show krig-rounds --flat
    """
    from warcli.rulesfile import RulesFileError, as_yaml, load, written

    try:
        text = as_yaml(load(name)) if flat else written(name).text
    except RulesFileError as problem:
        raise BadInput(str(problem)) from None
    reading(name)
    with opened(output, utf8=True) as out:
        out.write(text)


@rules.command()
@output_option
def schema(output: str | None) -> None:
    """Print the JSON Schema of a rules file.

    An editor that knows YAML completes and explains each key with it. War itself checks more: see
    war validate.

    \b
    Example:
      war rules schema -o rules.schema.json
    and as the first line of a rules file, for editors with the YAML language server:
      # yaml-language-server: $schema=rules.schema.json
    """
    from warcli.schema import schema as rules_schema

    with opened(output, utf8=True) as out:
        out.write(json.dumps(rules_schema(), indent=2, ensure_ascii=False) + "\n")
