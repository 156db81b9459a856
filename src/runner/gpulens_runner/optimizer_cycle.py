"""Determines which of several optimizers ends a step."""

from __future__ import annotations

_MOST_OPTIMIZERS = 256
"""A script that creates new objects in each step has no more relevant ones than this."""
_MISSED_ROUNDS, _MISSED_PAUSES = 8, 4
"""An optimizer that has not stepped for this many rounds, and this many times its longest pause, is no longer used."""


class OptimizerCycle:
    """Finds the optimizer that steps least often, and among equals the last one: a GAN's generator after its
    discriminator.

    An optimizer that no longer steps, from an earlier phase, is forgotten.
    """

    def __init__(self) -> None:
        # By the optimizer, in the order of their first steps.
        self._counts: dict[int, int] = {}
        # The round of its last step, and the largest number of rounds that it has missed.
        self._last: dict[int, int] = {}
        self._pauses: dict[int, int] = {}
        self._round = 0
        """Number of steps of the most frequent optimizer."""
        self._since_look = 0
        self._least = 0
        self._at_least = 0
        """Number of optimizers with the smallest count."""

    def steps(self, optimizer: int) -> bool:
        """Counts a step of an optimizer; returns whether it ends a step of the script."""
        if optimizer not in self._counts and len(self._counts) >= _MOST_OPTIMIZERS:
            return False
        count = self._counts[optimizer] = self._counts.get(optimizer, 0) + 1
        self._round = max(self._round, count)
        pause = self._round - self._last.get(optimizer, 0)
        self._pauses[optimizer] = max(pause, self._pauses.get(optimizer, 0))
        self._last[optimizer] = self._round
        # All of them are checked only once a round: there may be one for each parameter.
        self._since_look += 1
        if self._since_look >= len(self._counts):
            self._since_look = 0
            self._forget_unused()
        self._follow_least(count)
        return count == self._least and self._is_last(optimizer)

    def _follow_least(self, count: int) -> None:
        if count == 1:
            self._least, self._at_least = 1, (self._at_least if self._least == 1 else 0) + 1
            return
        if count - 1 == self._least:
            self._at_least -= 1
        if self._at_least <= 0:
            self._least = min(self._counts.values())
            self._at_least = sum(one == self._least for one in self._counts.values())

    def _is_last(self, optimizer: int) -> bool:
        """Returns whether, among the optimizers with the smallest count, this one took its first step last."""
        return next(key for key in reversed(self._counts) if self._counts[key] == self._least) == optimizer

    def _forget_unused(self) -> None:
        for key, last in list(self._last.items()):
            if self._round - last > max(_MISSED_ROUNDS, _MISSED_PAUSES * self._pauses[key]):
                del self._counts[key], self._last[key]
                self._at_least = 0
        # Pauses are kept in case an optimizer comes back, but not without limit.
        if len(self._pauses) > 4 * _MOST_OPTIMIZERS:
            self._pauses = {key: self._pauses[key] for key in self._counts}
