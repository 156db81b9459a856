"""Hooks into module calls: each is a range with its qualified name, and the outermost ones are steps."""

from __future__ import annotations

import sys
import threading
import warnings
from typing import Any, NamedTuple

import torch
from torch.nn.modules import module as modules
from torch.optim import Optimizer

from .automatic_lines import LineCall
from .backward import is_in_backward
from .compiling import has_compiled, is_compiling, while_nothing_compiles
from .context import Context
from .earlier_calls import EarlierCalls, have_ended
from .recorded_ranges import close_range, recorded_ranges
from .session import Session
from .step_finder import CallCycle
from .thread_stack import ThreadStack
from .whole_calls import WholeCall, WholeCalls

_Range: Any = getattr(torch._C._profiler, "_RecordFunctionFast", None)
"""It costs a tenth of `record_function`; a torch without it gets no ranges for modules."""


class _Call(NamedTuple):
    """A call that has begun."""

    module: Any
    opened: Any
    """Its range; None if it has none."""
    line: LineCall | None
    may_end_step: bool


class ModuleHooks:
    """Reports module calls to the session."""

    def __init__(self, context: Context, session: Session) -> None:
        self._context = context
        self._session = session
        self._handles: list[Any] = []
        self._calls: ThreadStack[_Call] = ThreadStack()
        config = context.config
        self._earlier = EarlierCalls(config.opening_seconds)
        self._tags = config.modules and _Range is not None
        self._whole = WholeCalls(context.paths, self._whole_call_ends, config.opening_seconds)
        self._ending = threading.Lock()
        self._ends_script = False
        self.install()

    def install(self) -> None:
        """Hooks all modules, only once, and seeks steps anew."""
        self._begin_cycles()
        self._hook()

    def _hook(self) -> None:
        if self._handles:
            return
        self.forget_calls()
        # Dynamo warns about any global hook; ours do nothing while it compiles.
        warnings.filterwarnings("ignore", message=r"Using `torch\.compile\(module\)` when there are global hooks")
        # Another thread may be inside a call: the hook after a call may be called without the one before it, but never
        # the one before it alone.
        after = _register_after(self._after)
        self._handles = [modules.register_module_forward_pre_hook(self._before), after]
        # It may also have begun a call since the first line.
        self._earlier.begin()

    def forget_calls(self) -> None:
        """Forgets the calls that have begun: those that were interrupted never end."""
        self._calls.clear()
        self._earlier.begin()

    @property
    def reports_calls(self) -> bool:
        """Whether calls are reported at present."""
        return bool(self._handles)

    def _begin_cycles(self) -> None:
        config = self._context.config
        self._finds_steps = config.step in ("auto", "infer") or config.step_place is not None
        # The user may mean the loop inside a whole call, or the one around it.
        self._finds_inner = config.step_place is not None or config.profiler == "loops"
        self._infer, self._forward = CallCycle(), CallCycle()
        self._whole_cycle = CallCycle() if self._finds_inner else self._infer

    def wake(self) -> bool:
        """Seeks steps anew, with all modules hooked if that causes no recompilation, or if only their calls can be
        steps. Returns False if it must be tried again, because something is being compiled."""
        self._begin_cycles()
        if self._handles:
            return True
        needs_calls = self._finds_steps and not (self._session.trained > 0 and self._context.config.counts_training)
        with while_nothing_compiles() as may_hook:
            if may_hook and (needs_calls or not has_compiled()):
                self._hook()
        return may_hook or not needs_calls

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
        if stack and stack[0].module is module and have_ended(sys._getframe(1), len(stack)):
            # They were interrupted, which torch does not report.
            self._leave(stack, None)
        # Calls that backward repeats, for example with checkpointed activations, belong to the original call.
        is_first = not stack and not is_in_backward()
        is_outermost = is_first and not self._earlier.are_around(sys._getframe(1), reported=1)
        is_inside = False
        session = self._session
        if session.is_active:
            if is_outermost and self._finds_steps and not (torch.is_grad_enabled() and _has_optimizer()):
                is_inside = self._whole.around(sys._getframe(1)) and not self._finds_inner
                if is_inside and session.is_recording:
                    self._context.lines.follow_request()
                if not is_inside and self._begins_step(module):
                    session.step_ends("forward")
            session.work_begins()
            if is_first:
                self._context.loops.calls(module)
        opened = line = None
        if session.is_recording:
            line = self._context.lines.enter_module(module)
        if self._tags and session.is_recording:
            name = self._context.modules.range_of(module, is_first)
            opened = _Range(self._context.labels.safe(name))
            opened.__enter__()
            recorded_ranges.opens(opened, close_range)
        stack.append(_Call(module, opened, line, is_outermost and not is_inside))

    def _after(self, module: Any, _inputs: Any, _output: Any) -> None:
        if is_compiling():
            return
        stack = self._calls.get()
        # If torch does not report calls that ended by an exception, they are on top; calls from before the hook are
        # missing.
        if not any(call.module is module for call in stack):
            return
        may_end_step = self._leave(stack, module)
        if stack or not may_end_step or not self._finds_steps or torch.is_grad_enabled():
            return
        if self._session.is_active and self._infer.calls(id(module)):
            self._session.step_ends("infer")

    def _leave(self, stack: list[_Call], module: Any) -> bool:
        """Ends the innermost calls up to the one of `module`, or all of them; returns whether the last of these may end
        a step."""
        lines, may_end_step = self._context.lines, False
        while stack:
            called, opened, line, may_end_step = stack.pop()
            if line is not None:
                lines.close_inside(line)
            if opened is not None and recorded_ranges.closes(opened):
                close_range(opened)
            if line is not None:
                lines.leave(line)
            if called is module:
                break
        return may_end_step

    def replays(self, graph: Any) -> None:
        """A GPU graph that holds a call of a model was replayed: unless another call is around it, that ends a step, as
        the call would."""
        if self._calls.get() or not self._finds_steps or not self._session.is_active or is_in_backward():
            return
        replayer = sys._getframe(2)
        if self._earlier.are_around(replayer, reported=0) or (self._whole.around(replayer) and not self._finds_inner):
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
