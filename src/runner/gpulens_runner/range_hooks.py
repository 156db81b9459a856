"""Hooks into ranges: `record_function`, NVTX, and torch's own around each optimizer step."""

from __future__ import annotations

import functools
import sys
from types import FrameType
from typing import Any

import torch
from torch.autograd import profiler as autograd_profiler

from .automatic_lines import LineCall
from .compiling import is_compiling
from .context import Context
from .optimizer_hooks import OptimizerHooks
from .recorded_ranges import recorded_ranges
from .session import Session
from .thread_stack import ThreadStack

_OPTIMIZER_RANGE = "Optimizer.step#"
_STEP_RANGE = "ProfilerStep#"
_CALLS = ("Optimizer.", "enumerate(DataLoader)#")
"""Prefixes of the ranges that torch opens around calls of the script."""
_LIBRARY_RANGES = (_STEP_RANGE, "Optimizer.")


def hook_ranges(context: Context, session: Session, optimizers: OptimizerHooks) -> None:
    """Notes the line of every user range, and reports the ranges that end a step.

    Replaces the methods, not the class: Dynamo and the user's imports know the class by identity. TorchScript compiles
    the class from its methods by their names and sources, so the hooks have those of torch's.
    """
    cls = autograd_profiler.record_function
    enter: Any = cls.__enter__
    leave: Any = cls.__exit__
    step_range = context.config.step_range
    notes_sites = context.config.sites
    lines = context.lines
    # By range, the handle that ends its lines; a range that was opened before recording has none.
    calls: dict[int, LineCall | None] = {}
    tags: dict[int, LineCall | None] = {}

    @functools.wraps(enter)
    def hooked_enter(self: Any) -> Any:
        if is_compiling():
            return enter(self)
        if not session.notes_tags:
            return opened(self)
        name: str = self.name
        if not name.startswith(_STEP_RANGE):
            session.work_begins()
        if not name.startswith(_LIBRARY_RANGES):
            if notes_sites:
                context.sites.note(name)
            if name != step_range:
                session.range_opens(self)
        if not session.is_recording:
            return opened(self)
        if not lines.is_on:
            pass
        elif name.startswith(_CALLS):
            calls[id(self)] = lines.enter(watches=_has_closure(sys._getframe(1)), is_anywhere=True)
        elif not name.startswith(_STEP_RANGE):
            tags[id(self)] = lines.range_opens()
        self.name = context.labels.safe(name)
        try:
            return opened(self)
        finally:
            self.name = name

    def opened(self: Any) -> Any:
        result = enter(self)
        if recorded_ranges.is_recording:
            recorded_ranges.opens(self, end)
        return result

    def end(one: Any) -> None:
        of_exit = one.run_callbacks_on_exit
        one.run_callbacks_on_exit = True
        try:
            leave(one, None, None, None)
        finally:
            one.run_callbacks_on_exit = of_exit

    @functools.wraps(leave)
    def hooked_exit(self: Any, *error: Any) -> Any:
        if tags:
            lines.range_closes(tags.pop(id(self), None))
        # Torch ends the range of a future only with the future.
        is_of_future = not getattr(self, "run_callbacks_on_exit", True)
        result = leave(self, *error) if is_of_future or recorded_ranges.closes(self) else None
        if calls:
            lines.leave(calls.pop(id(self), None))
        if is_compiling() or not session.is_active:
            return result
        if self.name.startswith(_OPTIMIZER_RANGE):
            optimizers.range_closes()
        elif self.name == step_range:
            session.step_ends("range")
        elif not self.name.startswith(_LIBRARY_RANGES):
            session.range_closes(self)
        return result

    cls.__enter__, cls.__exit__ = hooked_enter, hooked_exit  # type: ignore[method-assign]


def _has_closure(frame: FrameType) -> bool:
    """Returns whether a frame, torch's around an optimizer's step, was given a closure of the script."""
    arguments, options = frame.f_locals.get("args"), frame.f_locals.get("kwargs")
    given = [*arguments[1:]] if isinstance(arguments, tuple) else []
    given += options.values() if isinstance(options, dict) else []
    return any(callable(one) for one in given)


def hook_nvtx() -> None:
    """Mirrors NVTX ranges as `record_function`, so that the same tags work under both profilers, and in a CPU build."""
    from torch.cuda import nvtx

    real_push: Any = nvtx.range_push
    real_pop: Any = nvtx.range_pop
    has_nvtx = hasattr(torch._C, "_nvtx")
    mirrors: ThreadStack[Any] = ThreadStack()

    def range_push(msg: str) -> int:
        open_ranges = mirrors.get()
        mirror: Any = autograd_profiler.record_function(msg)
        mirror.__enter__()
        open_ranges.append(mirror)
        return int(real_push(msg)) if has_nvtx else len(open_ranges) - 1

    def range_pop() -> int:
        open_ranges = mirrors.get()
        depth = int(real_pop()) if has_nvtx else len(open_ranges) - 1
        if open_ranges:
            open_ranges.pop().__exit__(None, None, None)
        return depth

    nvtx.range_push, nvtx.range_pop = range_push, range_pop
