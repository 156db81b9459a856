"""Where ranges are opened: the file and line of every tag that ran."""

from __future__ import annotations

import os
import sys
from types import CodeType, FrameType
from typing import Any

from .source_files import SourceFiles
from .source_paths import SourcePaths
from .unwrapped import unwrapped_code


class Sites:
    """Counts the (name, file, line) of opened ranges."""

    def __init__(self, paths: SourcePaths, sources: SourceFiles) -> None:
        self._paths = paths
        self._sources = sources
        self._own = os.path.join(os.path.dirname(os.path.abspath(__file__)), "")
        self._counts: dict[tuple[str, str, int], int] = {}

    def note(self, name: str) -> None:
        """Counts a range that a caller of the calling function has just opened."""
        place = self._place(sys._getframe(2))
        if place is not None:
            key = (name, *place)
            count = self._counts.get(key, 0)
            if count == 0:
                self._sources.see(place[0])
            self._counts[key] = count + 1

    def to_json(self) -> list[dict[str, Any]]:
        """Returns one entry per site, in the order of first use; `endLine` only where the tagged block is known."""
        # A copy, because other threads may open ranges meanwhile.
        return [
            {"name": name, "file": self._paths.relative(file), "line": line, **self._end(file, line), "count": count}
            for (name, file, line), count in list(self._counts.items())
        ]

    def files(self) -> list[str]:
        """Returns the files that have sites."""
        return list(dict.fromkeys(file for _, file, _ in list(self._counts)))

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
            if not self._is_skipped(code.co_filename) and not _is_contextlib(code):
                return code.co_filename, frame.f_lineno
            frame = frame.f_back
        return None

    def _is_skipped(self, path: str) -> bool:
        # The IPython shell uses such names for cells; a kernel makes up files.
        is_made_up = path.startswith("<") and not path.startswith("<ipython-input-")
        return is_made_up or path.startswith(self._own) or self._paths.is_torch(path)


def _is_contextlib(code: CodeType) -> bool:
    return os.path.basename(code.co_filename) in ("contextlib.py", "_contextlib.py")


def _tagged_function(frame: FrameType) -> CodeType | None:
    """Returns the code of the function that a tag decorates; its first line is that of its first decorator.

    Both contextlib and torch open the range in a wrapper that holds the function as `func`.
    """
    if not _is_contextlib(frame.f_code) or frame.f_code.co_name not in ("inner", "decorate_context"):
        return None
    return unwrapped_code(frame.f_locals.get("func"))
