"""What a session is asked to record: by triggers, by a schedule, or once."""

from __future__ import annotations

import collections

from .config import Config
from .trigger import Due


class Agenda:
    """The steps that were counted, and the recordings that are still to come."""

    def __init__(self, base: Config) -> None:
        self.base = base
        """The configuration of the run; that of one recording may differ."""
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
        """Whether the recording that is under way is the last one."""
        return self._left <= 1 and not self.base.idle

    @property
    def behind(self) -> int:
        """How many recordings of the schedule follow the one that is under way."""
        return self._left - 1

    def count(self, what: str) -> None:
        """A step has ended."""
        self._counted[what] = self.counted(what) + 1

    def counted(self, what: str) -> int:
        """Returns how many steps of a kind have ended."""
        return self._counted.get(what, 0)

    def ends_one(self) -> bool:
        """A recording has ended; returns whether more may follow."""
        self._left = max(1, self._left - 1) if self.base.idle else self._left - 1
        return self._left > 0

    def restart(self) -> None:
        """Begins the schedule anew."""
        self._left = self.base.recordings

    def is_due(self, what: str) -> bool:
        """Tells whether the schedule has a recording begin behind the step that has just ended."""
        base = self.base
        return self.counted(what) >= base.skip + (base.recordings - self._left) * base.every

    def ask(self, due: Due) -> None:
        """Adds a recording, after those that were asked for before; called from another thread."""
        self._asked.append(due)

    def is_asked_now(self, what: str) -> bool:
        """Tells whether a recording that was asked for begins behind the step that has just ended."""
        due = self._asked[0] if self._asked else None
        return due is not None and (due.at is None or self.counted(what) >= due.at)

    def take_asked(self) -> Due | None:
        """Returns the recording that was asked for first; None if another thread was faster."""
        try:
            return self._asked.popleft()
        except IndexError:
            return None
