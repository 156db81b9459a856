"""Threads of ours, which leave signals to the main thread."""

from __future__ import annotations

import signal
import threading

_FAULTS = ("SIGSEGV", "SIGBUS", "SIGFPE", "SIGILL", "SIGABRT")
"""A fault goes to the thread that caused it, so it stays unblocked."""


def start_thread(thread: threading.Thread) -> None:
    """Starts a thread in which signals are blocked.

    Python calls handlers in the main thread. If another thread takes a signal, the main thread hears of it only when
    its sleep or wait is over. A thread inherits what is blocked where it is started.
    """
    if not hasattr(signal, "pthread_sigmask"):
        thread.start()
        return
    faults = {getattr(signal, name) for name in _FAULTS}
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ())
    try:
        # It also calls the handlers of signals that have come, which may raise.
        signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals() - faults)
        thread.start()
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
