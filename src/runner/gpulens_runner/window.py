"""The time window: opened and closed by the clock in the main thread, whatever the script does."""

from __future__ import annotations

import ctypes
import sys
import threading
from typing import Any

from .backward import is_in_backward
from .captures import is_capturing
from .own_thread import start_without_signals
from .session import Session

_AGAIN_SECONDS = 0.1
_PROFILING = (__package__ + ".", "torch.profiler.", "torch.autograd.profiler")

_Call = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)
_kept: list[Any] = []


def open_after(session: Session, delay_seconds: float, seconds: float) -> None:
    """Opens the session's time window after a delay, and closes it after `seconds`."""

    def opens(_unused: object) -> int:
        if _interrupts() or not session.is_free:
            _after(_AGAIN_SECONDS, open_)
        elif session.window_opens():
            _after(seconds, close)
        return 0

    def closes(_unused: object) -> int:
        if _interrupts():
            _after(_AGAIN_SECONDS, close)
        else:
            session.window_closes()
        return 0

    close = _Call(closes)
    open_ = _Call(opens)
    # C calls them later, so they must stay alive.
    _kept.extend((open_, close))
    _after(delay_seconds, open_)


def _interrupts() -> bool:
    """Returns whether the call interrupts profiling (ours or the script's), backward, the capture of a GPU graph, or an
    import by torch, which may be late: the profiler needs all that is imported there."""
    frame = sys._getframe(1).f_back
    while frame is not None:
        name = frame.f_globals.get("__name__", "")
        if name.startswith(_PROFILING) or (name.startswith("torch.") and frame.f_code.co_name == "<module>"):
            return True
        frame = frame.f_back
    return is_in_backward() or is_capturing()


def _after(seconds: float, call: Any) -> None:
    """Makes the main thread call a function, between two instructions of the code that it runs then.

    A signal would do the same, but the script may use signals itself. It must be the main thread because torch's
    profiler records the thread that starts it.
    """
    timer = threading.Timer(seconds, lambda: ctypes.pythonapi.Py_AddPendingCall(call, None))
    timer.daemon = True
    start_without_signals(timer)
