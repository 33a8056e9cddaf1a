"""`python -m warcli` does what `war` does."""

from warcli.commands import main

main(prog_name="python -m warcli")
