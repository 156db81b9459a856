"""Keeps signals that would end the process, or interrupt the script, away from a trace that is being written."""

from __future__ import annotations

import os
import signal
import sys
import threading
from typing import Any, Callable

_SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP")

_Handler = Callable[[int, Any], Any]


class Uninterrupted:
    """Inside a `with` statement, signals wait for its end.

    In the main thread this holds for handlers of the script's own too, and for Ctrl+C: the exception that they raise
    would end the writing. Signals that come while another thread writes wait where their handler asks with `defers`.
    """

    def __init__(self) -> None:
        self._held: dict[int, _Handler] = {}
        self.forget()

    def forget(self) -> None:
        """Begins anew: what another thread of its parent's writes, a forked child does not."""
        self._release()
        self._depth = 0
        self._main_depth = 0
        self._waiting: list[int] = []

    def __enter__(self) -> None:
        """Begins."""
        if _is_main():
            if self._main_depth == 0:
                self._hold()
            self._main_depth += 1
        self._depth += 1

    def __exit__(self, *_error: object) -> None:
        """Ends, and passes on the signals that have waited."""
        self._depth -= 1
        if _is_main():
            self._main_depth -= 1
            if self._main_depth == 0:
                self._release()
        if self._depth == 0:
            self._pass_on()

    def defers(self, number: int) -> bool:
        """Takes a signal, if it has to wait; it is sent again then."""
        if self._depth > 0:
            self._wait(number)
        return self._depth > 0

    def _hold(self) -> None:
        try:
            for name in _SIGNALS:
                number = getattr(signal, name, None)
                handler = None if number is None else signal.getsignal(number)
                # Neither the system's own way nor a handler that C has set is ours to put off.
                if number is not None and callable(handler):
                    self._held[number] = handler
                    signal.signal(number, self._wait)
        except BaseException:
            self._release()  # A signal came before its handler was held.
            raise

    def _release(self) -> None:
        while self._held:
            signal.signal(*self._held.popitem())

    def _wait(self, number: int, _frame: object = None) -> None:
        if number not in self._waiting:
            self._waiting.append(number)

    def _pass_on(self) -> None:
        """Calls the handlers, all of them, although each may raise; in another thread the system has to."""
        if not self._waiting:
            return
        number = self._waiting.pop(0)
        try:
            handler = signal.getsignal(number)
            if _is_main() and callable(handler):
                handler(number, sys._getframe())
            else:
                os.kill(os.getpid(), number)
        finally:
            self._pass_on()


def _is_main() -> bool:
    return threading.current_thread() is threading.main_thread()
