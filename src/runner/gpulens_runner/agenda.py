"""What a session must record: requested by triggers, by a schedule, or once."""

from __future__ import annotations

import collections

from .config import Config
from .trigger import Due


class Agenda:
    """The counts of steps, and the recordings still to come."""

    def __init__(self, base: Config) -> None:
        self.base = base
        """The configuration of the run; a single recording may have another."""
        self._counted: dict[str, int] = {}
        self._asked: collections.deque[Due] = collections.deque()
        self._left = base.recordings

    @property
    def trained(self) -> int:
        """How many steps of training have ended."""
        return self.counted("train")

    @property
    def most_counted(self) -> int:
        """How many steps of the most frequent kind have ended."""
        return max(self._counted.values(), default=0)

    @property
    def is_at_last(self) -> bool:
        """Whether the present recording is the last one."""
        return self._left <= 1 and not self.base.idle

    @property
    def behind(self) -> int:
        """How many recordings of the schedule follow the present one."""
        return self._left - 1

    def count(self, what: str) -> None:
        """Counts a step that has ended."""
        self._counted[what] = self.counted(what) + 1

    def counted(self, what: str) -> int:
        """Returns how many steps of a kind have ended."""
        return self._counted.get(what, 0)

    def ends_one(self) -> bool:
        """Counts a recording that has ended; returns whether more may follow."""
        self._left = max(1, self._left - 1) if self.base.idle else self._left - 1
        return self._left > 0

    def restart(self) -> None:
        """Restarts the schedule."""
        self._left = self.base.recordings

    def is_due(self, what: str) -> bool:
        """Returns whether a scheduled recording begins after the step that has just ended."""
        base = self.base
        return self.counted(what) >= base.skip + (base.recordings - self._left) * base.every

    def ask(self, due: Due) -> None:
        """Adds a recording, after those requested before; called from another thread."""
        self._asked.append(due)

    @property
    def next_asked(self) -> Due | None:
        """The recording that was requested first and has not begun; None if there is none."""
        try:
            return self._asked[0]
        except IndexError:
            return None

    def is_asked_now(self) -> bool:
        """Returns whether a requested recording begins after the step that has just ended."""
        due = self.next_asked
        return due is not None and self._is_reached(due)

    def let_pass(self, before: float) -> None:
        """Puts the recording that was requested first behind the others, if it could have begun since `before`, in
        seconds of the clock of `Due.since`."""
        due = self.next_asked
        if due is not None and len(self._asked) > 1 and due.since < before and self._is_reached(due):
            self._asked.rotate(-1)

    def _is_reached(self, due: Due) -> bool:
        # Ranks agree on a step of training.
        return due.at is None or self.trained >= due.at

    def take_asked(self) -> Due | None:
        """Returns the recording that was requested first; None if another thread was faster."""
        try:
            return self._asked.popleft()
        except IndexError:
            return None
