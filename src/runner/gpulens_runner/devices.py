"""What the process computes on."""

from __future__ import annotations

from typing import Any

import torch
from torch.profiler import ProfilerActivity


def has_memory_history() -> bool:
    """Tells whether this process uses a GPU whose allocator can keep a history: CUDA, or ROCm, which torch calls the
    same."""
    return _uses(torch.cuda)


def activities(device: str) -> list[ProfilerActivity]:
    """Returns what the profiler is to record: the CPU, and the GPU that this process uses.

    A GPU counts as used once torch has initialised it: asking whether there is one would initialise the driver, after
    which the script can no longer fork processes that use it.
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
    """Returns the name of the GPU that this process uses, "mps" where Apple's is used, else "cpu"."""
    if _uses(torch.cuda):
        return str(torch.cuda.get_device_name())
    xpu = getattr(torch, "xpu", None)
    if xpu is not None and _uses(xpu):
        return str(xpu.get_device_name())
    return "mps" if _uses_mps() else "cpu"


def synchronize() -> None:
    """Waits for the GPU that this process uses, so that the clock tells what its steps took."""
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
