"""Ranges for lines of the user's own code without a tag, while steps are recorded.

A line has a range while it calls a module, a function of torch, `backward`, an optimizer or a data loader, directly or
through the user's own functions. Inside these calls only the `forward` of the user's own modules is watched: modules of
libraries have ranges, and watching the rest would cost more than it is worth.
"""

from __future__ import annotations

import copy
import functools
import sys
import threading
from typing import Any, Callable, NamedTuple, TypeVar, cast

import torch
from torch.overrides import TorchFunctionMode

from .backward import ENGINE, is_in_backward
from .compiling import has_compiled
from .frame_mark import MAY_MARK
from .labels import Labels
from .line_names import LineNames
from .line_pass import is_profilers
from .own_code import OwnCode
from .source_files import SourceFiles
from .source_paths import SourcePaths
from .stack_lines import StackLines
from .unwrapped import WRAPPERS, unwrapped_code, unwrapped_module

_Range: Any = getattr(torch._C._profiler, "_RecordFunctionFast", None)
_NO_WORK = frozenset(
    "__get__ size stride dim numel element_size data_ptr storage_offset is_contiguous is_floating_point is_complex "
    "view view_as transpose permute unsqueeze squeeze expand expand_as split chunk unbind narrow select movedim "
    "swapaxes t detach requires_grad_ retain_grad register_hook __len__ __repr__ __hash__".split()
)
"""Functions that read a tensor's properties, or view its data in another way: their lines are not informative."""
Method = TypeVar("Method", bound=Callable[..., Any])


def _never_raises(method: Method) -> Method:
    """Makes our own failures end the automatic lines, and never the user's script: the method then returns None."""

    @functools.wraps(method)
    def guarded(self: AutomaticLines, *arguments: Any, **options: Any) -> Any:
        try:
            return method(self, *arguments, **options)
        except Exception as error:
            self.give_up(error)
            return None

    return cast(Method, guarded)


class LineCall(NamedTuple):
    """A pending call made by a line."""

    lines: AutomaticLines
    """Those of the calling thread."""
    at: int
    """The position of the call's line among the open ranges."""
    inside: int
    """Where the lines inside begin."""
    depth: int
    """Number of unwatched calls around it."""


class AutomaticLines:
    """On from `begin` to `end`, in one thread, and in those threads in which autograd runs its backward: on a GPU,
    hooks and recomputed modules are called in a thread of autograd's own, while the first one waits."""

    on_failure: Callable[[str], None]
    """Called once with the reason if lines get no more ranges."""

    def __init__(self, is_wanted: bool, paths: SourcePaths, sources: SourceFiles, labels: Labels) -> None:
        self.names = LineNames(paths, sources, labels)
        self.own = OwnCode(paths)
        self._is_wanted = is_wanted and _Range is not None and MAY_MARK
        self._mode = _CallMode(self)
        self._stack = StackLines(self.own, self.names, _Range, self.give_up)
        self.on_failure = lambda _message: None
        self._engine: Any = None
        # How often autograd runs for the thread that has lines, one run inside another, and the lines of the threads in
        # which it does, by thread.
        self._engine_runs = 0
        self._in_engine: dict[int, AutomaticLines] = {}
        self._own_kinds: dict[type, bool] = {}
        self.forget()

    @property
    def is_on(self) -> bool:
        """Whether ranges are opened, in any thread."""
        return self._thread is not None

    @_never_raises
    def begin(self) -> None:
        """Starts opening ranges in this thread."""
        if not self._is_wanted or self._thread is not None:
            return
        self._thread = threading.get_ident()
        self._stack.follow_thread()
        self._depth = 0
        # Dynamo recompiles when a mode is entered, so calls of functions have no lines then.
        self._has_mode = not has_compiled()
        self._hook_engine()
        self._watch()

    @_never_raises
    def end(self) -> None:
        """Stops, and closes the open ranges; another thread's ranges stay open."""
        if self._thread == threading.get_ident():
            self._unwatch()
            self._stack.forget(sys._getframe(1))
        elif not self._is_wanted:
            # Torch restores the mode when the call inside which we failed returns.
            _remove(self._mode)
        self._unhook_engine()
        self._in_engine = {}
        self._thread = None

    @_never_raises
    def forget(self) -> None:
        """Forgets everything: a forked process has its parent's state, but none of its ranges."""
        self._thread: int | None = None
        self._depth = 0
        self._has_mode = False
        self._engine_runs = 0
        self._in_engine = {}
        _remove(self._mode)
        self._unhook_engine()

    @_never_raises
    def step_ends(self) -> None:
        """A step ends: closes all open ranges. Also called before the recording, to find the frame that takes the
        steps."""
        if self._is_wanted and self._thread in (None, threading.get_ident()):
            self._stack.step_ends(sys._getframe(1))

    @_never_raises
    def step_begins(self) -> None:
        """A recorded step begins."""
        if self._thread == threading.get_ident():
            self._stack.step_begins()
            self._depth = 0
            self._watch()

    @_never_raises
    def follow_request(self) -> None:
        """This thread handles a request: its lines get ranges, unless another thread has ranges open."""
        thread = threading.get_ident()
        if self._thread is None or (self._thread != thread and self._stack.height > 0):
            return
        if self._thread != thread:
            self._thread = thread
            self._stack.follow_thread()
            self._depth = 0
        if self._depth == 0:
            self._watch()

    @_never_raises
    def leave_request(self) -> None:
        """The request has been handled: this thread may do something else, or end."""
        if self._thread == threading.get_ident() and self._stack.height == 0:
            self._unwatch()

    def enter(self, watches: bool = False, is_anywhere: bool = False) -> LineCall | None:
        """Begins a call made by a caller of the calling function; returns the handle that ends it, None if it has no
        line.

        Args:
            watches: whether the user's own code is called inside, as by an optimizer with a closure.
            is_anywhere: whether it has a line also inside unwatched calls, such as an optimizer that a hook
                steps during backward.
        """
        lines = self if self._thread == threading.get_ident() else self._of_engine()
        if lines is None or (lines._depth > 0 and not is_anywhere):
            return None
        return lines._enter(sys._getframe(2), watches)

    def _of_engine(self) -> AutomaticLines | None:
        """Returns the lines of this thread if autograd runs in it for the thread that has lines, else None."""
        if self._engine_runs == 0 or self._thread is None or not is_in_backward():
            return None
        thread = threading.get_ident()
        lines = self._in_engine.get(thread)
        if lines is None:
            lines = self._in_engine[thread] = copy.copy(self)
            lines._mode = _CallMode(lines)
            # If they fail, they end alone: only its own thread can close the ranges of the thread that waits.
            lines._stack = StackLines(self.own, self.names, _Range, lines.give_up)
            # As inside of the engine's call in the thread that waits for it.
            lines._thread, lines._depth, lines._engine = thread, 1, None
        return lines if lines._is_wanted else None

    @_never_raises
    def _enter(self, frame: Any, watches: bool) -> LineCall:
        call = LineCall(self, self._stack.enter(frame), self._stack.height, self._depth)
        if not watches:
            self._go_to(1)
        return call

    @_never_raises
    def leave(self, call: LineCall | None) -> None:
        """Ends the call."""
        if call is not None and call.lines._thread == threading.get_ident():
            call.lines._stack.close_from(call.at)
            call.lines._go_to(call.depth)

    def enter_module(self, module: Any) -> LineCall | None:
        """Begins a module call; returns the handle that ends it, None if the call has no line and no lines inside.

        A module whose `forward` is the user's own has lines, even if a library's module calls it.
        """
        lines = self if self._thread == threading.get_ident() else self._of_engine()
        if lines is None or (lines._depth > 0 and self._own_kinds.get(type(module)) is False):
            return None
        is_own = self._is_own(module)
        if lines._depth > 0 and not is_own:
            return None
        return lines._enter_module(is_own, sys._getframe(2))

    @_never_raises
    def _enter_module(self, is_own: bool, frame: Any) -> LineCall:
        call = LineCall(self, self._stack.enter(frame), self._stack.height, self._depth)
        self._go_to(0 if is_own else 1)
        return call

    @_never_raises
    def close_inside(self, call: LineCall | None) -> None:
        """Closes the lines inside a module's range, or a range of the user's own, before the range closes."""
        if call is not None and call.lines._thread == threading.get_ident():
            call.lines._stack.close_from(call.inside)

    @_never_raises
    def _is_own(self, module: Any) -> bool:
        """Returns whether a module's `forward` is watched. Compiled ones are not, because Dynamo would recompile
        them."""
        kind = type(module)
        if kind.__name__ == "OptimizedModule" or getattr(module, "_compiled_call_impl", None) is not None:
            return False
        inner = type(unwrapped_module(module)) if kind.__name__ in WRAPPERS else kind
        is_own = self._own_kinds.get(inner)
        if is_own is None:
            code = unwrapped_code(getattr(inner, "forward", None))
            is_own = code is not None and self.own.has(code)
            # A wrapper without a module says nothing about the next wrapper.
            if inner.__name__ not in WRAPPERS:
                self._own_kinds[inner] = is_own
        return is_own

    def _go_to(self, depth: int) -> None:
        if depth == self._depth:
            return
        self._depth = depth
        if depth == 0:
            self._watch()
        else:
            self._unwatch()

    def range_opens(self) -> LineCall | None:
        """One of the user's own ranges is about to open; returns the handle that closes the lines inside it."""
        lines = self if self._thread == threading.get_ident() else self._of_engine()
        if lines is None or lines._depth > 0:
            return None
        return lines._around(sys._getframe(2))

    @_never_raises
    def _around(self, frame: Any) -> LineCall:
        inside = self._stack.around(frame)
        return LineCall(self, inside, inside, self._depth)

    @_never_raises
    def range_closes(self, call: LineCall | None) -> None:
        """That range is about to close."""
        if call is not None and call.lines._depth == call.depth:
            self.close_inside(call)

    def call(self, func: Any, args: Any, kwargs: Any, frame: Any) -> Any:
        """Calls a function of torch with a range for the calling line."""
        thread = threading.get_ident()
        if self._depth > 0 or self._thread != thread:
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
            if self._thread == thread:
                self._depth = 0
                try:
                    self._stack.close_from(at)
                except Exception as error:
                    self.give_up(error)

    def give_up(self, error: Exception) -> None:
        """Our own code failed: from now on no line has a range; the script and its recording continue."""
        if not self._is_wanted:
            return
        self._is_wanted = False
        self._thread = None
        self._depth = 0
        self.on_failure(f"{type(error).__name__}: {error}")
        try:
            self._stack.close_from(0)
            self._unhook_engine()
            _remove(self._mode)
        except Exception:
            # The remaining hooks do nothing without a thread.
            return

    def _watch(self) -> None:
        if self._has_mode:
            _put_below(self._mode)

    def _unwatch(self) -> None:
        if self._has_mode:
            _remove(self._mode)

    def _hook_engine(self) -> None:
        run: Any = getattr(torch.autograd, ENGINE, None)
        if run is None or self._engine is not None:
            return

        def hooked(*args: Any, **kwargs: Any) -> Any:
            call = self.enter()
            runs = self._engine_runs
            if self._thread == threading.get_ident():
                self._engine_runs = runs + 1
            try:
                return run(*args, **kwargs)
            finally:
                if self._thread == threading.get_ident():
                    self._engine_runs = runs
                self.leave(call)

        self._engine = run, hooked
        setattr(torch.autograd, ENGINE, hooked)

    def _unhook_engine(self) -> None:
        engine, self._engine = getattr(self, "_engine", None), None
        # Another hook may have been installed after ours: it calls ours, which then does nothing.
        if engine is not None and getattr(torch.autograd, ENGINE, None) is engine[1]:
            setattr(torch.autograd, ENGINE, engine[0])


class _CallMode(TorchFunctionMode):
    """Receives every torch function that Python calls."""

    def __init__(self, lines: AutomaticLines) -> None:
        super().__init__()
        self._lines = lines

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        # Attributes and views of a tensor are no work, and ranges that the profiler opens have their own lines.
        name = getattr(func, "__name__", "")
        if name in _NO_WORK or is_profilers(name):
            return func(*args, **(kwargs or {}))
        return self._lines.call(func, args, kwargs or {}, sys._getframe(1))


def _modes() -> list[Any]:
    return [torch._C._get_function_stack_at(at) for at in range(torch._C._len_torch_function_stack())]


def _put_below(mode: Any) -> None:
    """Puts a mode below the script's own modes, which are left from the top."""
    if torch._C._len_torch_function_stack() == 0:
        torch._C._push_on_torch_function_stack(mode)
        return
    modes = _modes()
    if not any(one is mode for one in modes):
        _replace(len(modes), [mode, *modes])


def _remove(mode: Any) -> None:
    count = torch._C._len_torch_function_stack()
    if count <= 1:
        if count == 1 and torch._C._get_function_stack_at(0) is mode:
            torch._C._pop_torch_function_stack()
        return
    modes = _modes()
    if any(one is mode for one in modes):
        _replace(len(modes), [one for one in modes if one is not mode])


def _replace(count: int, modes: list[Any]) -> None:
    for _ in range(count):
        torch._C._pop_torch_function_stack()
    for one in modes:
        torch._C._push_on_torch_function_stack(one)
