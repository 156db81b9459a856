"""Signals to other processes."""

from __future__ import annotations

import os
import platform
import sys

try:
    import ctypes
except ImportError:
    ctypes = None  # type: ignore[assignment] # Python may be built without it.

_TGKILL = {"x86_64": 234, "aarch64": 131, "ppc64le": 250}
"""The number of Linux's system call `tgkill` on 64-bit machines."""


def send_signal(pid: int, number: int) -> None:
    """Sends a signal that Python may handle to a process, if it still runs.

    Python calls handlers in the main thread, so the signal goes to that thread. Sent to the process, it could be taken
    by another thread, such as one that is just being created; then a main thread in `time.sleep` would call its handler
    only when the sleep is over. Where the main thread blocks the signal, for example in a program with a thread that
    calls `sigwait`, it goes to the process.
    """
    if not (_main_thread_takes(pid, number) and _send_to_thread(pid, number)):
        kill(pid, number)


def kill(pid: int, number: int) -> None:
    """Sends a signal that the system handles to a process, if it still runs."""
    try:
        os.kill(pid, number)
    except OSError:
        pass  # It has ended meanwhile.


def _main_thread_takes(pid: int, number: int) -> bool:
    """Returns whether the main thread of a process runs, and does not block a signal; False if unknown."""
    try:
        with open(f"/proc/{pid}/status", encoding="utf-8", errors="replace") as file:
            fields = dict(line.split(":", 1) for line in file)
        return not fields["State"].strip().startswith("Z") and not int(fields["SigBlk"], 16) >> (number - 1) & 1
    except (OSError, KeyError, ValueError):
        return False


def _send_to_thread(pid: int, number: int) -> bool:
    """Sends a signal to the main thread of a process, whose id is the process's; returns False if it cannot.

    Python has no function for threads of other processes, and older C libraries have none for the system call.
    """
    call = _TGKILL.get(platform.machine())
    if call is None or ctypes is None or sys.maxsize < 2**32:
        return False
    try:
        return ctypes.CDLL(None).syscall(call, pid, pid, number) == 0
    except (AttributeError, OSError):
        return False  # Python may be linked statically.
