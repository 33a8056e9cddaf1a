"""Columns of whole numbers, one entry a game: numpy arrays from the kernel, lists from the law.

The same few operations for both, so that what is counted doesn't depend on who played.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from numpy import int64, unsignedinteger
    from numpy.typing import NDArray

Column: TypeAlias = "Sequence[int] | NDArray[int64]"
Packed: TypeAlias = "Sequence[int] | NDArray[unsignedinteger[Any]]"
"""A column that is only kept."""


def counted(column: Column) -> Counter[int]:
    """How often each number stands in the column."""
    if isinstance(column, Sequence):
        return Counter(column)
    import numpy as np

    if not len(column):
        return Counter()
    least = int(column.min())
    if int(column.max()) - least < 16 * len(column):  # counting in place beats sorting
        found = np.bincount(combined(lambda number: number - least, column))
        values = np.flatnonzero(found)
        return Counter(dict(zip((values + least).tolist(), found[values].tolist(), strict=True)))
    values, found = np.unique(column, return_counts=True)
    return Counter(dict(zip(values.tolist(), found.tolist(), strict=True)))


def places(column: Column, wanted: int) -> Column:
    """Where in the column this number stands, the lowest place first."""
    if isinstance(column, Sequence):
        return [place for place, number in enumerate(column) if number == wanted]
    import numpy as np

    return np.flatnonzero(column == wanted)


def picked(column: Column, at: Column) -> Column:
    """The entries at these places."""
    if isinstance(column, Sequence):
        return [column[place] for place in at]
    return column[at]


def combined(rule: Callable[..., Any], *columns: Column) -> Column:
    """What the rule makes of the columns, entry by entry; it may use arithmetic only."""
    if all(isinstance(column, Sequence) for column in columns):
        return list(map(rule, *columns))
    import numpy as np

    result: NDArray[int64] = rule(*(np.asarray(column, dtype=np.int64) for column in columns))
    return result


def packed(column: Column) -> Packed:
    """The same numbers, none of them below 0, in as few bytes each as have room for them."""
    if isinstance(column, Sequence):
        return column
    import numpy as np

    return column.astype(np.min_scalar_type(column.max(initial=0)))


def listed(column: Packed) -> Sequence[int]:
    """Python's own numbers, which are written faster than numpy's."""
    if isinstance(column, Sequence):
        return column
    numbers: list[int] = column.tolist()
    return numbers
