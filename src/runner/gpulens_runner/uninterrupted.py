"""Defers signals that would end the process or interrupt the script while a trace is being written."""

from __future__ import annotations

import os
import signal
import sys
import threading
from typing import Any, Callable

_SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP")

_Handler = Callable[[int, Any], Any]


class Uninterrupted:
    """A context manager: signals wait until its `with` statement ends.

    In the main thread this includes the script's own handlers, and Ctrl+C: their exception would end the writing. While
    another thread writes, signals wait if their handler calls `defers`.
    """

    def __init__(self) -> None:
        self._held: dict[int, _Handler] = {}
        self._waiting: list[tuple[int, int]] = []
        """Deferred signals, each with the process that received it."""
        self.forget()

    def forget(self) -> None:
        """Starts again: a forked child does not continue the writing of its parent's other threads."""
        self._release()
        self._depth = 0
        self._main_depth = 0
        # A forked child may have received one before this, as if it were still writing; its parent's are not its own.
        received = [number for process, number in self._waiting if process == os.getpid()]
        self._waiting = []
        for number in received:
            os.kill(os.getpid(), number)

    def __enter__(self) -> None:
        """Starts deferring."""
        if _is_main():
            if self._main_depth == 0:
                self._hold()
            self._main_depth += 1
        self._depth += 1

    def __exit__(self, *_error: object) -> None:
        """Ends, and delivers the deferred signals."""
        self._depth -= 1
        if _is_main():
            self._main_depth -= 1
            if self._main_depth == 0:
                self._release()
        if self._depth == 0:
            self._pass_on()

    def defers(self, number: int) -> bool:
        """Takes a signal if it must wait; the signal is sent again later."""
        if self._depth > 0:
            self._wait(number)
        return self._depth > 0

    def _hold(self) -> None:
        try:
            for name in _SIGNALS:
                number = getattr(signal, name, None)
                handler = None if number is None else signal.getsignal(number)
                # Neither the system's default action nor a handler set by C can be deferred.
                if number is not None and callable(handler):
                    self._held[number] = handler
                    signal.signal(number, self._wait)
        except BaseException:
            self._release()  # A signal came before its handler was replaced.
            raise

    def _release(self) -> None:
        while self._held:
            signal.signal(*self._held.popitem())

    def _wait(self, number: int, _frame: object = None) -> None:
        received = (os.getpid(), number)
        if received not in self._waiting:
            self._waiting.append(received)

    def _pass_on(self) -> None:
        """Calls all handlers, although each may raise; in another thread the system must do so."""
        if not self._waiting:
            return
        _, number = self._waiting.pop(0)
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
