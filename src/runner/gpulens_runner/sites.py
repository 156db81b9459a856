"""Where ranges are opened: the file and line of every tag that ran."""

from __future__ import annotations

import os
import sys
from types import CodeType, FrameType


class Sites:
    """Counts the (name, file, line) of opened ranges."""

    def __init__(self, root: str, library: str) -> None:
        self._root = os.path.join(os.path.realpath(root), "")
        self._skipped = (os.path.join(library, ""), os.path.join(os.path.dirname(os.path.abspath(__file__)), ""), "<")
        self._counts: dict[tuple[str, str, int], int] = {}
        self._paths: dict[str, str] = {}

    def note(self, name: str) -> None:
        """Counts a range that the calling frame's callers have just opened."""
        place = self._place(sys._getframe(2))
        if place is not None:
            key = (name, *place)
            self._counts[key] = self._counts.get(key, 0) + 1

    def to_json(self) -> list[dict[str, object]]:
        """Returns one entry per site, in the order of first use."""
        return [
            {"name": name, "file": self._relative(file), "line": line, "count": count}
            for (name, file, line), count in self._counts.items()
        ]

    def _place(self, frame: FrameType | None) -> tuple[str, int] | None:
        """Returns file and line of the nearest frame that is neither torch's nor ours."""
        while frame is not None:
            code = frame.f_code
            tagged = _tagged_function(frame)
            if tagged is not None:
                return tagged.co_filename, tagged.co_firstlineno
            if not code.co_filename.startswith(self._skipped) and not _is_contextlib(code):
                return code.co_filename, frame.f_lineno
            frame = frame.f_back
        return None

    def _relative(self, path: str) -> str:
        known = self._paths.get(path)
        if known is None:
            real = os.path.realpath(path)
            known = real[len(self._root) :] if real.startswith(self._root) else real
            known = self._paths[path] = known.replace(os.sep, "/")
        return known


def _is_contextlib(code: CodeType) -> bool:
    return os.path.basename(code.co_filename) in ("contextlib.py", "_contextlib.py")


def _tagged_function(frame: FrameType) -> CodeType | None:
    """Returns the code of the function that a tag decorates, whose first line is that of its first decorator.

    Both contextlib and torch open the range in a wrapper that holds the function as `func`.
    """
    if not _is_contextlib(frame.f_code) or frame.f_code.co_name not in ("inner", "decorate_context"):
        return None
    code = getattr(frame.f_locals.get("func"), "__code__", None)
    return code if isinstance(code, CodeType) else None
