"""`python -m warcli` does what `war` does, and this is where both begin."""

from __future__ import annotations

import gc
import signal

# Ctrl-C while the program is still being loaded ends it like any other, without a traceback.
if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
    signal.signal(signal.SIGINT, signal.SIG_DFL)

from typing import NoReturn


def main(prog_name: str = "war") -> NoReturn:
    """Run the command line that was typed, and end the process with its exit status."""
    from warcli.commands import main as run
    from warcli.interruptions import end_in_order

    if signal.getsignal(signal.SIGINT) is signal.SIG_DFL:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    end_in_order()
    try:
        run(prog_name)
    finally:
        # Before it ends Python looks through all objects once more, for a tenth of the time that a
        # short command takes; the system takes the memory back anyway.
        gc.freeze()


if __name__ == "__main__":
    main("python -m warcli")
