"""Runs the steps of a point and reports each as it ends."""

from __future__ import annotations

import math
from typing import Any, Callable

from .clock import Clock, suspended_ns
from .memory import Memory
from .work import Work

Report = Callable[..., None]
"""`report(event, **fields)` appends one event."""

_SLEEP_NS = 50_000_000
"""The system's clocks differ by microseconds; a sleep lasts longer than this."""
_MOST_SLEEPS = 20
"""How often a step is repeated because the machine slept meanwhile."""


def measure(work: Work, clock: Clock, memory: Memory, report: Report, warmup: int, measured: int) -> str | None:
    """Runs warm-up and measured steps of the same work; returns `nan` if a result was not finite, else None."""
    error = None
    for phase, count in (("warm-up", warmup), ("measured", measured)):
        for index in range(count):
            memory.start()
            ns, phases, result = _awake(work, clock, report)
            if phase == "measured":
                memory.stop()
            report("step", phase=phase, index=index, ns=ns, phases=phases)
            if not is_finite(result):
                error = "nan"
            # Freed, so that a step's result does not count as the next step's memory.
            del result
    return error


def _awake(work: Work, clock: Clock, report: Report) -> tuple[int, dict[str, int], Any]:
    """Times a step, and repeats it if the machine slept meanwhile."""
    for attempt in range(_MOST_SLEEPS):
        before = suspended_ns()
        timed = clock.time(work)
        after = suspended_ns()
        if before is None or after is None or after - before < _SLEEP_NS:
            break
        report("slept", ns=after - before)
        if attempt < _MOST_SLEEPS - 1:
            del timed
    return timed


def is_finite(result: Any) -> bool:
    """Returns whether a step's result has neither NaN nor infinity; values that are not numbers pass."""
    if isinstance(result, (int, float)):
        return math.isfinite(result)
    if hasattr(result, "aminmax") and result.is_floating_point() and result.numel() > 0:
        # Both ends propagate NaN; a mask of the finite values would take as much memory as the logits.
        return all(math.isfinite(end.item()) for end in result.detach().aminmax())
    return True
