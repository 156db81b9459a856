"""Names of the ranges of automatic lines, and their entries in the sidecar."""

from __future__ import annotations

from types import CodeType
from typing import Any

from .labels import Labels
from .source_files import SourceFiles
from .source_paths import SourcePaths


class LineNames:
    """Names lines `train.py:12`, and records which were used: lines that call, functions and loops."""

    def __init__(self, paths: SourcePaths, sources: SourceFiles, labels: Labels) -> None:
        self._paths = paths
        self._sources = sources
        self._labels = labels
        # By the code's id, because hashing a code object reads all of its instructions each time. The code is kept
        # alive for that.
        self._names: dict[tuple[int, int, str], str] = {}
        self._codes: dict[int, CodeType] = {}
        self._used: dict[str, dict[str, Any]] = {}
        self._files: dict[str, None] = {}

    def of(self, code: CodeType, line: int, kind: str) -> str:
        """Returns the name of the range for a line of a file, and notes its kind: `line`, `function` or `loop`."""
        key = (id(code), line, kind)
        name = self._names.get(key)
        if name is None:
            self._codes[id(code)] = code
            name = self._names[key] = self._note(code, line, kind)
        return name

    def loop_around(self, code: CodeType, line: int) -> int | None:
        """Returns the line of the innermost loop of a function around a line; None outside of loops."""
        self._sources.see(code.co_filename)
        source = self._sources.get(code.co_filename)
        loop = None if source is None else source.loop_of(line)
        # A loop further up contains the function's definition, not its lines.
        return loop if loop is not None and loop >= code.co_firstlineno else None

    def to_json(self) -> list[dict[str, Any]]:
        """Returns one entry per name, in the order of first use."""
        return list(self._used.values())

    def files(self) -> list[str]:
        """Returns the files that have such lines."""
        return list(self._files)

    def _note(self, code: CodeType, line: int, kind: str) -> str:
        path = code.co_filename
        file = self._paths.relative(path)
        name = f"{file}:{line}"
        if name not in self._used or kind == "loop":
            self._sources.see(path)
            self._files[path] = None
            function = {} if code.co_name == "<module>" else {"function": code.co_name}
            self._used[name] = {"name": name, "kind": kind, "file": file, "line": line, **function}
        return self._labels.safe(name)
