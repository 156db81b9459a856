"""Records the CUDA allocator's history, with the stack of each allocation, and writes it as a memory snapshot.

The history begins with the process's first use of the GPU, so that long-lived blocks such as parameters have their
stacks. It ends when the steps have been recorded, at the first out-of-memory error, or with the process, whichever
comes first.
"""

from __future__ import annotations

import os
import pickle
from typing import TYPE_CHECKING, Any

import torch

from .file_names import claim_path
from .guarded import never_raises
from .own_code import RUNNER_FOLDER

if TYPE_CHECKING:
    from .context import Context

MOST_EVENTS = 1_000_000
"""Older events are dropped: a million events take about 100 MB in the file."""


class MemoryHistory:
    """The allocator's history of this process; inactive unless the run requests it."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._is_running = False
        self._is_written = False

    def install(self) -> None:
        """Begins the history when CUDA is initialised, or at once if it already is."""
        if self._context.config.memory_history:
            torch.cuda._lazy_call(self._begin)

    def forget(self) -> None:
        """A forked process has no history: it cannot use its parent's GPU."""
        self._is_running = self._is_written = False

    def give_up(self, message: str) -> None:
        """The history failed: the script and the recording continue without it."""
        self._is_running = False
        self._context.tell("error", message=message)

    @never_raises
    def write(self, why: str) -> None:
        """Writes the snapshot, and ends the history; once per process. `why` is as for a trace."""
        if not self._is_running:
            return
        self._is_running = False
        self._save(_without_own_frames(torch.cuda.memory._snapshot()), why)
        torch.cuda.memory._record_memory_history(enabled=None)

    @never_raises
    def _begin(self) -> None:
        self._is_running = True
        torch.cuda.memory._record_memory_history(context="all", stacks="python", max_entries=MOST_EVENTS)
        torch._C._cuda_attach_out_of_memory_observer(self._at_out_of_memory)

    def _at_out_of_memory(self, device: int, wanted: int, limit: int, free: int) -> None:
        """The allocator has run out of memory: the script learns of it after this returns."""
        if self._is_running:
            self.write("out-of-memory")

    def _save(self, snapshot: Any, why: str) -> None:
        path, file = claim_path(self._context.config, "memory.pickle")
        try:
            with file:
                pickle.dump(snapshot, file)
            os.replace(file.name, path)
        except BaseException:
            os.remove(file.name)
            raise
        self._context.tell("snapshot", path=path, why=why)


def _without_own_frames(snapshot: Any) -> Any:
    """Returns a snapshot whose stacks have no calls of ours: an allocation would seem to be made by the recorder."""
    holders = [event for events in snapshot["device_traces"] for event in events]
    holders += [block for segment in snapshot["segments"] for block in segment.get("blocks", [])]
    # Stacks are shared by many allocations.
    seen: dict[int, list[Any]] = {}
    for holder in holders:
        frames = holder.get("frames")
        if frames and id(frames) not in seen:
            seen[id(frames)] = frames
            frames[:] = [frame for frame in frames if not str(frame.get("filename")).startswith(RUNNER_FOLDER)]
    return snapshot
