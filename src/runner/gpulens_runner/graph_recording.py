"""The recording of the GPU graphs that a script captures: from the first capture until a replay."""

from __future__ import annotations

import time

from .context import Context
from .opening import Opening
from .output import save

_MOST_STEPS = 12
"""After more steps than this, no replay is waited for: PyTorch's notes on CUDA graphs warm up for eleven."""


class GraphRecording:
    """Captures, recorded or only awaited to end.

    Steps between a capture and the first replay are warm-up: of the graph that was captured, or of the next one.
    """

    def __init__(self, context: Context) -> None:
        self._context = context
        self._recording = Opening(context, "capture")
        self._since: float | None = None
        """When the last capture began; None if no capture is to be followed by a replay."""
        self._steps = 0
        """How many steps have ended since."""

    @property
    def is_running(self) -> bool:
        """Whether its profiler runs, in any thread."""
        return self._recording.is_running

    @property
    def is_begun(self) -> bool:
        """Whether its profiler starts, runs or is being stopped, in any thread."""
        return self._recording.is_begun

    @property
    def is_running_here(self) -> bool:
        """Whether its profiler runs, and this thread can stop it."""
        return self._recording.is_running_here

    @property
    def awaits_replay(self) -> bool:
        """Whether a graph has been captured, and none was replayed since, in a time and steps that are no warm-up."""
        if self._since is None or self._steps > _MOST_STEPS:
            return False
        return time.monotonic() - self._since <= self._context.config.opening_seconds

    @property
    def is_over(self) -> bool:
        """Whether its profiler runs though the captures are over."""
        return self.is_running and not self.awaits_replay

    def begins(self) -> None:
        """A capture begins."""
        self._since = time.monotonic()
        self._steps = 0

    def step_ends(self) -> None:
        """A step has ended in which no graph was replayed."""
        self._steps += 1

    def replays(self) -> None:
        """A graph has been replayed."""
        self._since = None

    def record(self, everywhere: bool) -> None:
        """Begins recording in this thread, or in all threads."""
        self._recording.begin(everywhere)

    def finish(self, why: str = "complete") -> None:
        """Ends the recording, if this thread can, and writes it."""
        self._recording.stop()
        if self.is_begun:
            return
        recording = self._recording.take()
        if recording is not None:
            self._context.capture = save(self._context, recording, why)
