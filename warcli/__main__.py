"""`python -m warcli` does what `war` does, and this is where both begin."""

from __future__ import annotations

import sys
from typing import NoReturn


def main(prog_name: str = "war") -> NoReturn:
    """Run the command line that was typed, and end the process with its exit status."""
    try:
        from warcli.commands import main as run
    except KeyboardInterrupt:  # typed while the program was still being loaded
        sys.exit(130)
    run(prog_name)


if __name__ == "__main__":
    main("python -m warcli")
