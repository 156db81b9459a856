"""Starts and stops torch's profiler, and writes what it recorded."""

from __future__ import annotations

import datetime
import json
import os
import sys
import time
from typing import Any

import torch
from torch.profiler import ProfilerAction, ProfilerActivity, profile

from .config import Config
from .events import emit
from .sites import Sites
from .trace_file import write_trace


class Recording:
    """One run of the profiler, made by us: `is_ours` tells it from a profiler of the user's."""

    def __init__(self, config: Config, kind: str, steps: tuple[int, int] | None) -> None:
        """Starts recording: everything from now on, or after `steps[0]` steps the next `steps[1]`."""
        self.kind = kind
        activities = [ProfilerActivity.CPU]
        if torch.cuda.is_available():
            activities.append(ProfilerActivity.CUDA)
        self._profile = profile(
            activities=activities,
            schedule=None if steps is None else _schedule(*steps),
            record_shapes=config.shapes,
            with_stack=config.stack,
            profile_memory=config.memory,
        )
        self._profile._gpulens = True  # type: ignore[attr-defined]
        self._profile.start()
        self.recorded_at = datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds")
        # From here: the first start of a process takes a second by itself.
        self.started = time.monotonic()

    def step(self) -> None:
        """Ends a step of a recording by steps."""
        self._profile.step()

    def stop(self) -> None:
        """Stops recording; what was recorded is kept until it is written or dropped."""
        self._profile.stop()

    @property
    def results(self) -> Any:
        """Kineto's results; None where nothing was recorded."""
        profiler = self._profile.profiler
        return None if profiler is None else profiler.kineto_results


def is_ours(profiler: object) -> bool:
    """Tells whether a profiler was started by us."""
    return getattr(profiler, "_gpulens", False)


def _schedule(prewarm: int, active: int) -> Any:
    def action(step: int) -> ProfilerAction:
        if step < prewarm:
            return ProfilerAction.WARMUP
        if step < prewarm + active - 1:
            return ProfilerAction.RECORD
        return ProfilerAction.RECORD_AND_SAVE if step == prewarm + active - 1 else ProfilerAction.NONE

    return action


def save(recording: Recording, config: Config, sites: Sites, why: str, steps: int) -> None:
    """Writes a stopped recording with its sidecar, and says so; a failure is said too, and never raised."""
    rank = _rank()
    emit(config.events, "writing", kind=recording.kind)
    try:
        os.makedirs(config.out, exist_ok=True)
        base = _claim_name(config.out, rank)
        trace, sidecar = base + ".pt.trace.json.gz", base + ".meta.json"
        meta = {
            "version": 1,
            "kind": recording.kind,
            "why": why,
            "steps": steps,
            "rank": rank,
            "torch": torch.__version__,
            "python": ".".join(map(str, sys.version_info[:3])),
            "device": torch.cuda.get_device_name() if torch.cuda.is_available() else "cpu",
            "recordedAt": recording.recorded_at,
            "gitCommit": config.git_commit,
            "sites": sites.to_json(),
            "files": sites.files_to_json(),
        }
        # The sidecar comes first: whoever sees the trace finds it.
        with open(sidecar + ".tmp", "w", encoding="utf-8") as file:
            json.dump(meta, file)
        os.replace(sidecar + ".tmp", sidecar)
        write_trace(recording.results, trace)
    except Exception as error:
        emit(config.events, "error", message=f"The trace could not be written: {error}")
        return
    emit(config.events, "trace", path=trace, kind=recording.kind, why=why, steps=steps, rank=rank)


def _claim_name(folder: str, rank: int | None) -> str:
    """Returns a path without ending that no other process of the run uses: `train`, `train.rank3`, `train.pid4711`."""
    script = os.path.splitext(os.path.basename(sys.argv[0]))[0] if sys.argv and sys.argv[0] else "python"
    stem = os.path.join(folder, script if rank is None else f"{script}.rank{rank}")
    for base in (stem, f"{stem}.pid{os.getpid()}"):
        try:
            os.close(os.open(base + ".meta.json", os.O_CREAT | os.O_EXCL))
            return base
        except FileExistsError:
            continue
    return f"{stem}.pid{os.getpid()}"


def _rank() -> int | None:
    """Returns the rank in a distributed job: torch knows it even where the environment does not."""
    distributed = sys.modules.get("torch.distributed")
    try:
        if distributed is not None and distributed.is_available() and distributed.is_initialized():
            return int(distributed.get_rank())
        return int(os.environ["RANK"]) if "RANK" in os.environ else None
    except (RuntimeError, ValueError):
        return None
