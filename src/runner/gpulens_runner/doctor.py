"""Reports what the interpreter that runs it can profile: `python -m gpulens_runner.doctor` prints one JSON object.

The reader is `src/launch/doctor/python-facts.ts`. Absent facts are null; nothing here raises.
"""

from __future__ import annotations

import ctypes
import glob
import json
import os
import sys
from typing import Any

VERSION = 1


def main() -> int:
    """Prints the facts on standard output, on a line of their own; returns the exit status."""
    facts: dict[str, Any] = {
        "v": VERSION,
        "python": ".".join(map(str, sys.version_info[:3])),
        "executable": sys.executable,
        "torch": None,
    }
    try:
        import torch
    except Exception as error:  # An import may fail in any way: a missing library, a broken build.
        facts["torchError"] = _sentence(error)
    else:
        facts["torch"] = _torch_facts(torch)
    # Some builds print when they are imported.
    print("\n" + json.dumps(facts))
    return 0


def _torch_facts(torch: Any) -> dict[str, Any]:
    cuda_version = getattr(torch.version, "cuda", None)
    facts: dict[str, Any] = {
        "version": torch.__version__,
        "cudaVersion": cuda_version,
        "hipVersion": getattr(torch.version, "hip", None),
        "devices": [],
        "cudaError": None,
        "hasMps": _attempt(lambda: bool(torch.backends.mps.is_available())) or False,
        "recordsCuda": _attempt(lambda: _records_cuda(torch)) or False,
        "cuptiVersion": _cupti_version(torch),
    }
    if cuda_version is not None or facts["hipVersion"] is not None:
        try:
            torch.cuda.init()
            facts["devices"] = [torch.cuda.get_device_name(index) for index in range(torch.cuda.device_count())]
        except Exception as error:
            facts["cudaError"] = _sentence(error)
    return facts


def _records_cuda(torch: Any) -> bool:
    """Returns whether this build's profiler was compiled with CUPTI."""
    return torch.profiler.ProfilerActivity.CUDA in torch.profiler.supported_activities()


def _cupti_version(torch: Any) -> int | None:
    """Returns the CUPTI API version of the library that torch would load; None if none can be loaded."""
    site = os.path.dirname(os.path.dirname(torch.__file__))
    patterns = ("nvidia/cuda_cupti/lib/libcupti.so*", "nvidia/cu*/lib/libcupti.so*", "torch/lib/libcupti*")
    bundled = [path for pattern in patterns for path in sorted(glob.glob(os.path.join(site, pattern)))]
    for library in (*bundled, "libcupti.so", "libcupti.so.13", "libcupti.so.12"):
        try:
            version = ctypes.c_uint32()
            if ctypes.CDLL(library).cuptiGetVersion(ctypes.byref(version)) == 0:
                return version.value
        except (OSError, AttributeError):
            continue
    return None


def _attempt(question: Any) -> Any:
    """Returns the answer; None if this version of torch does not support the question."""
    try:
        return question()
    except Exception:
        return None


def _sentence(error: Exception) -> str:
    """Returns the first line of an error; the others are advice about builds."""
    lines = str(error).strip().splitlines()
    return lines[0] if lines else type(error).__name__


if __name__ == "__main__":
    sys.exit(main())
