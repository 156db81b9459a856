"""Determines which of several modules that are called in turn ends a step."""

from __future__ import annotations


class CallCycle:
    """Finds the outermost module whose call ends a step of inference.

    Among modules that were called again, it is the one called least often, and among equals the last one: the decoder
    after the encoder. Modules called only once, before a loop, are left out, because waiting for them would never end.
    The very first call ends a step, too: there may be no second module. If there is one that has been called once, it
    may come later in each step: the first module's second call does not end one yet.
    """

    def __init__(self) -> None:
        self._counts: dict[int, int] = {}

    @property
    def is_empty(self) -> bool:
        """Whether nothing has been called yet."""
        return not self._counts

    def calls(self, module: int) -> bool:
        """Counts a call of an outermost module; returns whether it ends a step."""
        if not _counted(self._counts, module):
            return False
        repeated = {key: count for key, count in self._counts.items() if count > 1}
        if not repeated:
            return len(self._counts) == 1
        if self._counts[module] == 2 and len(repeated) < len(self._counts):
            return False
        return module == _rarest_and_last(repeated)


_MOST_KEYS = 256
"""A script that creates new objects in each step has no more relevant ones than this."""


def _counted(counts: dict[int, int], key: int) -> bool:
    if key not in counts and len(counts) >= _MOST_KEYS:
        return False
    counts[key] = counts.get(key, 0) + 1
    return True


def _rarest_and_last(counts: dict[int, int]) -> int:
    """Returns the key with the smallest count; among equals, the last one."""
    least = min(counts.values())
    return [key for key, count in counts.items() if count == least][-1]
