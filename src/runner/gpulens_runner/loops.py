"""The loops in which steps were seen: the kind of each step, its model, and the line of its loop."""

from __future__ import annotations

import dataclasses
import sys
from types import FrameType
from typing import Any

from .loop_of_frame import loop_of_frame
from .own_code import RUNNER_FOLDER, OwnCode
from .source_files import SourceFiles
from .source_paths import SourcePaths
from .unwrapped import unwrapped_module
from .whole_calls import WholeCall

_MOST_LOOPS = 200
_MOST_NAMES = 2


@dataclasses.dataclass
class Loop:
    """Steps of one kind at one place."""

    what: str
    file: str | None
    line: int | None
    """Of the innermost loop around the step; the step's own line if none of the user's loops is around it."""
    step_line: int | None
    """The line of the user's own file on which the step ended."""
    count: int = 0
    models: list[str] = dataclasses.field(default_factory=list)
    """Classes of the outermost modules called in the last step."""
    calls: int | None = None
    """Number of calls of the model in the last step, if it called only one model."""
    unit: str | None = None
    """What a step with several calls of a model is: `request`, or the name of the function that makes the calls."""
    is_more: bool = False
    """Whether counting was paused at some time since the first step."""

    def is_at(self, file: str, line: int) -> bool:
        """Returns whether a user's file (or the end of its path) and line mean this loop."""
        own = self.file or ""
        return (own == file or own.endswith("/" + file)) and line in (self.line, self.step_line)

    def to_json(self) -> dict[str, Any]:
        """Returns its form in messages."""
        return {**dataclasses.asdict(self), "of": " and ".join(self.models) or None}


class Loops:
    """Counts steps by their kind and place, while hooks report them."""

    def __init__(self, paths: SourcePaths, sources: SourceFiles) -> None:
        self._paths = paths
        self._sources = sources
        self._own = OwnCode(paths)
        self.forget()

    def forget(self) -> None:
        """Starts again, in a forked child."""
        self._loops: dict[tuple[str, str | None, str, int, str | None, int | None], Loop] = {}
        # By the module: of a step, and of a whole call around such steps.
        self._calls: dict[int, tuple[int, str]] = {}
        self._calls_of_whole: dict[int, tuple[int, str]] = {}

    def calls(self, module: Any) -> None:
        """Counts a call of an outermost module in the current step."""
        for calls in (self._calls, self._calls_of_whole):
            known = calls.get(id(module))
            if known is not None:
                calls[id(module)] = (known[0] + 1, known[1])
            elif len(calls) < _MOST_LOOPS:
                calls[id(module)] = (1, type(unwrapped_module(module)).__name__)

    def step_ends(self, what: str, call: WholeCall | None = None) -> Loop:
        """Counts a step that ends in the calling thread; returns its loop."""
        frame = self._own_frame(sys._getframe(1))
        path, step_line = ("", 0) if frame is None else (frame.f_code.co_filename, frame.f_lineno)
        if call is not None and call.is_request:
            # A server is around a request, so no line of the user's own is informative.
            path, step_line = call.code.co_filename, call.code.co_firstlineno
            file, line = None, step_line
        else:
            # Several loops may call the function that takes the step.
            file, line = self._loop_of(frame)
        unit = None if call is None else call.unit
        key = (what, unit, path, step_line, file, line)
        loop = self._loops.get(key)
        if loop is None:
            file = file or (self._paths.relative(path) if path else None)
            loop = Loop(what, file, line, step_line or None, unit=unit)
            if len(self._loops) < _MOST_LOOPS:
                self._loops[key] = loop
        loop.count += 1
        calls = self._calls if call is None else self._calls_of_whole
        if calls:
            loop.models = list(dict.fromkeys(name for _, name in calls.values()))[:_MOST_NAMES]
            loop.calls = next(iter(calls.values()))[0] if len(calls) == 1 else None
            calls.clear()
        return loop

    def pause(self) -> None:
        """From now on, hooks do not report every step: the counts are lower bounds."""
        for loop in list(self._loops.values()):
            loop.is_more = loop.is_more or loop.what != "train"

    def to_json(self) -> list[dict[str, Any]]:
        """Returns all loops, in the order of their first steps."""
        return [loop.to_json() for loop in list(self._loops.values())]

    def _own_frame(self, frame: FrameType | None) -> FrameType | None:
        """Returns the innermost frame of the user's own files; without one, the innermost frame outside of torch."""
        own = self._own.nearest(frame)
        while own is None and frame is not None:
            path = frame.f_code.co_filename
            if not path.startswith((RUNNER_FOLDER, "<")) and not self._paths.is_torch(path):
                return frame
            frame = frame.f_back
        return own

    def _loop_of(self, frame: FrameType | None) -> tuple[str | None, int | None]:
        """Returns the file and line of the user's innermost loop around a frame; else the frame's line."""
        if frame is None:
            return None, None
        outer: FrameType | None = frame
        while outer is not None:
            if self._own.has(outer.f_code):
                path = outer.f_code.co_filename
                self._sources.see(path)
                line = loop_of_frame(outer, self._sources.get(path))
                if line is not None:
                    return self._paths.relative(path), line
            outer = outer.f_back
        return None, frame.f_lineno
