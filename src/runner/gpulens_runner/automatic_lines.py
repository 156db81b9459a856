"""Ranges for lines of the user's own code without a tag, while steps are recorded.

A line has a range while it calls a module, a function of torch, `backward`, an optimizer or a data loader, directly or
through the user's own functions. Inside these calls only the `forward` of the user's own modules is watched: modules of
libraries have ranges, and watching the rest would cost more than it is worth.
"""

from __future__ import annotations

import sys
import threading
from typing import Any, Callable

import torch

from .backward import ENGINE, is_in_backward
from .frame_mark import MAY_MARK
from .labels import Labels
from .line_names import LineNames
from .own_code import OwnCode
from .own_modules import OwnModules
from .source_files import SourceFiles
from .source_paths import SourcePaths
from .thread_lines import LineCall, Range, ThreadLines, never_raises


class AutomaticLines:
    """On from `begin` to `end`, in one thread, and in those threads in which autograd runs its backward: on a GPU,
    hooks and recomputed modules are called in a thread of autograd's own, while the first one waits."""

    on_failure: Callable[[str], None]
    """Called with the reason for each thread whose lines get no more ranges."""

    def __init__(self, is_wanted: bool, paths: SourcePaths, sources: SourceFiles, labels: Labels) -> None:
        self.names = LineNames(paths, sources, labels)
        self._own = OwnCode(paths)
        self._modules = OwnModules(self._own)
        self._is_wanted = is_wanted and Range is not None and MAY_MARK
        self.on_failure = lambda _message: None
        self._main = self._lines_of_thread()
        self._engine: Any = None
        # How often autograd runs for the thread that has lines, one run inside another, and the lines of the threads in
        # which it does, by thread.
        self._engine_runs = 0
        self._in_engine: dict[int, ThreadLines] = {}
        self.forget()

    @property
    def is_on(self) -> bool:
        """Whether ranges are opened, in any thread."""
        return self._main.thread is not None

    @never_raises
    def begin(self) -> None:
        """Starts opening ranges in this thread."""
        if not self._is_wanted or self._main.has_failed or self.is_on:
            return
        self._hook_engine()
        self._main.begin()

    @never_raises
    def end(self) -> None:
        """Stops, and closes the open ranges."""
        self._main.end(sys._getframe(1))
        for lines in list(self._in_engine.values()):
            lines.end(None)
        self._unhook_engine()
        self._engine_runs = 0
        self._in_engine = {}

    @never_raises
    def forget(self) -> None:
        """Forgets everything: a forked process has its parent's state, and must not end its ranges later."""
        self._main.forget()
        self._engine_runs = 0
        self._in_engine = {}
        self._unhook_engine()

    @never_raises
    def step_ends(self) -> None:
        """A step ends: closes all open ranges. Also called before the recording, to find the frame that takes the
        steps."""
        main = self._main
        if self._is_wanted and not main.has_failed and main.thread in (None, threading.get_ident()):
            main.step_ends(sys._getframe(1))

    @never_raises
    def step_begins(self) -> None:
        """A recorded step begins."""
        if self._main.thread == threading.get_ident():
            self._main.step_begins()

    @never_raises
    def follow_request(self) -> None:
        """This thread handles a request: its lines get ranges, unless another thread has ranges open."""
        main, thread = self._main, threading.get_ident()
        if main.thread is None or (main.thread != thread and main.is_open):
            return
        if main.thread != thread:
            main.move()
        elif not main.is_inside:
            main.watch()

    @never_raises
    def leave_request(self) -> None:
        """The request has been handled: this thread may do something else, or end."""
        if self._main.thread == threading.get_ident() and not self._main.is_open:
            self._main.unwatch()

    def enter(self, watches: bool = False, is_anywhere: bool = False) -> LineCall | None:
        """Begins a call made by a caller of the calling function; returns the handle that ends it, None if it has no
        line.

        Args:
            watches: whether the user's own code is called inside, as by an optimizer with a closure.
            is_anywhere: whether it has a line also inside unwatched calls, such as an optimizer that a hook
                steps during backward.
        """
        lines = self._here()
        if lines is None or (lines.is_inside and not is_anywhere):
            return None
        return lines.enter(sys._getframe(2), watches)

    def enter_module(self, module: Any) -> LineCall | None:
        """Begins a module call; returns the handle that ends it, None if the call has no line and no lines inside.

        A module whose `forward` is the user's own has lines, even if a library's module calls it.
        """
        lines = self._here()
        if lines is None or (lines.is_inside and self._modules.is_other(module)):
            return None
        return lines.enter_module(module, sys._getframe(2))

    def leave(self, call: LineCall | None) -> None:
        """Ends the call."""
        if call is not None:
            call.lines.leave(call)

    def close_inside(self, call: LineCall | None) -> None:
        """Closes the lines inside a module's range, before the range closes."""
        if call is not None:
            call.lines.close_inside(call)

    def range_opens(self) -> LineCall | None:
        """One of the user's own ranges is about to open; returns the handle that closes the lines inside it."""
        lines = self._here()
        return None if lines is None or lines.is_inside else lines.around(sys._getframe(2))

    def range_closes(self, call: LineCall | None) -> None:
        """That range is about to close."""
        # Inside an unwatched call, the range is not the innermost one.
        if call is not None and not call.lines.is_inside:
            call.lines.close_inside(call)

    def give_up(self, error: Exception) -> None:
        """Our own code failed: no line has a range any more; the script and its recording continue."""
        self._main.give_up(error)

    def _lines_of_thread(self) -> ThreadLines:
        # The lines of a thread end alone if they fail: only their own thread can close their ranges.
        return ThreadLines(self._own, self._modules, self.names, self._tell)

    def _tell(self, error: Exception) -> None:
        self.on_failure(f"{type(error).__name__}: {error}")

    def _here(self) -> ThreadLines | None:
        """Returns the lines of this thread: it is the one that has lines, or autograd runs in it for that one. Returns
        None for any other thread."""
        thread = threading.get_ident()
        if self._main.thread == thread:
            return self._main
        if self._engine_runs == 0 or not self.is_on or not is_in_backward():
            return None
        lines = self._in_engine.get(thread)
        if lines is None:
            lines = self._in_engine[thread] = self._lines_of_thread()
            # As inside of the engine's call in the thread that waits for it. What has compiled meanwhile counts.
            lines.begin(is_inside=True)
        return None if lines.has_failed else lines

    def _hook_engine(self) -> None:
        run: Any = getattr(torch.autograd, ENGINE, None)
        if run is None or self._engine is not None:
            return

        def hooked(*args: Any, **kwargs: Any) -> Any:
            call = self.enter()
            runs = self._engine_runs
            if self._main.thread == threading.get_ident():
                self._engine_runs = runs + 1
            try:
                return run(*args, **kwargs)
            finally:
                if self._main.thread == threading.get_ident():
                    self._engine_runs = runs
                self.leave(call)

        self._engine = run, hooked
        setattr(torch.autograd, ENGINE, hooked)

    def _unhook_engine(self) -> None:
        engine, self._engine = self._engine, None
        # Another hook may have been installed after ours: it calls ours, which then does nothing.
        if engine is not None and getattr(torch.autograd, ENGINE, None) is engine[1]:
            setattr(torch.autograd, ENGINE, engine[0])
