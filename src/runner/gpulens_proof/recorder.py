"""The record of one process: begun when the interpreter starts, written when it ends."""

from __future__ import annotations

import atexit
import importlib
import importlib.util
import inspect
import json
import os
import sys
import time
from typing import Any, Callable

from gpulens_runner.after_import import after_import

from .processor_wait import WholeWait
from .request import Request
from .surroundings import Surroundings
from .values import Flattened


def begin() -> None:
    """Records this process, if it belongs to a proof."""
    request = Request.from_environment()
    if request is not None:
        Recorder(request)


class Recorder:
    """Collects the facts about this process."""

    def __init__(self, request: Request) -> None:
        self._request = request
        self._pid = os.getpid()
        self._surroundings = Surroundings(request)
        self._work: Any = None
        self._import_began_ns: int | None = None
        self._import_ns: int | None = None
        self._wait = WholeWait()
        after_import("torch", self._torch_is_there, self._torch_is_coming)
        # Registered before the script's own handlers, so it runs after them.
        atexit.register(self._write)

    def _torch_is_coming(self) -> None:
        self._wait.import_begins()
        self._import_began_ns = time.perf_counter_ns()

    def _torch_is_there(self, _module: Any) -> None:
        if self._import_began_ns is not None:
            self._import_ns = time.perf_counter_ns() - self._import_began_ns
            self._wait.import_ends()
        from .steps import TimedSteps
        from .work import Work

        make = Work if self._request.detail else TimedSteps
        self._work = make(self._request, self._surroundings)

    def _write(self) -> None:
        if os.getpid() != self._pid:
            return
        record: dict[str, Any] = {"pid": self._pid, "python": sys.version.split()[0], "importNs": self._import_ns}
        record["waitedNs"] = self._wait.to_json()
        if self._work is not None:
            record["work"] = self._work.to_json(time.perf_counter_ns())
        if self._request.detail and self._request.same is not None:
            record["same"] = _told(self._request.same, self._request.own[0])
        record["surroundings"] = self._surroundings.to_json()
        path = os.path.join(self._request.folder, f"{self._pid}.json")
        with open(path + ".part", "w", encoding="utf-8") as file:
            json.dump(record, file)
        os.replace(path + ".part", path)


def _told(same: dict[str, str], own: str) -> dict[str, Any] | None:
    """Returns the result of the user's function, or why there is none; None in a process that cannot have it."""
    try:
        function = _function(same, own)
        if function is None:
            return None
        takes = [
            parameter
            for parameter in inspect.signature(function).parameters.values()
            if parameter.default is parameter.empty and parameter.kind in (0, 1)
        ]
        main = sys.modules["__main__"]
        return Flattened(function(vars(main)) if takes else function()).to_json()
    except BaseException as error:  # The user's own code: any exception is part of the result.
        return {"error": f"{type(error).__name__}: {error}"[:500]}


def _function(same: dict[str, str], own: str) -> Callable[..., Any] | None:
    """Returns the function as it is at the base, because a change must not change its own test; None if only the
    change has it.

    `own` is the worktree of this run.
    """
    name, file = same["module"], _file_at_base(same, own)
    script = sys.path[0] if sys.path else ""
    for folder in (os.getcwd(), script):
        if folder not in sys.path:
            sys.path.insert(0, folder)
    if file is not None:
        spec = importlib.util.spec_from_file_location(name, file)
        if spec is None or spec.loader is None:
            return None
        module = importlib.util.module_from_spec(spec)
        sys.modules.setdefault(name, module)
        spec.loader.exec_module(module)
    else:
        module = importlib.import_module(name)
        if os.path.realpath(getattr(module, "__file__", None) or os.sep).startswith(own + os.sep):
            return None
    found: Any = module
    for part in same["name"].split("."):
        found = getattr(found, part)
    return found


def _file_at_base(same: dict[str, str], own: str) -> str | None:
    """Returns the module's file at the base, in the folder of the command or one that this run imports from; None if it
    is installed, or does not exist."""
    for folder in (os.path.join(own, same["subfolder"]), *sys.path):
        full = os.path.realpath(folder)
        if not (full + os.sep).startswith(own + os.sep):
            continue
        path = os.path.join(same["base"], os.path.relpath(full, own), *same["module"].split("."))
        for file in (f"{path}.py", os.path.join(path, "__init__.py")):
            if os.path.isfile(file):
                return os.path.normpath(file)
    return None
