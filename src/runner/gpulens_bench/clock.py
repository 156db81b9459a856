"""Times a step: the device is idle when the clock starts and again when it stops."""

from __future__ import annotations

import time
from typing import Any, Callable

from .work import Work

_LOOKS = 5


def suspended_ns() -> int | None:
    """Returns how long the machine has slept since it was started; None if the system does not tell."""
    with_sleep = getattr(time, "CLOCK_BOOTTIME", None)
    without = time.CLOCK_MONOTONIC if with_sleep is not None else getattr(time, "CLOCK_UPTIME_RAW", None)
    if with_sleep is None:
        with_sleep = getattr(time, "CLOCK_MONOTONIC_RAW", None)
    if with_sleep is None or without is None:
        return None
    # Another process may run between the two readings, which is no sleep: of several pairs, the closest counts.
    looks = (_both_ns(with_sleep, without) for _ in range(_LOOKS))
    return min(looks)[1]


def _both_ns(with_sleep: int, without: int) -> tuple[int, int]:
    """Returns the ns that reading both clocks took, and their difference."""
    before = time.clock_gettime_ns(without)
    both = time.clock_gettime_ns(with_sleep)
    after = time.clock_gettime_ns(without)
    return after - before, both - before


class Clock:
    """A clock of one device; `device` is None if the work runs in another process."""

    def __init__(self, device: Any) -> None:
        self._device = device
        self._kind = None if device is None else device.type

    def synchronize(self) -> None:
        """Waits until the device has finished its work."""
        if self._kind == "cuda":
            import torch

            torch.cuda.synchronize(self._device)
        elif self._kind == "mps":
            import torch

            torch.mps.synchronize()

    def time(self, work: Work) -> tuple[int, dict[str, int], Any]:
        """Runs one step; returns its ns from idle to idle, the ns of each of its phases, and what it returned."""
        marks: list[tuple[str, Any]] = []
        stamp = self._stamp()

        def mark(phase: str) -> None:
            marks.append((phase, stamp()))

        self.synchronize()
        start = time.perf_counter_ns()
        mark("")
        result = work.run(mark)
        self.synchronize()
        ns = time.perf_counter_ns() - start
        if work.finish is not None:
            work.finish()
        return ns, self._phases(marks), result

    def _stamp(self) -> Callable[[], Any]:
        """Returns a function that marks a moment: on a GPU with an event in its stream, without waiting."""
        if self._kind != "cuda":
            return time.perf_counter_ns
        import torch

        def record() -> Any:
            event = torch.cuda.Event(enable_timing=True)
            event.record(torch.cuda.current_stream(self._device))
            return event

        return record

    def _phases(self, marks: list[tuple[str, Any]]) -> dict[str, int]:
        if self._kind == "mps":
            return {}  # The CPU's clock would measure only the launches.
        phases: dict[str, int] = {}
        for (_, start), (phase, end) in zip(marks, marks[1:]):
            ns = round(start.elapsed_time(end) * 1e6) if self._kind == "cuda" else end - start
            phases[phase] = phases.get(phase, 0) + ns
        return phases
