"""`war replay`: rule again on a recorded game."""

from __future__ import annotations

from pathlib import Path

import click

from warcli.commands.options import BadInput, ascii_option, quiet_option
from warcli.commands.output import Output, opened
from warcli.record import Outcome, Record, Writer
from warcli.recordfile import BadRecord, load
from warcli.replay import Replay
from warcli.words import say, say_count


@click.command()
@click.argument("file", type=click.Path(allow_dash=True))
@click.option(
    "--format",
    "format_",
    type=click.Choice(["text", "jsonl"]),
    help="Print the game too, as the law has it: text to read aloud, or JSON Lines for other "
    "programs. What is wrong then goes to standard error.",
)
@ascii_option
@quiet_option
@click.pass_context
def replay(ctx: click.Context, file: str, format_: str | None, ascii: bool, quiet: bool) -> None:
    """Rule again on a recorded game, and report where the record breaks the rules.

    Any record will do: of war simulate --format record, of war referee, or one that was kept with
    a pencil; - is standard input. Each line where the record and the law disagree is told as
    FILE:LINE: what is wrong, and the exit status is 1; it is 0 when the record is confirmed, 2 when
    it can't be read.

    \b
    Examples:
      war replay tonight.war
      war simulate --seed 42 --format record --output game.war; war replay game.war
      war replay tonight.war --format text
    """
    try:
        record = load(Path(file))
    except BadRecord as problem:
        raise BadInput(str(problem)) from None
    found = Replay(record)
    name = say("standard input") if file == "-" else file
    if format_ is not None:
        with opened(None, utf8=format_ == "jsonl") as out:
            _print_game(found, format_, ascii, out)
    for slip in found.disagreements:
        line = say("{file}:{line}: {slip}", file=name, line=slip.line, slip=slip.message)
        click.echo(line, err=format_ is not None)
    if found.disagreements:
        ctx.exit(1)
    if not quiet:
        click.echo(_confirmed(name, found), err=format_ is not None)


def _print_game(found: Replay, format_: str, ascii: bool, out: Output) -> None:
    if format_ == "jsonl":
        from warcli.jsonl import jsonl

        for line in jsonl(found.events()):
            out.write(line)
        return
    from warcli.transcript import SIGNS, Look, Transcript

    look = Look(ascii or not out.can_show(SIGNS), out.colour, out.width)
    transcript = Transcript(found.record.head.rules, look, supplied=found.supplied)
    for event in found.events():
        out.write(transcript.tell(event))


def _confirmed(file: str, found: Replay) -> str:
    """What to say of a record that is right."""
    rounds = say_count("{count} round", "{count} rounds", len(found.rounds))
    rules = found.record.head.rules.name
    if found.result is None:
        return say(
            "{file}: right as far as it goes, {rounds} by the rules {rules}; the game is not "
            "finished.",
            file=file,
            rounds=rounds,
            rules=rules,
        )
    result = _written(found.record, found)
    if not found.recorded_result:
        return say(
            "{file}: right as far as it goes, {rounds} by the rules {rules}; the result is not "
            "written down: {result}.",
            file=file,
            rounds=rounds,
            rules=rules,
            result=result,
        )
    return say(
        "{file}: right, {rounds} by the rules {rules}: {result}.",
        file=file,
        rounds=rounds,
        rules=rules,
        result=result,
    )


def _written(record: Record, found: Replay) -> str:
    result = found.result
    assert result is not None
    outcome = Outcome(result.winners, result.reason, result.rounds)
    return Writer(record.head.players).text(outcome).strip()
