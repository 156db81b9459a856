"""Ranges for the user's own frames on a thread's stack: the calling lines, and the called functions."""

from __future__ import annotations

import inspect
import sys
import threading
from collections.abc import Iterator
from types import CodeType, FrameType
from typing import Any, Callable

from .frame_mark import FrameMark, mark_of, unmark_line
from .line_names import LineNames
from .own_code import OwnCode
from .recorded_ranges import close_range

_FUNCTION = 0
"""In place of a line: represents a frame's function."""
_CALLED = -1
"""In place of a line: represents a library call made by a line. It has no range, and ends with the line's."""
_DEEPEST = 1000
_RESUMES = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR
"""Frames of such code may resume below another caller."""

_Level = "tuple[int, int, CodeType, str]"
"""A frame's serial, its line or _FUNCTION, its code and the kind of level."""


class StackLines:
    """Ranges that mirror the stack of one thread, outermost first; unchanged ones stay open."""

    def __init__(
        self, own: OwnCode, names: LineNames, make_range: Callable[[str], Any], failed: Callable[[Exception], None]
    ) -> None:
        self._own = own
        self._names = names
        self._make_range = make_range
        self._failed = failed
        self._thread = threading.get_ident()
        # For each open level: the frame's serial, its line or _FUNCTION, its range and its name. The range is None if
        # one of the same name is already open.
        self._open: list[tuple[int, int, Any, str]] = []
        self._open_names: set[str] = set()
        self._base: list[_Level] = []
        self._holder = 0

    @property
    def height(self) -> int:
        """Number of open levels."""
        return len(self._open)

    def enter(self, frame: FrameType | None) -> int:
        """Opens the ranges of the user's frames from `frame` outwards; returns the position that closes the innermost
        one.

        A line that has called a library stays open until the library returns, because the library may call torch again.
        """
        open_at = self._enter_open(frame)
        if open_at is not None:
            return open_at
        wanted = self._wanted(frame)
        at = self._close_others(wanted)
        for level in wanted[at:]:
            self._push(*level)
        is_line = not wanted or wanted[-1][1] != _CALLED
        return max(at, len(wanted) - is_line)

    def enter_line(self, frame: FrameType) -> int:
        """Does the same, and faster if the innermost open level is the function of `frame`, or the loop in it: the case
        of most calls after a function's first one."""
        own = frame.f_back if frame.f_trace is None and _is_unnamed(frame.f_code) else frame
        opened = self._open
        if own is None or not opened:
            return self.enter(frame)
        mark, line = own.f_trace, own.f_lineno or own.f_code.co_firstlineno
        serial, innermost, _, _ = opened[-1]
        if not isinstance(mark, FrameMark) or mark.serial != serial or own.f_code.co_flags & _RESUMES:
            return self.enter(frame)
        if not self._is_below(serial, line, innermost, len(opened) - 1):
            return self.enter(frame)
        self._push(serial, line, own.f_code, "line")
        return len(opened) - 1

    def _is_below(self, serial: int, line: int, level: int, at: int) -> bool:
        """Returns whether a line of a frame belongs directly below a level of the same frame at a position: below its
        function, or below the loop in it."""
        if serial != self._holder:
            return level == _FUNCTION
        base = self._base
        if base and base[-1][1] == line:
            return False
        return level == _FUNCTION or at == len(base) - 1

    def _enter_open(self, frame: FrameType | None) -> int | None:
        """Does the same if the function of the innermost user frame with a mark, or the loop in it, is open: everything
        around it is then unchanged, and frames inside it are new. Returns None if it is not open: then the whole stack
        must be checked."""
        own = self._own
        called: FrameType | None = None
        new: list[tuple[FrameType, FrameType | None]] | None = None
        while frame is not None:
            code = frame.f_code
            if not own.has(code):
                if not _is_unnamed(code):
                    called = frame
            elif not _is_unnamed(code):
                if code.co_flags & _RESUMES:
                    return None
                mark = frame.f_trace
                if isinstance(mark, FrameMark):
                    break
                if mark is not None or sys.gettrace() is not None:
                    return None
                new = new or []
                new.append((frame, called))
                called = None
            frame = frame.f_back
        else:
            return None
        serial, line, opened = mark.serial, frame.f_lineno or frame.f_code.co_firstlineno, self._open
        at = len(opened) - 1
        while at >= 0 and (opened[at][0] != serial or opened[at][1] == line):
            at -= 1
        # If the function itself is not open, the entry found is another line of it.
        base = len(self._base) - 1
        while at > base and opened[at][1] != _FUNCTION and opened[at - 1][0] == serial:
            at -= 1
        if at < 0 or not self._is_below(serial, line, opened[at][1], at):
            return None
        at += 1
        is_new = len(opened) <= at or opened[at][0] != serial or opened[at][1] != line
        if is_new:
            self.close_from(at)
            self._push(serial, line, frame.f_code, "line")
        if called is not None:
            inner = self._serial(called)
            if len(opened) <= at + 1 or opened[at + 1][0] != inner:
                self.close_from(at + 1)
                self._push(inner, _CALLED, called.f_code, "called")
            else:
                self.close_from(at + 2)
        else:
            self.close_from(at + 1)
        if new is not None:
            return self._enter_new(new)
        return at if called is None and is_new else len(opened)

    def _enter_new(self, frames: list[tuple[FrameType, FrameType | None]]) -> int:
        """Opens the ranges of frames without one, given innermost first with the library frames that they called."""
        for frame, called in reversed(frames):
            for level in self._levels(frame):
                self._push(*level)
            if called is not None:
                self._push(self._serial(called), _CALLED, called.f_code, "called")
        is_line = frames[0][1] is None
        return len(self._open) - is_line

    def close_from(self, at: int) -> None:
        """Closes the ranges from a position of the stack inwards."""
        opened = self._open
        while len(opened) > at:
            _, _, entry, name = opened.pop()
            if entry is not None:
                self._open_names.discard(name)
                close_range(entry)

    def around(self, frame: FrameType | None) -> int:
        """Opens the ranges around the innermost line; returns the position that closes ranges opened from now on."""
        wanted = self._wanted(frame)
        # The line that opens the range does not continue inside it.
        while len(wanted) > len(self._base) and wanted[-1][1] != _FUNCTION:
            wanted.pop()
        at = self._close_others(wanted)
        for serial, line, code, kind in wanted[at:]:
            self._push(serial, line, code, kind)
        return len(wanted)

    def follow_thread(self) -> None:
        """Follows returns of functions in this thread."""
        self._thread = threading.get_ident()

    def step_ends(self, frame: FrameType | None) -> None:
        """A step ends: closes all ranges, and finds the frame that takes the steps: it existed when the last one
        ended."""
        self.close_from(0)
        frames = list(_frames(frame))
        steps = [self._steps_of(frame) for frame in frames]
        held = next((at for at, count in enumerate(steps) if count > 0), None)
        self._base, self._holder = [], 0
        if held is not None:
            self._hold(frames[held:])
        for one in frames:
            mark = self._mark(one)
            if mark is not None:
                mark.steps += 1

    def step_begins(self) -> None:
        """A step begins: opens the functions that contain it, and the line of its loop."""
        for serial, line, code, kind in self._base:
            self._push(serial, line, code, kind)

    def forget(self, frame: FrameType | None) -> None:
        """Closes all ranges, and removes the marks from running frames."""
        self.close_from(0)
        self._base, self._holder = [], 0
        for one in _frames(frame):
            unmark_line(one)

    def abandon(self) -> None:
        """Closes all ranges, from another thread than theirs."""
        opened, self._open = self._open, []
        self._open_names = set()
        self._base, self._holder = [], 0
        for _, _, entry, _ in reversed(opened):
            if entry is not None:
                close_range(entry)

    def _hold(self, frames: list[FrameType]) -> None:
        """Stores the frames that contain the steps: the innermost one has the loop, whether it is the user's own or
        not."""
        own = [frame for frame in frames if self._own.has(frame.f_code) and not _is_unnamed(frame.f_code)]
        if not own:
            return
        base = [entry for frame in reversed(own[1:]) for entry in self._levels(frame)]
        holder = own[0]
        code, serial = holder.f_code, self._serial(holder)
        base.extend(self._levels(holder)[:-1])
        loop = self._names.loop_around(code, holder.f_lineno) if holder is frames[0] else None
        if loop is not None:
            base.append((serial, loop, code, "loop"))
        elif holder is not frames[0]:
            base.append((serial, holder.f_lineno, code, "line"))
        self._base, self._holder = base, serial

    def _wanted(self, frame: FrameType | None) -> list[_Level]:
        """Returns the levels of the stack, outermost first."""
        inner: list[list[_Level]] = []
        own = self._own
        called: FrameType | None = None
        for _ in range(_DEEPEST):
            if frame is None:
                break
            if own.has(frame.f_code) and not _is_unnamed(frame.f_code):
                levels = self._levels(frame)
                line = levels[-1]
                if called is not None:
                    levels.append((self._serial(called), _CALLED, called.f_code, "called"))
                if line[0] == self._holder:
                    is_base = bool(self._base) and self._base[-1][:2] == line[:2]
                    held = levels[levels.index(line) + is_base :]
                    return [*self._base, *held, *(entry for one in reversed(inner) for entry in one)]
                inner.append(levels)
                called = None
            elif not _is_unnamed(frame.f_code):
                called = frame
            frame = frame.f_back
        return [entry for one in reversed(inner) for entry in one]

    def _levels(self, frame: FrameType) -> list[_Level]:
        code, serial = frame.f_code, self._serial(frame)
        line = (serial, frame.f_lineno or code.co_firstlineno, code, "line")
        return [line] if code.co_name == "<module>" else [(serial, _FUNCTION, code, "function"), line]

    def _close_others(self, wanted: list[_Level]) -> int:
        """Closes unwanted levels; returns how many of the wanted levels are open."""
        at = 0
        for opened, one in zip(self._open, wanted):
            if opened[0] != one[0] or opened[1] != one[1]:
                break
            at += 1
        self.close_from(at)
        return at

    def _push(self, serial: int, line: int, code: CodeType, kind: str) -> None:
        if line == _CALLED:
            self._open.append((serial, line, None, ""))
            return
        opened = self._open
        name = self._names.of(code, line if line != _FUNCTION else code.co_firstlineno, kind)
        entry = None
        if name not in self._open_names:
            self._open_names.add(name)
            entry = self._make_range(name)
            entry.__enter__()
        opened.append((serial, line, entry, name))

    def _frame_ended(self, serial: int) -> None:
        """A function has returned: closes it, its callees, and the line that called it."""
        # Python prints exceptions raised in a `__del__`.
        try:
            self._close_frame(serial)
        except Exception as error:
            self._failed(error)

    def _close_frame(self, serial: int) -> None:
        if threading.get_ident() != self._thread:
            return
        at = len(self._open) - 1
        while at >= 0 and self._open[at][0] != serial:
            at -= 1
        if at < 0:
            return
        while at > 0 and self._open[at - 1][0] == serial:
            at -= 1
        is_called = at > len(self._base) and self._open[at - 1][1] > _FUNCTION
        self.close_from(at - 1 if is_called else at)

    def _serial(self, frame: FrameType) -> int:
        mark = self._mark(frame)
        return mark.serial if mark is not None else -id(frame)

    def _steps_of(self, frame: FrameType) -> int:
        mark = frame.f_trace
        return mark.steps if isinstance(mark, FrameMark) else 0

    def _mark(self, frame: FrameType) -> FrameMark | None:
        """Returns the mark of a frame; None if a debugger traces it."""
        mark = mark_of(frame)
        if mark is not None and mark.line_ended is None:
            mark.line_ended = self._frame_ended
        return mark


def _frames(frame: FrameType | None) -> Iterator[FrameType]:
    for _ in range(_DEEPEST):
        if frame is None:
            return
        yield frame
        frame = frame.f_back


def _is_unnamed(code: CodeType) -> bool:
    """Returns whether code is a comprehension or a lambda, whose line is that of the enclosing statement."""
    return code.co_name.startswith("<") and code.co_name != "<module>"
