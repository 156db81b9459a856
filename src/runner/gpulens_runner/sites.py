"""Where ranges are opened: the file and line of every tag that ran."""

from __future__ import annotations

import os
import sys
from types import CodeType, FrameType
from typing import Any

from .source_files import SourceFiles

_MOST_DECORATORS = 16


class Sites:
    """Counts the (name, file, line) of opened ranges."""

    def __init__(self, root: str, library: str) -> None:
        self._root = os.path.join(os.path.realpath(root), "")
        self._skipped = (os.path.join(library, ""), os.path.join(os.path.dirname(os.path.abspath(__file__)), ""), "<")
        self._counts: dict[tuple[str, str, int], int] = {}
        self._paths: dict[str, str] = {}
        self._sources = SourceFiles()

    def note(self, name: str) -> None:
        """Counts a range that the calling frame's callers have just opened."""
        place = self._place(sys._getframe(2))
        if place is not None:
            key = (name, *place)
            count = self._counts.get(key, 0)
            if count == 0:
                self._sources.see(place[0])
            self._counts[key] = count + 1

    def to_json(self) -> list[dict[str, Any]]:
        """Returns one entry per site, in the order of first use; `endLine` only where the tagged block is known."""
        # A copy: other threads may go on opening ranges.
        return [
            {"name": name, "file": self._relative(file), "line": line, **self._end(file, line), "count": count}
            for (name, file, line), count in list(self._counts.items())
        ]

    def files_to_json(self) -> list[dict[str, Any]]:
        """Returns what the files that have sites contained when they ran; those that are not known are missing."""
        paths = dict.fromkeys(file for _, file, _ in list(self._counts))
        sources = [(path, self._sources.get(path)) for path in paths]
        return [
            {"file": self._relative(path), "gitBlob": source.git_blob(), "lineCrc32": source.line_checksums()}
            for path, source in sources
            if source is not None
        ]

    def _end(self, file: str, line: int) -> dict[str, int]:
        source = self._sources.get(file)
        end = None if source is None else source.end_of_block(line)
        return {} if end is None else {"endLine": end}

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
    function = frame.f_locals.get("func")
    # Decorators below the tag have wrapped the function first. An object may claim to be wrapped without end.
    for _ in range(_MOST_DECORATORS):
        function = getattr(function, "__wrapped__", function)
    code = getattr(function, "__code__", None)
    return code if isinstance(code, CodeType) else None
