"""The time window: opened and closed in the main thread by the clock, whatever the script does."""

from __future__ import annotations

import ctypes
import threading
from typing import Any

from .session import Session

_Call = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)
_kept: list[Any] = []


def open_after(session: Session, delay_seconds: float, seconds: float) -> None:
    """Opens the session's time window after a while, and closes it again after `seconds`."""

    def opens(_unused: object) -> int:
        session.window_opens()
        _after(seconds, close)
        return 0

    def closes(_unused: object) -> int:
        session.window_closes()
        return 0

    close = _Call(closes)
    open_ = _Call(opens)
    # C calls them later: they must not go away meanwhile.
    _kept.extend((open_, close))
    _after(delay_seconds, open_)


def _after(seconds: float, call: Any) -> None:
    """Has the main thread make a call, between two instructions of whatever it runs then.

    A signal would do the same, but the script may use signals itself; and torch's profiler records the thread that
    starts it.
    """
    timer = threading.Timer(seconds, lambda: ctypes.pythonapi.Py_AddPendingCall(call, None))
    timer.daemon = True
    timer.start()
