"""Ends a command with all the processes that it started."""

from __future__ import annotations

import os
import signal
import threading
import time
from typing import Any

_GRACE_SECONDS = 10.0
"""How long the command has, after it was told to end, to write what it recorded."""


def stop_on_signals(pid: int) -> None:
    """Passes the wish to end on to the whole process group of `pid`, and insists after a while."""

    def insist() -> None:
        time.sleep(_GRACE_SECONDS)
        _signal_group(pid, getattr(signal, "SIGKILL", signal.SIGTERM))

    def stop(_number: int, _frame: Any) -> None:
        _signal_group(pid, signal.SIGTERM)
        threading.Thread(target=insist, daemon=True).start()

    for name in ("SIGTERM", "SIGINT", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), stop)


def _signal_group(pid: int, number: int) -> None:
    try:
        if os.name == "posix":
            os.killpg(pid, number)
        else:
            os.kill(pid, number)
    except (ProcessLookupError, PermissionError):
        pass
