"""Steps that another program records, or none: replaces a recording when torch's profiler does not run."""

from __future__ import annotations

import sys
from typing import Any, Callable

import torch

from .config import Config
from .nvtx_injection import find_injection

RANGE_NAME = "gpu_lens_measured_steps"
"""The NVTX range that opens nsys's capture; `src/launch/nsys/capture.ts` has the same name."""


class WatchedSteps:
    """Opens nsys's capture at the first measured step, and closes it after the last one."""

    kind = "steps"

    def __init__(self, config: Config) -> None:
        """Begins where pre-warming begins."""
        self._steps_before = config.prewarm
        self._capture = config.capture
        self._close: Callable[[], Any] | None = None
        self._open_when_due()

    def step(self) -> None:
        """Handles the end of a step."""
        self._steps_before -= 1
        self._open_when_due()

    def stop(self) -> None:
        """The last measured step has ended, or the script."""
        close, self._close = self._close, None
        if close is not None:
            close()

    def _open_when_due(self) -> None:
        if self._steps_before == 0 and self._capture is not None:
            self._close = _open_cuda() if self._capture == "cuda" else _open_nvtx()


def _open_cuda() -> Callable[[], Any]:
    """Starts nsys's capture by the profiler API; returns the function that ends it."""
    # Work that was queued before belongs to an earlier step.
    torch.cuda.synchronize()
    torch.cuda.profiler.start()

    def close() -> None:
        torch.cuda.synchronize()
        torch.cuda.profiler.stop()

    return close


def _open_nvtx() -> Callable[[], Any]:
    """Opens the NVTX range that nsys waits for; returns the function that closes it.

    It is not a range on a thread's stack: a step may begin and end inside other ranges.
    """
    nvtx = getattr(torch._C, "_nvtx", None)
    start, end = getattr(nvtx, "rangeStartA", None), getattr(nvtx, "rangeEnd", None)
    if start is None or end is None:
        injection = find_injection()
        if injection is None:
            print("GPU Lens: no profiler takes NVTX ranges here, so nothing is captured.", file=sys.stderr)
            return lambda: None
        start, end = lambda name: injection.start(name.encode()), injection.end
    identifier = start(RANGE_NAME)
    return lambda: end(identifier)
