"""The script's own profilers: two at once would cost the outer one its data, so ours gives way to them."""

from __future__ import annotations

import os
import weakref
from typing import Any

import torch

from .context import Context


class OwnProfilers:
    """The running ones, and the traces that they wrote."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._running: weakref.WeakSet[Any] = weakref.WeakSet()
        self._is_told = False

    @property
    def are_running(self) -> bool:
        """Whether one runs, even if its start was not seen."""
        return bool(self._running) or torch.autograd._profiler_enabled()

    def starts(self, profiler: object) -> None:
        """Handles the start of one."""
        self._running.add(profiler)

    def tell(self) -> None:
        """Reports, once per process, that the script profiles itself."""
        if not self._is_told:
            self._is_told = True
            self._context.tell("user-profiler")

    def ends(self, profiler: object) -> None:
        """Handles the end of a profiler, which may not be the script's."""
        self._running.discard(profiler)

    def exported(self, path: str) -> None:
        """The script has written a trace of its own."""
        self._context.tell("trace", path=os.path.abspath(path), kind="own", what=None, why="complete", steps=0)
