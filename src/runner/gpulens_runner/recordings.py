"""The recordings of one process: its opening, its captures of GPU graphs, its steps, or a window of time."""

from __future__ import annotations

import threading

from .context import Context
from .events import has_recorded_steps
from .graph_recording import GraphRecording
from .open_ranges import OpenRanges
from .opening import Opening
from .output import save
from .steps import Steps
from .time_window import TimeWindow


class Recordings:
    """The recordings of a process, and the thread whose steps are counted."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self.opening = Opening(context, "opening")
        self.graphs = GraphRecording(context)
        self.window = TimeWindow(context)
        self.steps: Steps | None = None
        self.ranges = OpenRanges()
        self._thread: threading.Thread | None = None

    @property
    def is_running(self) -> bool:
        """Whether a profiler of ours runs."""
        steps = self.steps
        return (
            self.opening.is_running
            or self.graphs.is_running
            or self.window.is_open
            or (steps is not None and steps.is_recording)
        )

    @property
    def is_complete(self) -> bool:
        """Whether steps have been recorded."""
        return self.steps is not None and self.steps.is_recorded

    @property
    def is_in_thread(self) -> bool:
        """Whether this thread's steps are counted, or no thread's yet."""
        return self._thread is None or self._thread.ident == threading.get_ident()

    @property
    def may_end_here(self) -> bool:
        """Whether this thread may end the present recording."""
        held = self.held
        return self.is_in_thread if held is None else held.is_running_here

    @property
    def held(self) -> Opening | GraphRecording | None:
        """The recording that runs until steps are recorded, if one runs: only its thread can end it."""
        return next((one for one in (self.opening, self.graphs) if one.is_begun), None)

    def claim_thread(self) -> None:
        """Makes this thread's steps count, unless another thread was first and lives, or the steps of all threads
        count."""
        steps, first = self.steps, self._thread
        if steps is not None and steps.is_everywhere:
            return
        # Only the thread that began to record steps could end that.
        is_recording = steps is not None and steps.is_recording
        if first is None or not (first.is_alive() or is_recording):
            self._thread = threading.current_thread()

    def begin_opening(self, everywhere: bool) -> None:
        """Begins the opening, unless another recording runs."""
        if not self.graphs.is_begun:
            self.opening.begin(everywhere)

    def record_captures(self, everywhere: bool) -> None:
        """Records the captures of GPU graphs from here on, unless that, or another recording that shows them, runs."""
        self.opening.stop()
        if not self.is_running and self.held is None:
            self.graphs.record(everywhere)

    def drop_opening(self) -> None:
        """Ends the opening and drops it."""
        self.opening.stop()
        self.opening.forget()

    def limit_opening(self) -> None:
        """Ends this thread's opening if it has become too long."""
        # If another thread takes steps, this thread notices it here.
        if self.steps is not None and not self.is_in_thread:
            self.opening.stop()
        elif self.opening.is_full:
            self.opening.stop()
            self._context.tell("opening-full", seconds=self._context.config.opening_seconds)

    def begin_steps(self, what: str, unit: str | None, first: int, behind: int) -> Steps:
        """Begins to count steps; `behind` more recordings of them will follow."""
        self.steps = Steps(self._context, what, unit, first, behind)
        # Several calls of a model in one range are one step.
        self.ranges.counting_begins(may_hold_several=what in ("train", "range"))
        return self.steps

    def leave_steps(self) -> None:
        """From now on other steps, or none, are counted; written recordings of these stay."""
        self.steps = self._thread = None

    def supersede_steps(self) -> None:
        """Replaces the steps by better ones: finished recordings of them stay, the rest is dropped."""
        self._give_up_steps()
        self.leave_steps()

    def give_way(self) -> None:
        """The script profiles itself: only what is recorded by now is kept."""
        self.drop_opening()
        # The script's own trace may be of the replays.
        self.graphs.finish()
        is_complete = self.is_complete
        self._give_up_steps()
        if not is_complete:
            self.steps = None

    def become_idle(self) -> None:
        """Drops everything about the recording that has ended."""
        self.leave_steps()
        self.ranges = OpenRanges()

    def write_rest(self, why: str) -> None:
        """Writes everything that has been recorded so far."""
        self.graphs.finish(why)
        self.opening.stop()
        opening = self.opening.take()
        steps, self.steps = self.steps, None
        if steps is not None and (steps.recorded > 0 or opening is None):
            steps.flush(why)
            return
        try:
            if steps is not None:
                steps.drop()
        finally:
            # The opening of a launcher or a helper is useless beside the steps of the processes that it started.
            if opening is not None and not has_recorded_steps(self._context.config.events):
                save(self._context, opening, why)

    def _give_up_steps(self) -> None:
        steps = self.steps
        if steps is None:
            return
        if steps.is_recorded:
            steps.stop_costs()
        else:
            steps.drop()
