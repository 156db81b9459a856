"""Runs scripts in a fork server (see `fork_server.py`) that this process starts when it first needs one."""

from __future__ import annotations

import atexit
import functools
import json
import os
import pathlib
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence

SERVER = pathlib.Path(__file__).parent / "fork_server.py"


def can_fork(environment: Mapping[str, str]) -> bool:
    """Returns whether a run may be forked: an interpreter, and torch, read some variables only at their start."""
    return os.name == "posix" and not any(name.startswith(("PYTHON", "TORCH")) for name in environment)


def run_forked(
    arguments: Sequence[str], cwd: pathlib.Path, env: Mapping[str, str], home: pathlib.Path, seconds: float
) -> subprocess.CompletedProcess[str]:
    """Runs `python src/runner` with arguments; its output goes through files in `home`.

    Raises `subprocess.TimeoutExpired` after this many seconds, once the run has been ended.
    """
    server = _server()
    files = {name: home / name for name in ("stdout", "stderr")}
    request = {
        "arguments": list(arguments),
        "cwd": str(cwd),
        "env": dict(env),
        **{name: str(path) for name, path in files.items()},
    }
    assert server.stdin is not None and server.stdout is not None
    server.stdin.write(json.dumps(request) + "\n")
    server.stdin.flush()
    pid = int(server.stdout.readline())
    ended: list[int] = []

    def end() -> None:
        ended.append(pid)
        os.kill(pid, signal.SIGTERM)

    timer = threading.Timer(seconds, end)
    timer.start()
    status = int(server.stdout.readline())
    timer.cancel()
    output = {name: path.read_text(encoding="utf-8") for name, path in files.items()}
    if ended:
        raise subprocess.TimeoutExpired(list(arguments), seconds, output["stdout"], output["stderr"])
    return subprocess.CompletedProcess(list(arguments), status, output["stdout"], output["stderr"])


@functools.cache
def _server() -> subprocess.Popen[str]:
    server = subprocess.Popen(
        [sys.executable, str(SERVER)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
    )
    assert server.stdin is not None and server.stdout is not None
    # It ends when no more requests can come.
    atexit.register(server.communicate)
    if server.stdout.readline() != "ready\n":
        raise RuntimeError("The fork server did not start; its message is above.")
    return server
