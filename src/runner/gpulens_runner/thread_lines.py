"""Ranges for the lines of one thread."""

from __future__ import annotations

import functools
import threading
from types import FrameType
from typing import Any, Callable, NamedTuple, TypeVar, cast

import torch

from .call_mode import CallMode
from .compiling import has_compiled
from .line_names import LineNames
from .own_code import OwnCode
from .own_modules import OwnModules
from .stack_lines import StackLines

Range: Any = getattr(torch._C._profiler, "_RecordFunctionFast", None)
"""A range with a name; None in a torch that is too old for it."""
Method = TypeVar("Method", bound=Callable[..., Any])


def never_raises(method: Method) -> Method:
    """Makes our own failures end the lines, and never the user's script: the method then returns None."""

    @functools.wraps(method)
    def guarded(self: Any, *arguments: Any, **options: Any) -> Any:
        try:
            return method(self, *arguments, **options)
        except Exception as error:
            self.give_up(error)
            return None

    return cast(Method, guarded)


class LineCall(NamedTuple):
    """A pending call made by a line."""

    lines: ThreadLines
    """Those of the calling thread."""
    at: int
    """The position of the call's line among the open ranges."""
    inside: int
    """Where the lines inside begin."""
    depth: int
    """Number of unwatched calls around it."""


class ThreadLines:
    """Opens and closes the ranges of a thread's lines, from `begin` to `end`.

    Methods that open or close ranges are called in that thread.
    """

    def __init__(
        self, own: OwnCode, modules: OwnModules, names: LineNames, failed: Callable[[Exception], None]
    ) -> None:
        """
        Args:
            failed: called once if the lines of this thread get no more ranges, because our own code failed.
        """
        self.thread: int | None = None
        """The thread's identifier from `begin` to `end`, else None."""
        self.has_failed = False
        self._modules = modules
        self._failed = failed
        self._mode = CallMode(self.call)
        self._has_mode = False
        self._stack = StackLines(own, names, Range, self.give_up)
        self._depth = 0

    @property
    def is_open(self) -> bool:
        """Whether ranges are open."""
        return self._stack.height > 0

    @property
    def is_inside(self) -> bool:
        """Whether an unwatched call is pending."""
        return self._depth > 0

    @never_raises
    def begin(self, is_inside: bool = False) -> None:
        """Starts opening ranges in the calling thread.

        Args:
            is_inside: whether the thread is inside of an unwatched call.
        """
        self.thread = threading.get_ident()
        self._stack.follow_thread()
        # Dynamo recompiles when a mode is entered, so calls of functions have no lines then.
        self._has_mode = not has_compiled()
        self._depth = 1 if is_inside else 0
        if not is_inside:
            self.watch()

    @never_raises
    def move(self) -> None:
        """Continues in the calling thread; no range is open."""
        self.thread = threading.get_ident()
        self._stack.follow_thread()
        self._depth = 0
        self.watch()

    @never_raises
    def end(self, frame: FrameType | None) -> None:
        """Stops, and closes the open ranges."""
        thread, self.thread = self.thread, None
        if thread == threading.get_ident():
            self._stack.forget(frame)
        else:
            self._stack.abandon()
        # Also after a failure: torch restores the mode when the call inside which we failed returns.
        self._mode.remove()

    @never_raises
    def forget(self) -> None:
        """Forgets everything: a forked process has its parent's state, and must not end its ranges later."""
        self.thread = None
        self._stack.abandon()
        self._depth = 0
        self._has_mode = False
        self._mode.remove()

    @never_raises
    def step_ends(self, frame: FrameType | None) -> None:
        """A step ends: closes all open ranges."""
        self._stack.step_ends(frame)

    @never_raises
    def step_begins(self) -> None:
        """A recorded step begins."""
        self._stack.step_begins()
        self._depth = 0
        self.watch()

    @never_raises
    def enter(self, frame: FrameType | None, watches: bool) -> LineCall:
        """Begins a call made by `frame`; returns the handle that ends it.

        Args:
            watches: whether the user's own code is called inside.
        """
        call = LineCall(self, self._stack.enter(frame), self._stack.height, self._depth)
        if not watches:
            self._go_to(1)
        return call

    @never_raises
    def enter_module(self, module: Any, frame: FrameType | None) -> LineCall | None:
        """Begins a module call made by `frame`; returns the handle that ends it, None if the call has no line and no
        lines inside."""
        is_own = self._modules.has(module)
        if self._depth > 0 and not is_own:
            return None
        call = LineCall(self, self._stack.enter(frame), self._stack.height, self._depth)
        self._go_to(0 if is_own else 1)
        return call

    @never_raises
    def leave(self, call: LineCall) -> None:
        """Ends the call."""
        if self.thread == threading.get_ident():
            self._stack.close_from(call.at)
            self._go_to(call.depth)

    @never_raises
    def around(self, frame: FrameType | None) -> LineCall:
        """Opens the ranges around a range of the user's own; returns the handle that closes the lines inside it."""
        inside = self._stack.around(frame)
        return LineCall(self, inside, inside, self._depth)

    @never_raises
    def close_inside(self, call: LineCall) -> None:
        """Closes the lines inside a call or a range."""
        if self.thread == threading.get_ident():
            self._stack.close_from(call.inside)

    def call(self, func: Any, args: Any, kwargs: Any, frame: Any) -> Any:
        """Calls a function of torch with a range for the calling line."""
        thread = threading.get_ident()
        if self._depth > 0 or self.thread != thread:
            return func(*args, **kwargs)
        # Written out, because a call of another function for each would cost as much as what they do.
        try:
            at = self._stack.enter_line(frame)
            self._depth = 1
        except Exception as error:
            self.give_up(error)
            return func(*args, **kwargs)
        try:
            return func(*args, **kwargs)
        finally:
            if self.thread == thread:
                self._depth = 0
                try:
                    self._stack.close_from(at)
                except Exception as error:
                    self.give_up(error)

    def give_up(self, error: Exception) -> None:
        """Our own code failed: no line of this thread has a range any more; the script and its recording continue."""
        if self.has_failed:
            return
        self.has_failed = True
        self.thread = None
        self._depth = 0
        self._failed(error)
        try:
            self._stack.close_from(0)
            self._mode.remove()
        except Exception:
            # What is left does nothing without a thread.
            return

    def watch(self) -> None:
        """Gives ranges to calls of functions of torch, from now on."""
        if self._has_mode:
            self._mode.put_below()

    def unwatch(self) -> None:
        """Gives none to calls of functions of torch, until `watch`."""
        if self._has_mode:
            self._mode.remove()

    def _go_to(self, depth: int) -> None:
        if depth == self._depth:
            return
        self._depth = depth
        if depth == 0:
            self.watch()
        else:
            self.unwatch()
