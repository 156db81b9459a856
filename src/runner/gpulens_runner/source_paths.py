"""Paths of source files as written in the sidecar."""

from __future__ import annotations

import os


class SourcePaths:
    """Makes paths of files inside the workspace relative to it."""

    def __init__(self, root: str, torch: str) -> None:
        self._root = os.path.join(os.path.realpath(root), "")
        self._torch = os.path.join(torch, "")
        self._known: dict[str, str] = {}

    def is_torch(self, path: str) -> bool:
        """Returns whether a file is one of torch's own."""
        return path.startswith(self._torch)

    def is_inside(self, path: str) -> bool:
        """Returns whether a file is in the workspace."""
        return os.path.realpath(path).startswith(self._root)

    def relative(self, path: str) -> str:
        """Returns the path relative to the workspace, with slashes; the whole path for a file outside."""
        known = self._known.get(path)
        if known is None:
            real = os.path.realpath(path)
            known = real[len(self._root) :] if real.startswith(self._root) else real
            known = self._known[path] = known.replace(os.sep, "/")
        return known
