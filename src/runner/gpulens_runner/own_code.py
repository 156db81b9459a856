"""Determines which code is the user's own, and not a library's or the runner's."""

from __future__ import annotations

import os
import re
import sys
import sysconfig
from types import CodeType, FrameType

from .source_paths import SourcePaths

RUNNER_FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "")
"""The folder of the recorder itself, with a slash."""
_LIBRARY = re.compile(r"[/\\](?:site|dist)-packages[/\\]")
_CELL = re.compile(r"[/\\]ipykernel_\d+[/\\]\d+\.py$|^<ipython-input-")


class OwnCode:
    """Distinguishes frames of the user's own files from those of libraries.

    A file is the user's own if it is a notebook cell, or is below the workspace or the script's folder, outside of
    installed packages and Python's standard library.
    """

    def __init__(self, paths: SourcePaths) -> None:
        self._paths = paths
        self._known: dict[str, bool] = {}
        self._script_folder: str | None = None
        library = sysconfig.get_paths()
        self._python = tuple({os.path.join(library[key], "") for key in ("stdlib", "platstdlib")})

    def has(self, code: CodeType) -> bool:
        """Returns whether code is in one of the user's own files."""
        path = code.co_filename
        known = self._known.get(path)
        if known is None:
            known = self._known[path] = self._is_own(path)
        return known

    def nearest(self, frame: FrameType | None) -> FrameType | None:
        """Returns the innermost of the user's own frames, from `frame` outwards; None if there is none."""
        while frame is not None and not self.has(frame.f_code):
            frame = frame.f_back
        return frame

    def _is_own(self, path: str) -> bool:
        if is_cell(path):
            return True
        if path.startswith(("<", RUNNER_FOLDER)) or self._paths.is_torch(path):
            return False
        real = os.path.realpath(path)
        if _LIBRARY.search(path) or _LIBRARY.search(real) or path.startswith(self._python):
            return False
        return self._paths.is_inside(path) or real.startswith(self._folder_of_script())

    def _folder_of_script(self) -> str:
        """Returns the folder of the program's file with a slash; the working folder for a program that was typed."""
        if self._script_folder is None:
            path = getattr(sys.modules.get("__main__"), "__file__", None)
            is_library = isinstance(path, str) and (_LIBRARY.search(path) or path.startswith(self._python))
            folder = os.path.dirname(os.path.abspath(path)) if isinstance(path, str) and not is_library else os.getcwd()
            self._script_folder = os.path.join(os.path.realpath(folder), "")
        return self._script_folder


def is_cell(path: str) -> bool:
    """Returns whether a path is the made-up path of a notebook cell."""
    return _CELL.search(path) is not None
