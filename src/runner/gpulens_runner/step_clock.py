"""What steps take with the profiler and without."""

from __future__ import annotations

import time
from typing import Any

from .devices import synchronize


class StepClock:
    """Adds up what the script's own work took, by phase; what happens at a boundary between two steps is not counted.

    The GPU is waited for where a phase begins and where it ends, and not between its steps: each step alone would tell
    what the CPU took to queue the work.
    """

    def __init__(self) -> None:
        self._phase: str | None = None
        self._began_ns = 0
        self._total_ns: dict[str, int] = {}
        self._steps: dict[str, int] = {}

    def step_ends(self, next_phase: str | None) -> None:
        """Counts the step that ends here; `next_phase` is that of the step which begins now."""
        phase = self._phase
        if phase is None:
            return
        if phase != next_phase:
            synchronize()
        self._total_ns[phase] = self._total_ns.get(phase, 0) + time.perf_counter_ns() - self._began_ns
        self._steps[phase] = self._steps.get(phase, 0) + 1

    def step_begins(self, phase: str | None) -> None:
        """Starts the clock for a step of a phase; None for one that is not timed."""
        if phase is not None and phase != self._phase:
            synchronize()
        self._phase = phase
        self._began_ns = time.perf_counter_ns()

    def overhead(self) -> dict[str, Any] | None:
        """Returns mean durations of a step; None where steps of one kind are missing.

        Steps after the recording run with nothing of ours; those of the warm-up still have the hooks, and what a script
        does at its beginning.
        """
        plain = "plain" if "plain" in self._steps else "warm-up"
        if plain not in self._steps or "recording" not in self._steps:
            return None
        return {
            "profiledStepNs": self._total_ns["recording"] // self._steps["recording"],
            "plainStepNs": self._total_ns[plain] // self._steps[plain],
            "profiledSteps": self._steps["recording"],
            "plainSteps": self._steps[plain],
            "plainWere": "after" if plain == "plain" else "before",
        }
