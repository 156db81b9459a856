"""The environment that a result depends on, recorded with each point."""

from __future__ import annotations

import os
import platform
import subprocess
from typing import Any

from gpulens_runner.git_commit import git_commit

_GPU_FIELDS = (
    "name",
    "driver_version",
    "clocks.sm",
    "clocks.mem",
    "clocks.max.sm",
    "clocks.max.mem",
    "temperature.gpu",
    "power.limit",
    "utilization.gpu",
)


def environment(device: Any) -> dict[str, Any]:
    """Returns machine, load and commit; for a point in this process (`device` is not None) also torch and the GPU."""
    found: dict[str, Any] = {
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
        "cpu": _cpu(),
        "cores": os.cpu_count(),
        "load": os.getloadavg()[0] if hasattr(os, "getloadavg") else None,
        "commit": _commit(),
    }
    if device is not None:
        import torch

        found.update(torch=torch.__version__, cuda=torch.version.cuda, threads=torch.get_num_threads())
        if device.type == "cuda":
            found["gpu"] = gpu(device)
    return found


def gpu(device: Any) -> dict[str, Any]:
    """Returns the GPU's name, memory, driver and current clocks; values that the system does not report are absent."""
    import torch

    properties = torch.cuda.get_device_properties(device)
    found: dict[str, Any] = {"name": properties.name, "bytes": properties.total_memory}
    uuid = str(getattr(properties, "uuid", ""))
    index = f"GPU-{uuid}" if uuid else str(device.index or 0)
    line = _output(
        ["nvidia-smi", f"--id={index}", f"--query-gpu={','.join(_GPU_FIELDS)}", "--format=csv,noheader,nounits"]
    )
    values = [value.strip() for value in (line or "").split(",")]
    if len(values) == len(_GPU_FIELDS):
        _, driver, *numbers = values
        found["driver"] = driver
        keys = ("smMHz", "memoryMHz", "maxSmMHz", "maxMemoryMHz", "celsius", "powerLimitWatts", "utilizationPercent")
        found.update({key: float(text) for key, text in zip(keys, numbers) if _is_number(text)})
    return found


def _cpu() -> str:
    try:
        with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as file:
            for line in file:
                if line.startswith("model name"):
                    return line.split(":", 1)[1].strip()
    except OSError:
        pass
    return platform.processor()


def _commit() -> str | None:
    """Returns the commit of the working folder; None if there is none.

    With `+` if files differ from it, and `?` if git could not tell.
    """
    commit = git_commit(os.getcwd())
    if commit is None:
        return None
    changes = _output(["git", "status", "--porcelain", "--untracked-files=no"])
    return commit[:12] + ("?" if changes is None else "+" if changes else "")


def _output(command: list[str]) -> str | None:
    """Returns a program's output; None if it failed, or took too long."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=10, stdin=subprocess.DEVNULL)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.strip() if done.returncode == 0 else None


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
