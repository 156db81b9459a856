"""Threads of ours, which leave signals to the main thread."""

from __future__ import annotations

import signal
import threading

_FAULTS = ("SIGSEGV", "SIGBUS", "SIGFPE", "SIGILL", "SIGTRAP", "SIGSYS", "SIGABRT")
"""The system sends these to the thread that caused them, so they stay unblocked."""


def start_without_signals(thread: threading.Thread) -> None:
    """Starts a thread in which signals are blocked.

    Python calls handlers in the main thread. If another thread takes a signal, a sleeping main thread calls its handler
    only when the sleep is over. A new thread inherits the signal mask of the thread that starts it, so that thread
    blocks signals meanwhile; so do a handler that it calls just then, and what that starts.
    """
    if not hasattr(signal, "pthread_sigmask"):
        thread.start()
        return
    faults = {getattr(signal, name) for name in _FAULTS if hasattr(signal, name)}
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ())
    try:
        # It also calls the handlers of signals that have come, which may raise.
        signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals() - faults)
        thread.start()
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
