"""Profilers of the script's own: two at once would cost the outer one its data, so ours gives way to them."""

from __future__ import annotations

import os
import weakref
from typing import Any

import torch

from .context import Context


class OwnProfilers:
    """Those that run now, and what they wrote."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._running: weakref.WeakSet[Any] = weakref.WeakSet()
        self._is_told = False

    @property
    def are_running(self) -> bool:
        """Whether one runs, also one whose start was not seen."""
        return bool(self._running) or torch.autograd._profiler_enabled()

    def starts(self, profiler: object) -> None:
        """One has been started."""
        self._running.add(profiler)

    def tell(self) -> None:
        """Tells, once a process, that the script profiles itself."""
        if not self._is_told:
            self._is_told = True
            self._context.tell("user-profiler")

    def ends(self, profiler: object) -> None:
        """A profiler has ended, of the script's or not."""
        self._running.discard(profiler)

    def exported(self, path: str) -> None:
        """The script has written a trace of its own."""
        self._context.tell("trace", path=os.path.abspath(path), kind="own", what=None, why="complete", steps=0)
