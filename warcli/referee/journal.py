"""The file of a game at the table: everything accepted is in it before it is ruled on.

A journal is a game record (see `record`) that grows by one entry at a time. Each is on the disk,
not only on its way there, before the players hear what it means; so a crash, a power cut or a
closed terminal costs at most the line that was being typed. A disk that takes no more doesn't stop
the game: what couldn't be written is kept in memory, and tried again with every entry. And if
somebody else removes the file or changes it, all of the record goes into a new one.
"""

from __future__ import annotations

import errno
import os
import re
import stat
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from datetime import datetime
from io import FileIO
from pathlib import Path
from typing import NamedTuple

from warcli.record import (
    NOBODY,
    Entry,
    Flip,
    Head,
    Laid,
    Note,
    Outcome,
    Record,
    Writer,
    head_text,
)
from warcli.recordfile import BadRecord, read
from warcli.replay import Replay
from warcli.words import say
from warcli.yamlfile import Source

SUFFIX = ".war"


_ONLY_TO_BE_READ = (errno.EACCES, errno.EPERM, errno.EROFS)
"""What the system says of a file that it lets us read and not write."""


class InUse(OSError):
    """Another referee is writing this game; `str()` of it says so to a person."""


class Journal:
    """The file of one game while it is refereed; nobody else can write to it meanwhile."""

    path: Path
    """It changes when somebody else changes the file: what they made of it is left to them."""
    trouble: str
    """Why the file can't be written at present; empty when all of the game is in it."""
    begun_again: int
    """How often another file had to be begun, because somebody else removed or changed it."""

    def __init__(
        self, path: Path, writer: Writer, file: FileIO | None, record: bytes, saved: int
    ) -> None:
        """See `begin` and `resume`. `saved`: how many bytes of the record are in the file."""
        self.path = path
        self.trouble = ""
        self.begun_again = 0
        self._writer = writer
        self._file = file
        self._record = bytearray(record)
        self._saved = saved
        self._size = _size(file)  # of the file, as we left it

    @classmethod
    def begin(cls, path: Path, head: Head) -> Journal:
        """Begin the file of a new game.

        Raises FileExistsError: a file is never written over. Any other trouble with the disk is
        told by `trouble`.
        """
        if path.exists():
            raise FileExistsError(path)
        journal = cls(path, Writer(head.players), None, head_text(head).encode(), 0)
        journal._save()
        return journal

    @classmethod
    def resume(cls, path: Path) -> tuple[Journal, Record, str]:
        """Go on with the file of a game.

        Returns the record up to now, and what was dropped at its end because it was torn in half.
        That a file can only be read is told by `trouble`. Raises InUse, BadRecord, or OSError
        when it can't even be read.
        """
        if not stat.S_ISREG(path.stat().st_mode):  # to open a pipe could wait for ever
            message = say("{file}: this is a folder, a device or a pipe", file=str(path))
            raise BadRecord([message])
        trouble = ""
        try:
            file = _opened(path, "r+")
        except OSError as error:
            if error.errno not in _ONLY_TO_BE_READ:
                raise
            trouble = _told(error)
            file = _opened(path, "r")
        try:
            data = file.readall()
            whole = _whole(data)
            text = _text_of(path, data[:whole])
            record = read(Source(str(path), text))
            in_line = not text.endswith("\n")
            line_end = b""
            longer = _with_last_line(path, data, record) if data[whole:].strip() else None
            if longer is not None:
                record, whole, in_line, line_end = longer, len(data), False, b"\n"
            if not trouble:
                file.truncate(whole)
        except BaseException:
            file.close()
            raise
        last = record.entries[-1] if record.entries else None
        laid = len(last.layers) if isinstance(last, Laid) else 0
        writer = Writer(record.head.players, in_line=in_line, laid=laid)
        journal = cls(path, writer, file, data[:whole] + line_end, whole)
        journal.trouble = trouble
        return journal, record, data[whole:].decode("utf-8", "replace").strip()

    def add(self, entries: Iterable[Entry]) -> None:
        """Put these on the disk. Afterwards `trouble` says whether all of the game is there.

        Without any entries, too, it is looked whether the file is still the one that was written.
        """
        self._record += "".join(map(self._writer.text, entries)).encode()
        self._save()

    def unsaved(self) -> str:
        """The end of the record, which isn't on the disk because of `trouble`; a line end alone
        isn't missed."""
        rest = self._record[self._saved :].decode()
        return rest if rest.strip() else ""

    def close(self) -> None:
        """Let others have the file."""
        if self._file is not None:
            self._file.close()

    def _save(self) -> None:
        try:
            self._leave_to_others()
            if self._saved == len(self._record):
                return
            file = self._writable()
            try:
                file.seek(self._saved)
                _write_through(file, bytes(self._record[self._saved :]))
            except OSError:
                self._take_back(file)
                raise
            self._saved = self._size = len(self._record)
        except OSError as error:
            self.trouble = _told(error)
        else:
            self.trouble = ""

    def _leave_to_others(self) -> None:
        """If the file isn't as we left it, leave it so, and begin another. Raises OSError."""
        file = self._file
        if file is None:
            self.path = _free(self.path)  # there may be one since it was last tried to write it
            return
        if _is_at(self.path, file) and _size(file) == self._size:
            return
        file.close()
        self._file = None
        self.begun_again += 1
        self._saved = self._size = 0
        self.path = _free(self.path)

    def _writable(self) -> FileIO:
        """The file, opened for writing now if it couldn't be before. Raises OSError."""
        if self._file is None:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._file = _opened(self.path, "x+")
            _sync_folder(self.path.parent)
        elif not self._file.writable():
            FileIO(self.path, "r+").close()  # raises as long as it can't be written
            self._file.close()  # with its lock, which would keep ourselves out
            self._file = _opened(self.path, "r+")
            self._file.truncate(self._saved)
        return self._file

    def _take_back(self, file: FileIO) -> None:
        """What was written of the last entries: half an entry is worse than none, and a file with
        nothing in it worse than no file."""
        with suppress(OSError):
            if self._saved:
                file.truncate(self._saved)
            else:
                file.close()
                self._file = None
                self.path.unlink()
        self._size = _size(self._file)


def _size(file: FileIO | None) -> int:
    """How many bytes a file has; none, if there is no file."""
    return 0 if file is None else os.fstat(file.fileno()).st_size


def _is_at(path: Path, file: FileIO) -> bool:
    """Whether this open file still has its name. Raises OSError when that can't be known."""
    if sys.platform == "win32":  # where nobody can take away an open file's name
        return True
    try:
        return os.path.samestat(os.fstat(file.fileno()), path.stat())
    except (FileNotFoundError, NotADirectoryError):
        return False


def _free(path: Path) -> Path:
    """This path, or one beside it, where no file is."""
    free = path
    copy = 2
    while free.exists():
        free = path.with_name(f"{path.stem}-{copy}{path.suffix}")
        copy += 1
    return free


def _told(error: OSError) -> str:
    """What is wrong, as the system says it."""
    return error.strerror or str(error)


_LAST_ACCEPT = re.compile(rb"^accept:[^\n]*\n\Z", re.MULTILINE)


def _whole(data: bytes) -> int:
    """How many bytes of a file are whole entries: up to the end of a line, or to the `|` after a
    face-up layer in mid-war. An `accept` is only whole with the cards after it."""
    end = data.rfind(b"\n") + 1
    whole = layer_start = end
    for mark in re.finditer(rb"\|", data[end:]):
        layer = data[layer_start : end + mark.start()]
        layer_start = end + mark.end()
        if b"(" not in layer and layer.strip():
            whole = layer_start
    accept = _LAST_ACCEPT.search(data[:whole])
    return accept.start() if accept else whole


def _with_last_line(path: Path, data: bytes, record: Record) -> Record | None:
    """The record with the last line of its file, which has no line end; None if that line could
    have been torn in half.

    People leave out the line end; we don't. What we write of a round ends with a name, of a result
    with `rounds`: a line that reaches so far is whole, and so is one in a record that we didn't
    begin, if it tells a round.
    """
    try:
        text = _text_of(path, data)
        longer = read(Source(str(path), text))
    except BadRecord:
        return None
    if len(longer.entries) == len(record.entries):
        return None
    match longer.entries[-1]:
        case Flip(ended=None):
            is_whole = record.head.started is None
        case Flip(ended=True):
            taker = text.rpartition(">")[2].strip()
            names = (*record.head.players, NOBODY)
            is_whole = [name for name in names if name.startswith(taker)] == [taker]
        case Outcome(rounds=int(rounds)):
            is_whole = text.endswith(" round" if rounds == 1 else " rounds")
        case _:
            is_whole = False
    return longer if is_whole else None


def _opened(path: Path, mode: str) -> FileIO:
    """The file, locked for as long as it is open or this process lives. Raises InUse, OSError."""
    file = FileIO(path, mode)
    try:
        _lock(file)
    except BlockingIOError:
        file.close()
        message = say(
            "another referee is at work on {file}; leave the game there, then it can go on here",
            file=str(path),
        )
        raise InUse(message) from None
    return file


if sys.platform == "win32":
    import msvcrt

    _FAR = 1 << 30
    """A place behind the end of every record: Windows forbids others to read what is locked."""

    def _lock(file: FileIO) -> None:
        """Raises BlockingIOError when another process holds the lock."""
        file.seek(_FAR)
        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError:
            raise BlockingIOError from None
        finally:
            file.seek(0)

else:
    import fcntl

    def _lock(file: FileIO) -> None:
        """Raises BlockingIOError when another process holds the lock."""
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise
        except OSError:  # a file system without locks: better unguarded than not saved
            pass


def _write_through(file: FileIO, data: bytes) -> None:
    """Write all of this, down to the disk itself."""
    rest = memoryview(data)
    while rest:
        rest = rest[file.write(rest) :]
    os.fsync(file.fileno())
    if sys.platform == "darwin":  # where fsync stops at the drive's own memory
        with suppress(OSError):  # which not every file system can be told to write out
            fcntl.fcntl(file.fileno(), fcntl.F_FULLFSYNC)


def _sync_folder(folder: Path) -> None:
    """Put the name of a new file on the disk, too, where the system has a way to."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def saved_games_folder() -> Path:
    """Where games are saved when nobody says where: the system's own place for such files."""
    from platformdirs import user_data_path

    return user_data_path("warcli", appauthor=False) / "games"


class SavedGame(NamedTuple):
    """A game that is saved there."""

    path: Path
    record: Record | None
    """None: it can't be read."""

    @property
    def dealt(self) -> bool:
        """Whether the program dealt it, as `war play` does."""
        return self.record is not None and self.record.head.piles is not None

    @property
    def is_over(self) -> bool:
        """Whether the record ends with a result, and the law knows one, too."""
        if self.record is None:
            return False
        entries = reversed(self.record.entries)
        last = next((entry for entry in entries if not _tells_time(entry)), None)
        return isinstance(last, Outcome) and Replay(self.record).result is not None

    @property
    def rounds(self) -> int:
        """How many rounds were played, as far as the record gives their number."""
        for entry in reversed(self.record.entries if self.record else ()):
            match entry:
                case Outcome(rounds=int(rounds)):
                    return rounds
                case Flip(round=int(number), ended=ended):
                    return number - 1 if ended is False else number
        return 0


def _tells_time(entry: Entry) -> bool:
    return isinstance(entry, Note) and entry.word == "clock"


def saved_games() -> Iterator[SavedGame]:
    """The games saved there, the one that was played last first, each read when it is its turn."""
    try:
        folder = saved_games_folder()
        found = (path for path in folder.glob(f"*{SUFFIX}") if path.is_file())
        paths = sorted(found, key=lambda path: -path.stat().st_mtime)
    except OSError:
        return
    for path in paths:
        try:
            data = path.read_bytes()
            text = _text_of(path, data[: _whole(data)])
            yield SavedGame(path, read(Source(str(path), text)))
        except (BadRecord, OSError):
            yield SavedGame(path, None)


def _text_of(path: Path, data: bytes) -> str:
    """Raises BadRecord."""
    try:
        return data.decode("utf-8-sig")  # an editor may have put a mark before it
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise BadRecord(
            [say("{file}:{line}: the file is damaged here", file=str(path), line=line)]
        ) from None


def new_game_path(players: Iterable[str], started: datetime) -> Path:
    """Where to save a new game: a name that tells the day and the players, and isn't taken."""
    names = "-".join(re.sub(r"\W+", "", name) for name in players)
    stem = f"{started:%Y-%m-%d-%H%M}-{names}"[:100]
    folder = saved_games_folder()
    return _free(folder / f"{stem}{SUFFIX}")
