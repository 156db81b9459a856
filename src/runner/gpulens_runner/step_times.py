"""The duration of each measured step by itself: by a clock, and on CUDA by events in the stream."""

from __future__ import annotations

import time
from typing import Any

import torch

from .devices import device_name, synchronize


class StepTimes:
    """Times steps one by one, with the GPU idle at the beginning and the end of each.

    Waiting for the GPU is part of the time: without it, the clock would measure how long the CPU took to queue work.
    """

    def __init__(self) -> None:
        self._step_ns: list[int] = []
        self._event_ns: list[int] = []
        self._began_ns: int | None = None
        self._begin: Any = None

    def step_begins(self) -> None:
        """A step begins here, as late as possible."""
        synchronize()
        self._begin = cuda_event()
        self._began_ns = time.perf_counter_ns()

    def step_ends(self) -> None:
        """The step ends here, as early as possible; a step that did not begin is not counted."""
        if self._began_ns is None:
            return
        end = None if self._begin is None else cuda_event()
        synchronize()
        self._step_ns.append(time.perf_counter_ns() - self._began_ns)
        if end is not None:
            self._event_ns.append(round(self._begin.elapsed_time(end) * 1e6))
        self._began_ns = self._begin = None

    def to_json(self) -> dict[str, Any]:
        """Returns the steps' durations in ns; those by events are null unless every step has them."""
        has_events = 0 < len(self._step_ns) == len(self._event_ns)
        return {"stepNs": self._step_ns, "eventNs": self._event_ns if has_events else None, "device": device_name()}


def cuda_event() -> Any:
    """Returns an event in the current stream, recorded when the GPU reaches it; None without CUDA."""
    try:
        if not torch.cuda.is_initialized():
            return None
        event: Any = torch.cuda.Event(enable_timing=True)
        event.record()
    except (AttributeError, RuntimeError):
        return None
    return event
