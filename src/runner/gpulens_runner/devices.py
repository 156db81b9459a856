"""The devices that the process uses."""

from __future__ import annotations

from typing import Any

import torch
from torch.profiler import ProfilerActivity


def has_memory_history() -> bool:
    """Returns whether this process uses a GPU whose allocator can record a history: CUDA, or ROCm, which torch also
    calls cuda."""
    return _uses(torch.cuda)


def activities(device: str) -> list[ProfilerActivity]:
    """Returns the activities to record: those of the CPU, and of the GPU that this process uses.

    A GPU counts as used once torch has initialised it: checking for one would initialise the driver, after which the
    script can no longer fork processes that use it.
    """
    found = [ProfilerActivity.CPU]
    if device == "cpu":
        return found
    if _uses(torch.cuda):
        found.append(ProfilerActivity.CUDA)
    xpu = getattr(torch, "xpu", None)
    if xpu is not None and hasattr(ProfilerActivity, "XPU") and _uses(xpu):
        found.append(ProfilerActivity.XPU)
    return found


def device_name() -> str:
    """Returns the name of the GPU that this process uses, "mps" for Apple's, else "cpu"."""
    if _uses(torch.cuda):
        return str(torch.cuda.get_device_name())
    xpu = getattr(torch, "xpu", None)
    if xpu is not None and _uses(xpu):
        return str(xpu.get_device_name())
    return "mps" if _uses_mps() else "cpu"


def synchronize() -> None:
    """Waits for the GPU that this process uses, so that the clock measures its steps."""
    if _uses(torch.cuda):
        torch.cuda.synchronize()
    elif _uses_mps():
        torch.mps.synchronize()
    else:
        xpu = getattr(torch, "xpu", None)
        if xpu is not None and _uses(xpu):
            xpu.synchronize()


def _uses(module: Any) -> bool:
    try:
        return bool(module.is_initialized())
    except (AttributeError, RuntimeError):
        return False


def _uses_mps() -> bool:
    try:
        return torch.backends.mps.is_available() and torch.mps.current_allocated_memory() > 0
    except (AttributeError, RuntimeError):
        return False
