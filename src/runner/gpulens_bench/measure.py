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
"""Clocks of the system differ by microseconds; a sleep lasts longer."""
_MOST_SLEEPS = 20
"""So often a step is measured again because the machine slept meanwhile."""


def measure(work: Work, clock: Clock, memory: Memory, report: Report, warmup: int, measured: int) -> str | None:
    """Runs warm-up and measured steps of the same work; returns `nan` where a result was not finite, else None."""
    error = None
    for phase, count in (("warm-up", warmup), ("measured", measured)):
        if phase == "measured":
            memory.reset()
        for index in range(count):
            ns, phases, result = _awake(work, clock, report)
            report("step", phase=phase, index=index, ns=ns, phases=phases)
            if not is_finite(result):
                error = "nan"
    return error


def _awake(work: Work, clock: Clock, report: Report) -> tuple[int, dict[str, int], Any]:
    """Times a step, again where the machine was asleep meanwhile."""
    for _ in range(_MOST_SLEEPS):
        before = suspended_ns()
        timed = clock.time(work)
        after = suspended_ns()
        if before is None or after is None or after - before < _SLEEP_NS:
            return timed
        report("slept", ns=after - before)
    return timed


def is_finite(result: Any) -> bool:
    """Tells whether a step's result has neither NaN nor infinity; what is no number is fine."""
    if isinstance(result, (int, float)):
        return math.isfinite(result)
    if hasattr(result, "isfinite") and hasattr(result, "is_floating_point"):
        return bool(result.isfinite().all())
    return True
