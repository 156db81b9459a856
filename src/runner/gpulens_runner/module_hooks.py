"""Hooks into module calls: each is a range with its qualified name, and the outermost ones are steps."""

from __future__ import annotations

import sys
import threading
import warnings
from typing import Any

import torch
from torch.nn.modules import module as modules
from torch.optim import Optimizer

from .automatic_lines import LineCall
from .backward import is_in_backward
from .compiling import has_compiled, is_compiling
from .context import Context
from .earlier_calls import EarlierCalls
from .recorded_ranges import close_range, recorded_ranges
from .session import Session
from .step_finder import CallCycle
from .thread_stack import ThreadStack
from .whole_calls import WholeCall, WholeCalls

_Range: Any = getattr(torch._C._profiler, "_RecordFunctionFast", None)
"""It costs a tenth of `record_function`; a torch without it gets no ranges for modules."""


class ModuleHooks:
    """Reports module calls to the session."""

    def __init__(self, context: Context, session: Session) -> None:
        self._context = context
        self._session = session
        self._handles: list[Any] = []
        self._calls: ThreadStack[tuple[Any, Any, LineCall | None, bool]] = ThreadStack()
        self._earlier = EarlierCalls()
        self._tags = context.config.modules and _Range is not None
        config = context.config
        self._finds_steps = config.step in ("auto", "infer") or config.step_place is not None
        # The user may mean the loop inside a whole call, or the one around it.
        self._finds_inner = config.step_place is not None or config.profiler == "loops"
        self._whole = WholeCalls(context.paths, self._whole_call_ends, config.opening_seconds)
        self._ending = threading.Lock()
        self._ends_script = False
        self.install()

    def install(self) -> None:
        """Hooks all modules, only once, and seeks steps anew."""
        self._begin_cycles()
        if self._handles:
            return
        self._calls.clear()
        # Dynamo warns about any global hook; ours do nothing while it compiles.
        warnings.filterwarnings("ignore", message=r"Using `torch\.compile\(module\)` when there are global hooks")
        self._earlier.begin()
        # Another thread may be inside a call: of the two hooks, only the one after a call may come alone.
        after = _register_after(self._after)
        self._handles = [modules.register_module_forward_pre_hook(self._before), after]

    def _begin_cycles(self) -> None:
        self._infer, self._forward = CallCycle(), CallCycle()
        self._whole_cycle = CallCycle() if self._finds_inner else self._infer

    def wake(self) -> None:
        """Seeks steps anew, with all modules hooked if that causes no recompilation."""
        if has_compiled():
            self._begin_cycles()
        else:
            self.install()

    def remove(self) -> None:
        """Removes the hooks, if that causes no recompilation."""
        if has_compiled():
            return
        for handle in self._handles:
            handle.remove()
        self._handles = []

    def _before(self, module: Any, _inputs: Any) -> None:
        if is_compiling():
            return
        if self._ends_script:
            self._ends_script = False
            raise SystemExit(0)
        stack = self._calls.get()
        # Calls that backward repeats, for example with checkpointed activations, belong to the original call.
        is_part = not stack and (is_in_backward() or self._earlier.are_around(sys._getframe(1), 1))
        is_outermost, is_inside = not stack and not is_part, False
        session = self._session
        if session.is_active:
            if is_outermost and self._finds_steps and not (torch.is_grad_enabled() and _has_optimizer()):
                is_inside = self._whole.around(sys._getframe(1)) and not self._finds_inner
                if is_inside and session.is_recording:
                    self._context.lines.follow_request()
                if not is_inside and self._begins_step(module):
                    session.step_ends("forward")
            session.work_begins()
            if is_outermost:
                self._context.loops.calls(module)
        opened = at = None
        if session.is_recording:
            at = self._context.lines.enter_module(module)
        if self._tags and session.is_recording:
            name = self._context.modules.range_of(module, is_outermost)
            opened = _Range(self._context.labels.safe(name))
            opened.__enter__()
            recorded_ranges.opens(opened, close_range)
        stack.append((module, opened, at, is_part or is_inside))

    def _after(self, module: Any, _inputs: Any, _output: Any) -> None:
        if is_compiling():
            return
        stack, lines = self._calls.get(), self._context.lines
        # If torch does not report calls that ended by an exception, they are on top; calls from before the hook are
        # missing.
        if not any(entry[0] is module for entry in stack):
            return
        is_part = False
        while stack:
            called, opened, at, is_part = stack.pop()
            if at is not None:
                lines.close_inside(at)
            if opened is not None and recorded_ranges.closes(opened):
                close_range(opened)
            if at is not None:
                lines.leave(at)
            if called is module:
                break
        if stack or is_part or not self._finds_steps or torch.is_grad_enabled():
            return
        if self._session.is_active and self._infer.calls(id(module)):
            self._session.step_ends("infer")

    def replays(self, graph: Any) -> None:
        """A GPU graph that holds a call of a model was replayed: unless another call is around it, that ends a step, as
        the call would."""
        if self._calls.get() or not self._finds_steps or not self._session.is_active or is_in_backward():
            return
        replayer = sys._getframe(2)
        if self._earlier.are_around(replayer, 0) or (self._whole.around(replayer) and not self._finds_inner):
            return
        if self._infer.calls(id(graph)):
            self._session.step_ends("infer")

    def _begins_step(self, module: Any) -> bool:
        """Returns whether a call with gradients begins a step: only if no optimizer will.

        The first call does not count: no step precedes it.
        """
        if not torch.is_grad_enabled():
            return False
        is_first = self._forward.is_empty
        return self._forward.calls(id(module)) and not is_first

    def _whole_call_ends(self, call: WholeCall) -> None:
        # Requests end in several threads: one that ends while another is handled belongs to the same step.
        if self._session.is_active and self._ending.acquire(blocking=False):
            try:
                self._end_step(call)
            finally:
                self._ending.release()

    def _end_step(self, call: WholeCall) -> None:
        if not (call.is_request or self._whole_cycle.calls(id(call.code))):
            return
        try:
            self._session.step_ends("infer", call)
        except SystemExit:
            # Python drops exceptions raised while a frame is freed, so the model's next call ends the script.
            self._ends_script = True
        self._context.lines.leave_request()


def _register_after(hook: Any) -> Any:
    """Registers a hook that is called even if a module raises, if this torch supports that."""
    try:
        return modules.register_module_forward_hook(hook, always_call=True)
    except TypeError:
        return modules.register_module_forward_hook(hook)


def _has_optimizer() -> bool:
    """Returns whether an optimizer was ever created: torch then wraps the step of its class."""
    classes = [Optimizer]
    while classes:
        cls = classes.pop()
        if getattr(vars(cls).get("step"), "hooked", False):
            return True
        classes.extend(cls.__subclasses__())
    return False
