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
        for index in range(count):
            memory.start()
            ns, phases, result = _awake(work, clock, report)
            if phase == "measured":
                memory.stop()
            report("step", phase=phase, index=index, ns=ns, phases=phases)
            if not is_finite(result):
                error = "nan"
            # What one step returned is none of the next one's memory.
            del result
    return error


def _awake(work: Work, clock: Clock, report: Report) -> tuple[int, dict[str, int], Any]:
    """Times a step, again where the machine was asleep meanwhile."""
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
    """Tells whether a step's result has neither NaN nor infinity; what is no number is fine."""
    if isinstance(result, (int, float)):
        return math.isfinite(result)
    if hasattr(result, "aminmax") and result.is_floating_point() and result.numel() > 0:
        # NaN comes through both; a mask of what is finite would take as much memory as logits have.
        return all(math.isfinite(end.item()) for end in result.detach().aminmax())
    return True
