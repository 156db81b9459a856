"""The lines that call code made by torch.compile, according to the stack when Dynamo compiles the code for a call."""

from __future__ import annotations

import os
import sys
from types import CodeType, FrameType
from typing import Any

from .after_import import after_import
from .source_files import SourceFiles
from .source_paths import SourcePaths

_MODULE = "torch._dynamo.callback"
_HANDLER = "CompilationCallbackHandler"
_STARTED = "run_start_callbacks"
"""Dynamo calls it when it begins to compile a frame. Registered callbacks would be lost after a `reset`."""

_WRAPPERS = os.path.join("_dynamo", "eval_frame.py")
"""Contains the functions that replace a compiled function or module, and call it."""

_REGION = "Torch-Compiled Region: "
"""Dynamo's prefix of the range around compiled code, before the numbers of the frame and of its compilation."""

_MOST_CALLS = 20_000
_DEEPEST = 1000


class CompiledCalls:
    """Stores the line of the call for which each region was compiled; a call itself costs nothing."""

    def __init__(self, paths: SourcePaths, sources: SourceFiles) -> None:
        self._paths = paths
        self._sources = sources
        self._own = os.path.join(os.path.dirname(os.path.abspath(__file__)), "")
        self._lines: dict[str, tuple[str, int]] = {}

    def install(self) -> None:
        """Listens to Dynamo, which is imported at the first compilation."""
        after_import(_MODULE, self._hook)

    def to_json(self) -> list[dict[str, Any]]:
        """Returns one entry per region, in the order of compilation."""
        return [
            {"name": _REGION + region, "file": self._paths.relative(file), "line": line}
            for region, (file, line) in list(self._lines.items())
        ]

    def files(self) -> list[str]:
        """Returns the files that have such calls."""
        return list(dict.fromkeys(file for file, _ in list(self._lines.values())))

    def _hook(self, module: Any) -> None:
        handler = getattr(module, _HANDLER, None)
        run = getattr(handler, _STARTED, None)
        if run is None:
            return  # In another version of torch, calls have no lines.

        def started(handler: Any, *args: Any) -> Any:
            try:
                self._note(getattr(args[0], "compile_id", None) if args else None, sys._getframe(1))
            except Exception:
                pass  # Compilation must continue, whatever Dynamo's callbacks look like.
            return run(handler, *args)

        setattr(handler, _STARTED, started)

    def _note(self, region: Any, frame: FrameType | None) -> None:
        if not isinstance(region, str) or len(self._lines) >= _MOST_CALLS:
            return
        place = self._caller(frame)
        if place is not None and region not in self._lines:
            self._sources.see(place[0])
            self._lines[region] = place

    def _caller(self, frame: FrameType | None) -> tuple[str, int] | None:
        """Returns the user's line that called the outermost compiled code on the stack, if there is one.

        Code after a graph break is compiled inside the call, too; so are our hooks, which do nothing there.
        """
        found = None
        is_wanted = False
        for _ in range(_DEEPEST):
            if frame is None:
                break
            path = frame.f_code.co_filename
            if self._paths.is_torch(path):
                if self._is_ours(frame):
                    return None
                is_wanted = is_wanted or path.endswith(_WRAPPERS)
            elif is_wanted and not path.startswith("<") and "site-packages" not in path:
                found = (path, frame.f_lineno)
                is_wanted = False
            frame = frame.f_back
        return found

    def _is_ours(self, frame: FrameType) -> bool:
        """Returns whether this is Dynamo's frame while it compiles our own code."""
        if frame.f_code.co_name != "_compile":
            return False
        code = frame.f_locals.get("code")
        return isinstance(code, CodeType) and code.co_filename.startswith(self._own)
