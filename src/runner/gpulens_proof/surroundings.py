"""What a process uses from outside of its run: results of earlier runs, profilers, code of another checkout."""

from __future__ import annotations

import os
import stat
import sys
import time
from typing import Any

from gpulens_runner.after_import import after_import

from .request import Request

_MOST_FILES = 1000
_NO_RESULTS = ("/proc/", "/dev/", "/sys/", "/etc/", "/run/", "/usr/")
_HOMES = (sys.prefix, sys.base_prefix, os.path.dirname(os.__file__))
_INSTALLED = tuple({os.path.realpath(path) + os.sep for path in _HOMES})


class Surroundings:
    """Watches which files are read, and whether a profiler is on."""

    def __init__(self, request: Request) -> None:
        self._request = request
        self._began = time.time()
        self._own_reads: dict[str, None] = {}
        self._outer_reads: dict[str, None] = {}
        self._left_reads: dict[str, None] = {}
        self._profilers: dict[str, None] = {}
        self._is_looking = False
        sys.addaudithook(self._hear)
        after_import("cProfile", self._hook_c_profile)

    def profiler_is_on(self, name: str) -> None:
        """Notes that a profiler runs while this process works."""
        self._profilers[name] = None

    def to_json(self) -> dict[str, Any]:
        """Returns what was seen."""
        return {
            "reads": list(self._own_reads),
            "outerReads": list(self._outer_reads),
            "leftReads": list(self._left_reads),
            "profilers": list(self._profilers),
            "foreignCode": self._foreign_code(),
        }

    def _hear(self, event: str, args: Any) -> None:
        if event == "open":
            if not self._is_looking:
                self._look(args)
        elif event == "sqlite3.connect":
            self._look((args[0], "r", 0))
        elif event in ("sys.setprofile", "sys.settrace"):
            self.profiler_is_on(event)

    def _look(self, args: Any) -> None:
        path, mode, flags = (*args, None, None)[:3]
        if not isinstance(path, (str, bytes)):
            return
        self._is_looking = True
        try:
            full = os.path.realpath(os.fsdecode(path))
            if isinstance(mode, str):
                writes = any(letter in mode for letter in "wax+")
            else:
                writes = bool((flags or 0) & (os.O_WRONLY | os.O_RDWR))
            if not writes:
                self._see(full)
        except (OSError, ValueError):
            pass
        finally:
            self._is_looking = False

    def _see(self, path: str) -> None:
        if path.endswith((".pyc", ".py", ".so")) or path.startswith(_NO_RESULTS + _INSTALLED):
            return
        if any(path == folder or path.startswith(folder + os.sep) for folder in self._request.own):
            _note(self._own_reads, path)
            return
        facts = os.stat(path)
        if not stat.S_ISREG(facts.st_mode):
            return
        # The function that returns what must be the same comes from the base, and may read files beside it.
        base = (self._request.same or {}).get("base")
        if base is None or not path.startswith(base + os.sep):
            _note(self._outer_reads, path)
        if self._request.since <= facts.st_mtime < self._began:
            _note(self._left_reads, path)

    def _hook_c_profile(self, module: Any) -> None:
        real = module.Profile.enable

        def enable(profile: Any, *args: Any, **kwargs: Any) -> Any:
            self.profiler_is_on("cProfile")
            return real(profile, *args, **kwargs)

        module.Profile.enable = enable

    def _foreign_code(self) -> list[str]:
        """Returns files of the user's own checkout that ran as modules, although the commits' files should have run."""
        checkout = self._request.checkout
        if not checkout:
            return []
        found = []
        for module in list(sys.modules.values()):
            path = getattr(module, "__file__", None)
            if not isinstance(path, str) or "site-packages" in path or os.path.dirname(__file__) in path:
                continue
            full = os.path.realpath(path)
            if full.startswith(checkout + os.sep) and not full.startswith(self._request.own):
                found.append(full)
        return found[:10]


def _note(seen: dict[str, None], path: str) -> None:
    if len(seen) < _MOST_FILES:
        seen[path] = None
