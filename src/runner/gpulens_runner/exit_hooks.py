"""Writes the recording however the process ends: at its end, by os._exit, or by a signal that requests its end."""

from __future__ import annotations

import atexit
import os
import signal
import threading
from types import FrameType
from typing import NoReturn

from .context import Context
from .session import Session

_SIGNALS = ("SIGTERM", "SIGHUP")


def flush_on_exit(context: Context, session: Session) -> None:
    """Hooks every kind of exit that Python can see."""
    atexit.register(session.flush, "exit")
    exit_now = os._exit

    def hooked_exit(status: int) -> NoReturn:
        try:
            session.flush("os._exit")
        finally:
            exit_now(status)  # noqa: B012 -- the process ends here, even if the flush failed.

    os._exit = hooked_exit
    if threading.current_thread() is not threading.main_thread():
        return
    for name in _SIGNALS:
        number = getattr(signal, name, None)
        # A script that handles or ignores the signal has its reasons.
        if number is not None and signal.getsignal(number) == signal.SIG_DFL:
            _flush_on_signal(context, session, number, name)


def _flush_on_signal(context: Context, session: Session, number: int, name: str) -> None:
    def on_signal(_number: int, _frame: FrameType | None) -> None:
        # A launcher passes signals on, so the same signal may arrive twice.
        if context.writing.defers(number):
            return
        session.flush(name)
        # Another thread may have begun to write meanwhile.
        if context.writing.defers(number):
            return
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)

    signal.signal(number, on_signal)
