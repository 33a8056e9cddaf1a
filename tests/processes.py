"""The program as a process of its own, as a shell runs it: `from processes import started, war`."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import warcli

WAR = (sys.executable, "-c", "from warcli.__main__ import main; main()")
"""What the script `war` does, wherever it is installed."""


def started(
    *args: str, cwd: Path | None = None, env: Mapping[str, str] | None = None, **streams: Any
) -> subprocess.Popen[bytes]:
    """The program, running with these arguments; `env` is added to the environment."""
    return subprocess.Popen(
        [*WAR, *args],
        cwd=cwd,
        env={**os.environ, "PYTHONUNBUFFERED": "", **(env or {})},  # as users have it
        stdin=subprocess.DEVNULL,
        **{"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **streams},
    )


def war(
    *args: str, cwd: Path | None = None, env: Mapping[str, str] | None = None, **streams: Any
) -> subprocess.CompletedProcess[bytes]:
    """The program, run to its end with these arguments."""
    process = started(*args, cwd=cwd, env=env, **streams)
    output, errors = process.communicate()
    return subprocess.CompletedProcess(process.args, process.returncode, output, errors)


def on_terminal(*args: str, env: Mapping[str, str] | None = None) -> str:
    """What the program prints on a terminal, a pseudo one."""
    import pty  # only where there are such terminals

    screen, terminal = pty.openpty()
    process = started(*args, env=env, stdout=terminal)
    os.close(terminal)
    printed = b""
    while chunk := _read(screen):
        printed += chunk
    os.close(screen)
    process.communicate()
    return printed.decode().replace("\r\n", "\n")


def _read(screen: int) -> bytes:
    try:
        return os.read(screen, 65536)
    except OSError:  # how Linux says that the other end is closed
        return b""


def run_by_nobody(code: str, *args: str, cwd: Path | None = None) -> str:
    """What this Python code prints; where it calls `become_nobody()` it loses the right to read
    and write whatever isn't everybody's.

    Root may read and write everything, so it becomes another user then, for whom the program has
    to lie where everybody may come: a checkout in root's home does not. All that is needed of the
    libraries must have been loaded before. Nobody else gets or loses any rights.
    """
    here = Path(warcli.__file__).parent
    with TemporaryDirectory() as folder:
        public = Path(folder)
        public.chmod(0o755)
        shutil.copytree(here, public / "warcli", ignore=shutil.ignore_patterns("__pycache__"))
        if not (here / "profiles").exists():
            shutil.copytree(here.parent / "rules", public / "rules")
        become = "import os\ndef become_nobody():\n    os.geteuid() or os.setuid(65534)\n"
        return subprocess.run(
            [sys.executable, "-P", "-c", become + code, *args],  # -P: not from where we are
            cwd=cwd,
            env={**os.environ, "PYTHONPATH": folder},
            capture_output=True,
            encoding="utf-8",
            check=True,
        ).stdout
