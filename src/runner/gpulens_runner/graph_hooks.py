"""Hooks into CUDA graphs, and into HIP's, which torch also calls CUDA's: their captures are recorded once, and a replay
of a captured step is a step."""

from __future__ import annotations

import sys
from types import FrameType
from typing import Any

import torch

from . import captures
from .module_hooks import ModuleHooks
from .optimizer_cycle import OptimizerCycle
from .session import Session

_STEP = "_gpulens_step"
_UNREPORTED = "_gpulens_unreported"
"""Whether calls of a model in the capture were not reported: an idle run waits for a trigger, or recording is over."""
_RESTORING = ("torch._inductor.", "torch.autograd.function")


def hook_graphs(session: Session, modules: ModuleHooks) -> None:
    """Hooks `torch.cuda.CUDAGraph`, on which `torch.cuda.graph`, `make_graphed_callables` and torch.compile stand.

    The captures of torch.compile are not recorded: the names of its kernels tell their lines."""
    cls: Any = getattr(torch.cuda, "CUDAGraph", None)
    if not all(hasattr(cls, name) for name in ("capture_begin", "capture_end", "replay", "reset")):
        return
    real_begin, real_end, real_replay, real_reset = cls.capture_begin, cls.capture_end, cls.replay, cls.reset
    # Of several graphs that hold a training step, as for each part of a batch, the last one ends the step.
    cycle = OptimizerCycle()

    def capture_begin(self: Any, *args: Any, **options: Any) -> Any:
        is_own = not _is_inside_torch(sys._getframe(1))
        if is_own:
            session.capture_begins()
        captures.begins(self)
        setattr(self, _UNREPORTED, is_own and not modules.reports_calls and not torch.is_grad_enabled())
        try:
            return real_begin(self, *args, **options)
        except BaseException:
            captures.ends(self)
            session.capture_fails()
            raise

    def capture_end(self: Any) -> Any:
        try:
            return real_end(self)
        finally:
            # Outside of reported calls, each replay of what a model computed is a step, as the call would have been.
            setattr(self, _STEP, captures.ends(self) or ("infer" if getattr(self, _UNREPORTED, False) else None))

    def reset(self: Any) -> Any:
        captures.ends(self)
        return real_reset(self)

    def replay(self: Any) -> Any:
        result = real_replay(self)
        session.graph_replays()
        what = getattr(self, _STEP, None)
        if what == "train":
            if cycle.steps(id(self)):
                session.step_ends(what)
        elif what == "range":
            session.range_replays()
        elif what is not None:
            modules.replays(self)
        elif session.awaits_end_of_captures and not _is_inside_torch(sys._getframe(1)):
            session.work_begins()
        return result

    cls.capture_begin, cls.capture_end, cls.replay, cls.reset = capture_begin, capture_end, replay, reset


def _is_inside_torch(frame: FrameType | None) -> bool:
    """Returns whether torch itself captures, or autograd is around it: both restore the thread's state afterwards, and
    a profiler that was started or stopped meanwhile would end the process."""
    while frame is not None:
        if frame.f_globals.get("__name__", "").startswith(_RESTORING):
            return True
        frame = frame.f_back
    return False
