"""The peak memory of the measured steps."""

from __future__ import annotations

import os
import sys
from typing import Any, Protocol


class Memory(Protocol):
    """Measures the memory of steps: of those between `start` and `stop`."""

    def start(self) -> None:
        """Begins with a step; earlier peaks are not counted."""

    def stop(self) -> None:
        """Counts the peak since the start."""

    def read(self) -> dict[str, Any]:
        """Returns `peakBytes` and what it `counts`; empty if the system does not tell."""


class PeakMemory:
    """On CUDA the count of PyTorch's allocator, on the CPU the process's resident memory."""

    def __init__(self, device: Any) -> None:
        self._device = device
        self._is_cuda = device is not None and device.type == "cuda"
        self._most: dict[str, int] = {}

    def start(self) -> None:
        """Begins with a step."""
        if self._is_cuda:
            import torch

            torch.cuda.reset_peak_memory_stats(self._device)
        else:
            _forget_resident_peak()

    def stop(self) -> None:
        """Counts the peaks since the start."""
        for name, peak in self._peaks().items():
            self._most[name] = max(peak, self._most.get(name, 0))

    def read(self) -> dict[str, Any]:
        """Returns bytes, and what they count: `allocated` (and `reservedBytes`) or `resident`."""
        return {**self._most, "counts": "allocated" if self._is_cuda else "resident"} if self._most else {}

    def _peaks(self) -> dict[str, int]:
        if self._is_cuda:
            import torch

            return {
                "peakBytes": torch.cuda.max_memory_allocated(self._device),
                "reservedBytes": torch.cuda.max_memory_reserved(self._device),
            }
        peak = resident_peak()
        return {} if peak is None else {"peakBytes": peak}


def _forget_resident_peak() -> None:
    """Possible only on Linux; elsewhere the peak is that of the whole process, including the building of the model."""
    try:
        with open("/proc/self/clear_refs", "w", encoding="ascii") as file:
            file.write("5")
    except OSError:
        pass


def resident_peak() -> int | None:
    """Returns the peak of this process's resident bytes; None if the system does not tell."""
    try:
        with open("/proc/self/status", encoding="ascii", errors="replace") as file:
            for line in file:
                if line.startswith("VmHWM:"):
                    return int(line.split()[1]) * 1024
    except OSError:
        pass
    if os.name != "posix":
        return None
    import resource

    # Kilobytes everywhere but on macOS.
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
