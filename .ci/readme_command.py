"""Print the shell command that the README gives for something, so that CI runs what people read.

The command is the one line of the fenced block after the comment `<!-- command: NAME -->`.
"""

import re
import sys
from pathlib import Path

README = Path(__file__).parent.parent / "README.md"


def readme_command(name: str) -> str:
    """Raises SystemExit unless the README has exactly one such block, of one line."""
    block = rf"^<!-- command: {re.escape(name)} -->\n+```sh\n([^\n]+)\n```$"
    found = re.findall(block, README.read_text(encoding="utf-8"), re.MULTILINE)
    if len(found) != 1:
        sys.exit(f"README.md must have one one-line command {name}, and has {len(found)}")
    return str(found[0])


if __name__ == "__main__":
    print(readme_command(sys.argv[1]))
