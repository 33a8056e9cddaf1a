"""How what the kernel consists of is compiled, and where that is kept."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar, cast

from numba import njit
from numba.core.caching import FunctionCache

from warcli.words import say

Function = TypeVar("Function", bound=Callable[..., object])


_OPTIONS: dict[str, Any] = {
    "nogil": True,
    "error_model": "numpy",  # a division needs no check: nothing here divides by 0
    "_nrt": False,  # no array is made in compiled code, so none need be counted: twice as fast
}


_OnDisk: Any = FunctionCache
"""Numba says nothing of its types."""


class _Cache(_OnDisk):  # type: ignore[misc]
    """What numba has compiled, on disk. That it can't be read or kept there (the disk is full, a
    file is damaged) is no error: then it is compiled again."""

    problem = ""
    """Why something could not be kept, for people, and where; empty: all of it could."""

    def load_overload(self, *what: object) -> object:
        try:
            loaded: object = super().load_overload(*what)
        except Exception:  # there is no end to how reading a damaged file can fail
            with suppress(OSError):
                self.flush()
            return None
        return loaded

    def save_overload(self, *what: object) -> None:
        try:
            super().save_overload(*what)
        except OSError as problem:
            _Cache.problem = f"{self.cache_path}: {problem.strerror or problem}"


def compiled(function: Function) -> Function:
    """Compile the function when it is first called, to run without the interpreter's lock, and
    keep the result on disk, if there is any place where it can be. It keeps its type."""
    dispatcher = njit(function, **_OPTIONS)
    try:
        dispatcher._cache = _Cache(function)
    except RuntimeError:
        _Cache.problem = say("there is no folder for it that can be written")
    return cast(Function, dispatcher)


def is_at_hand(function: Callable[..., object]) -> bool:
    """Whether this compiled function can be called at once: it has been compiled in this process
    or is kept on disk, for this kind of processor."""
    dispatcher: Any = function
    if dispatcher.signatures:
        return True
    try:  # numba has no public question for what its cache holds
        file, machine = dispatcher._cache._cache_file, dispatcher.targetctx.codegen().magic_tuple()
        index = file._load_index()
        kept = [Path(file._data_path(index[key])) for key in index if machine in key]
        return bool(kept) and all(map(Path.is_file, kept))
    except Exception:  # nor is there an end to how this can fail where its files are damaged
        return False


def unkept() -> str:
    """Where and why what was compiled could not be kept, for people; empty: all of it could."""
    return _Cache.problem
