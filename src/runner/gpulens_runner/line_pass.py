"""The line pass: records every call of torch as a range with the line of the user's own code that led to it."""

from __future__ import annotations

import sys
from typing import Any

import torch
from torch.overrides import TorchFunctionMode

from .labels import Labels
from .own_code import OwnCode
from .source_paths import SourcePaths

_Range: Any = getattr(torch._C._profiler, "_RecordFunctionFast", None)
"""A torch without it gets no lines, just as it gets no ranges for modules."""


class LinePass:
    """On from `begin` to `end`, which the same thread calls."""

    def __init__(self, paths: SourcePaths, labels: Labels) -> None:
        self._mode = _LineMode(paths, labels, OwnCode(paths))

    def begin(self) -> None:
        """Starts noting lines."""
        self._mode.__enter__()  # type: ignore[no-untyped-call]

    def end(self) -> None:
        """Ends it. If the script has entered a mode of its own and not left it, ours stays, and does nothing."""
        self._mode.is_on = False
        depth = torch._C._len_torch_function_stack()
        if depth > 0 and torch._C._get_function_stack_at(depth - 1) is self._mode:
            self._mode.__exit__(None, None, None)


class _LineMode(TorchFunctionMode):
    def __init__(self, paths: SourcePaths, labels: Labels, own: OwnCode) -> None:
        super().__init__()
        self.is_on = True
        self._own = own
        self._paths = paths
        self._labels = labels
        self._names: dict[tuple[str, int], str] = {}

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        is_left_out = not self.is_on or _Range is None or is_profilers(getattr(func, "__name__", ""))
        line = None if is_left_out else self._line()
        if line is None:
            return func(*args, **(kwargs or {}))
        with _Range(line):
            return func(*args, **(kwargs or {}))

    def _line(self) -> str | None:
        """Returns the nearest line of the user's own code; None if none of it is on the stack."""
        frame = self._own.nearest(sys._getframe(2))
        if frame is None:
            return None
        key = (frame.f_code.co_filename, frame.f_lineno)
        name = self._names.get(key)
        if name is None:
            name = self._names[key] = self._labels.safe(f"{self._paths.relative(key[0])}:{key[1]}")
        return name


def is_profilers(name: str) -> bool:
    """Returns whether a function of torch with this name only opens or closes a range for the profiler."""
    return "record_function" in name
