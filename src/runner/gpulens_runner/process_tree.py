"""The processes of a run, and their end."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Iterable
from typing import Callable

from .signals import kill, send_signal

GRACE_SECONDS = 10.0
"""How long processes may take, after they were told to end, to begin writing their recordings."""
_LAST_SECONDS = 3.0
"""How long processes that did not end at another signal may take after SIGTERM."""
_WRITING_SECONDS = 120.0
"""How long they may take in total while any of them writes: a trace of gigabytes on a slow share. `process-tree.ts`,
which requests this process to end, waits for it a little longer."""
_POLL_SECONDS = 0.1
_ROUNDS = 20
"""How often to look for new processes that others start while they are being ended."""


def end_run(
    pid: int,
    run: str,
    is_writing: Callable[[], bool],
    number: int = signal.SIGTERM,
    grace_seconds: float = GRACE_SECONDS,
    known: Callable[[], Iterable[int]] = tuple,
) -> None:
    """Ends the command `pid` and every process of the run: first sends the signal `number`, later kills them.

    It kills them after `grace_seconds`, or later while `is_writing` returns that a trace is being written.

    A launcher's workers have their own sessions, and lose their parent when it ends. They are found by their
    environment; if they have overwritten it or the system does not show it, by `known`: living processes that have
    reported that they belong to the run.
    """
    if os.name != "posix":
        # Windows has no such signals, and ends a process tree itself.
        subprocess.run(["taskkill", "/T", "/F", "/PID", str(pid)], capture_output=True)
        return

    def ask(how: int, seconds: float) -> list[int]:
        left = processes_of(pid, run, known())
        for one in left:
            send_signal(one, how)
            # A stopped process would not receive it.
            kill(one, signal.SIGCONT)
        begun = time.monotonic()
        while left and time.monotonic() - begun < (max(_WRITING_SECONDS, seconds) if is_writing() else seconds):
            time.sleep(_POLL_SECONDS)
            left = processes_of(pid, run, known())
        return left

    left = ask(number, grace_seconds)
    if left and number != signal.SIGTERM:
        # A shell makes its background processes ignore Ctrl+C.
        left = ask(signal.SIGTERM, _LAST_SECONDS)
    for _ in range(_ROUNDS):
        if not left:
            return
        for one in left:
            kill(one, signal.SIGKILL)
        time.sleep(_POLL_SECONDS)
        left = processes_of(pid, run, known())


def processes_of(pid: int, run: str, known: Iterable[int] = ()) -> list[int]:
    """Returns the living processes that are `pid` or `known`, are their descendants, or have the run's name; never this
    one."""
    parents = _linux_parents() if os.path.isdir("/proc/self") else _ps_parents()
    own = {pid, *known}
    found = {one for one in parents if one in own or _carries(one, run)}
    size = -1
    while size != len(found):
        size = len(found)
        found.update(one for one, parent in parents.items() if parent in found)
    found.discard(os.getpid())
    return sorted(found)


def is_alive(pid: int) -> bool:
    """Returns whether a process runs; a zombie does not."""
    if os.name == "nt":
        from .windows_process import is_running

        return is_running(pid)
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            return _state_and_parent(file.read())[0] not in ("Z", "X")
    except OSError:
        pass
    if os.path.isdir("/proc/self"):
        return False
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        pass  # Another user's process has the id now.
    return True


def start_of(pid: int) -> str | None:
    """Returns the start time of a process, which distinguishes it from a later one with the same id; None if
    unknown."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            stat = file.read()
        return stat[stat.rindex(b")") + 2 :].split()[19].decode()
    except (OSError, ValueError, IndexError):
        pass
    if os.name != "posix" or os.path.isdir("/proc/self"):
        return None
    told = subprocess.run(["ps", "-o", "lstart=", "-p", str(pid)], capture_output=True, text=True)
    return told.stdout.strip() or None


def _linux_parents() -> dict[int, int]:
    """Returns the parents of all living processes."""
    parents = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                with open(f"/proc/{name}/stat", "rb") as file:
                    state, parent = _state_and_parent(file.read())
            except OSError:
                continue  # It has ended meanwhile.
            if state not in ("Z", "X"):
                parents[int(name)] = parent
    return parents


def _state_and_parent(stat: bytes) -> tuple[str, int]:
    # "17 (a name) S 1 …": the name may contain anything, so fields count from its last bracket.
    state, parent = stat[stat.rindex(b")") + 2 :].split()[:2]
    return state.decode(), int(parent)


def _ps_parents() -> dict[int, int]:
    listed = subprocess.run(["ps", "-A", "-o", "pid=,ppid=,stat="], capture_output=True, text=True)
    rows = [line.split() for line in listed.stdout.splitlines()]
    return {int(row[0]): int(row[1]) for row in rows if len(row) == 3 and not row[2].startswith("Z")}


def _carries(pid: int, run: str) -> bool:
    """Returns whether a process has the run's name in its environment; only Linux shows that."""
    try:
        with open(f"/proc/{pid}/environ", "rb") as file:
            return bool(run) and run.encode() in file.read()
    except OSError:
        return False
