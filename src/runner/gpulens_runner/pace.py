"""How long the steps of a running script take, from the polls of another thread."""

from __future__ import annotations

import collections

_MARKS = 50
"""Number of polls with new steps over which the pace is measured."""
_ENOUGH = 2
"""From how many pairs of such polls the pace is known: one may hold what only a first step does."""


class Pace:
    """Measures from the number of steps at each poll."""

    def __init__(self) -> None:
        self._marks: collections.deque[tuple[float, int]] = collections.deque(maxlen=_MARKS)
        self._steps: int | None = None

    def mark(self, now: float, steps: int) -> None:
        """Notes how many steps have ended; `now` in seconds."""
        # A step may take many polls. When the first poll comes, one may be half over.
        if self._steps is not None and steps != self._steps:
            self._marks.append((now, steps))
        self._steps = steps

    @property
    def is_known(self) -> bool:
        """Whether enough polls had steps between them."""
        return len(self._measured()) >= _ENOUGH

    @property
    def step_seconds(self) -> float | None:
        """The duration of the quickest recent steps; None if none was measured."""
        return min(self._measured(), default=None)

    def _measured(self) -> list[float]:
        """Returns how long a step took, for each pair of polls that saw new steps one after the other.

        Before the first step, a script loads and compiles: that time says nothing about steps.
        """
        marks = list(self._marks)
        return [(now - began) / (after - before) for (began, before), (now, after) in zip(marks, marks[1:])]
