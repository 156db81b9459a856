"""Runs scripts under the runner in processes forked from one that has imported torch.

Importing torch takes most of a short recording. This server imports it once, and hides it: the first `import torch` of
a script goes through the import system, where `sitecustomize` waits to wake the agent, and finds the loaded package. A
run is two processes, as in real use: the supervisor, and the interpreter of the script, which the supervisor starts.
This does not test the start of an interpreter, nor that it frees what torch has loaded when it ends;
`record(..., starts="python")` starts a real one.
"""

from __future__ import annotations

import gc
import importlib.abc
import importlib.machinery
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import types
from typing import Any, NoReturn

_HERE = os.path.dirname(os.path.abspath(__file__))
_RUNNER = os.path.join(os.path.dirname(os.path.dirname(_HERE)), "src", "runner")


class Kept(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """The modules that the server has loaded: a forked process finds them instead of their files."""

    def __init__(self) -> None:
        self._modules: dict[str, types.ModuleType] = {}
        self._with_it: dict[str, dict[str, types.ModuleType]] = {}
        self._members: dict[str, Any] = {}

    def keep(self, name: str) -> None:
        """Imports a package, and stores which modules are imported with it."""
        before = set(sys.modules)
        importlib.import_module(name)
        came = {key: module for key, module in sys.modules.items() if key not in before and _is_installed(key)}
        self._members.update({key: _member_of_parent(key) for key in came})
        self._modules.update(came)
        self._with_it[name] = came

    def hide(self) -> None:
        """Hides these modules, so that they are imported again when they are first requested."""
        for name in self._modules:
            sys.modules.pop(name, None)
        sys.meta_path.insert(0, self)

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> importlib.machinery.ModuleSpec | None:
        """Returns the spec of a kept module, with this as its loader."""
        module = self._modules.get(name)
        if module is None:
            return None
        loader = _Again(module, self._with_it.get(name, {}), self._members)
        return importlib.machinery.ModuleSpec(name, loader, origin=getattr(module, "__file__", None))


class _Again(importlib.abc.Loader):
    """Returns a module that was loaded before, and imports the modules that were imported with it."""

    def __init__(self, module: types.ModuleType, with_it: dict[str, types.ModuleType], members: dict[str, Any]) -> None:
        self._module = module
        self._with_it = with_it
        self._members = members
        self._own = {key: module.__dict__.get(key) for key in ("__spec__", "__loader__")}

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> types.ModuleType:
        """Returns the loaded module."""
        return self._module

    def exec_module(self, module: types.ModuleType) -> None:
        """Runs nothing of the module again; the others' hooks notice each import."""
        module.__dict__.update(self._own)
        for name, other in self._with_it.items():
            parent = name.rpartition(".")[0]
            if parent in self._with_it and not hasattr(self._with_it[parent], "__path__"):
                # Only an extension module itself can have created its parts.
                sys.modules.setdefault(name, other)
            elif name not in sys.modules:
                importlib.import_module(name)
        # An import binds the module in its package, which may since have bound the name to something else.
        for name in self._with_it:
            parent, _, own_name = name.rpartition(".")
            if parent in self._with_it:
                self._with_it[parent].__dict__[own_name] = self._members[name]


def _member_of_parent(name: str) -> Any:
    """Returns the member of a module's package with the module's own name: torch.multiprocessing.spawn is a
    function."""
    parent, _, own_name = name.rpartition(".")
    return getattr(sys.modules.get(parent), own_name, sys.modules[name])


def _is_installed(name: str) -> bool:
    """Parts of an extension module have no file of their own, so their package decides."""
    return "site-packages" in (getattr(sys.modules.get(name.partition(".")[0]), "__file__", None) or "")


class _Begin(BaseException):
    """Removes the supervisor's frames from the process that becomes the script's."""

    def __init__(self, command: list[str], environment: dict[str, str]) -> None:
        self.command = command
        self.environment = environment


class _Forked:
    """The part of `subprocess.Popen` that the supervisor uses, for a script whose process is forked."""

    def __init__(
        self, command: list[str], env: dict[str, str], stdin: int | None, stderr: int, start_new_session: bool
    ) -> None:
        assert (stdin, stderr) == (None, subprocess.PIPE), "A run under a terminal starts an interpreter."
        errors = os.pipe()
        self.pid = os.fork()
        if self.pid == 0:
            if start_new_session:
                os.setsid()
            os.dup2(errors[1], 2)
            os.closerange(3, 256)
            _forget_handlers()
            raise _Begin(command, env)
        os.close(errors[1])
        self.stderr = open(errors[0], "rb", buffering=0)

    def wait(self) -> int:
        """Returns the status, negative if a signal ended the process."""
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])


def _forget_handlers() -> None:
    """Resets signals with handlers, as exec does; ignored signals stay ignored."""
    for number in signal.valid_signals():
        if callable(signal.getsignal(number)):
            signal.signal(number, signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL)


def _popen(command: list[str], **options: Any) -> Any:
    is_script = command[0] == sys.executable and command[1].endswith(".py")
    return _Forked(command, **options) if is_script else subprocess.Popen(command, **options)


def _take_environment(environment: dict[str, str], folder: str) -> None:
    os.environ.clear()
    os.environ.update(environment)
    tempfile.tempdir = None  # The temporary folder is that of TMPDIR at the first request.
    own = [_HERE, *_path_of(_SERVER_PYTHONPATH)]
    sys.path[:] = [folder, *_path_of(environment.get("PYTHONPATH", "")), *(p for p in _SERVER_PATH if p not in own)]


def _path_of(text: str) -> list[str]:
    return [entry for entry in text.split(os.pathsep) if entry]


def _supervise(request: dict[str, Any]) -> NoReturn:
    """Acts as the process of `python src/runner …`."""
    os.chdir(request["cwd"])
    for number, name in ((1, "stdout"), (2, "stderr")):
        file = os.open(request[name], os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        os.dup2(file, number)
        os.close(file)
    _take_environment(request["env"], _RUNNER)
    sys.argv = request["arguments"]
    supervisor = importlib.import_module("gpulens_runner.supervisor")
    supervisor.subprocess = types.SimpleNamespace(PIPE=subprocess.PIPE, Popen=_popen)
    _end(supervisor.main())


def _end(status: int) -> NoReturn:
    """Ends the supervisor without what torch does at the end of an interpreter: a real supervisor has not loaded it."""
    threading._shutdown()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)


def _become_script(command: list[str], environment: dict[str, str]) -> None:
    """Acts as the process of `python train.py …`, from the start of the interpreter on."""
    for name in [name for name in sys.modules if name.partition(".")[0] in ("gpulens_runner", "sitecustomize")]:
        del sys.modules[name]
    script = command[1]
    _take_environment(environment, os.path.dirname(os.path.abspath(script)))
    sys.argv, sys.orig_argv = command[1:], list(command)
    importlib.import_module("sitecustomize")
    main = types.ModuleType("__main__")
    main.__dict__.update(__file__=script, __builtins__=__builtins__, __spec__=None)
    sys.modules["__main__"] = main
    try:
        with open(script, "rb") as file:
            code = compile(file.read(), script, "exec", dont_inherit=True)
        exec(code, main.__dict__)
    except (SystemExit, KeyboardInterrupt):
        raise
    except BaseException as error:
        # The traceback contains only the script's frames.
        trace = error.__traceback__.tb_next if error.__traceback__ else None
        sys.excepthook(type(error), error.with_traceback(trace), trace)
        sys.exit(1)


def _serve() -> dict[str, Any] | None:
    """Answers requests; returns a request in the process that must carry it out, and None at the end."""
    # Requests and answers have files of their own: 0 to 2 belong to the runs.
    asked, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(os.open(os.devnull, os.O_RDWR), 0)
    os.dup2(2, 1)
    answers.write(b"ready\n")
    while line := asked.readline():
        pid = os.fork()
        if pid == 0:
            asked.close()
            answers.close()
            return json.loads(line)
        answers.write(f"{pid}\n".encode())
        status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        answers.write(f"{status}\n".encode())
    return None


_SERVER_PYTHONPATH = os.environ.get("PYTHONPATH", "")
_SERVER_PATH = list(sys.path)

if __name__ == "__main__":
    kept = Kept()
    # The second is imported by torch at a process's first optimizer.
    for package in ("torch", "torch._dynamo"):
        kept.keep(package)
    kept.hide()
    # Otherwise each process would write to all of these objects when it ends, and first copy the memory they are in.
    gc.freeze()
    request = _serve()
    if request is not None:
        try:
            _supervise(request)
        except _Begin as begin:
            begun = begin
        _become_script(begun.command, begun.environment)
