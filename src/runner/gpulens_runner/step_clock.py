"""Measures steps with the profiler and without."""

from __future__ import annotations

import statistics
import time
from typing import Any

from .devices import synchronize
from .step_times import cuda_event

# The steps whose times are compared: those under the profiler, and those without any of our work. Warm-up steps suit
# neither: they have the hooks, cold caches, and the script's own start-up work.
_COMPARED = ("recording", "plain")


class StepClock:
    """Times the script's own steps, each by itself; work at the boundary between two steps is not counted.

    On CUDA, events in the stream time the steps, because a clock would measure how long the CPU took to queue the work.
    It waits for the GPU only at the beginning and the end of a phase, so that steps overlap as usual. On other devices,
    it waits at each boundary.
    """

    def __init__(self) -> None:
        self._phase: str | None = None
        self._began_ns = 0
        self._begin_event: Any = None
        self._step_ns: dict[str, list[int]] = {}
        self._pending: list[tuple[str, Any, Any]] = []

    def step_ends(self, next_phase: str | None) -> None:
        """Counts the step that ends here; `next_phase` is that of the step that begins now."""
        phase = self._phase
        if phase not in _COMPARED:
            return
        end = None if self._begin_event is None else cuda_event()
        if end is None:
            synchronize()
            self._step_ns.setdefault(phase, []).append(time.perf_counter_ns() - self._began_ns)
            return
        self._pending.append((phase, self._begin_event, end))
        if phase != next_phase:
            synchronize()
            self._take_events()

    def step_begins(self, phase: str | None) -> None:
        """Starts the clock for a step of a phase; a step that is not compared is not timed."""
        if phase in _COMPARED and phase != self._phase:
            synchronize()
        self._phase = phase
        self._begin_event = cuda_event() if phase in _COMPARED else None
        self._began_ns = time.perf_counter_ns()

    def overhead(self) -> dict[str, Any] | None:
        """Returns the durations of steps and their medians; None if steps of one kind are missing.

        A median is not affected by one step with an evaluation, or with the start of workers.
        """
        if self._pending:
            try:
                synchronize()
                self._take_events()
            except RuntimeError:
                # The script has ended with an error of the GPU, so there is nothing to compare.
                return None
        profiled, plain = (self._step_ns.get(phase, []) for phase in _COMPARED)
        if not profiled or not plain:
            return None
        return {
            "profiledStepNs": int(statistics.median(profiled)),
            "plainStepNs": int(statistics.median(plain)),
            "profiledNs": profiled,
            "plainNs": plain,
        }

    def _take_events(self) -> None:
        for phase, begin, end in self._pending:
            self._step_ns.setdefault(phase, []).append(round(begin.elapsed_time(end) * 1e6))
        self._pending.clear()
