"""The agent in the user's process: armed by `boot/sitecustomize.py` when torch has been imported."""

from __future__ import annotations

import atexit
import os
import signal
import threading
from types import FrameType
from typing import Any, NoReturn

import torch

from .config import Config
from .events import emit
from .hooks import install
from .session import Session
from .sites import Sites


def arm() -> None:
    """Hooks torch for the run that this process belongs to."""
    config = Config.from_environment()
    if config is None:
        return
    sites = Sites(config.root, os.path.dirname(torch.__file__))
    session = Session(config, sites)
    install(session, sites)
    _flush_on_exit(session)
    emit(config.events, "armed", torch=torch.__version__)


def _flush_on_exit(session: Session) -> None:
    """Writes what there is however the process ends: at its end, by os._exit, by SIGTERM."""
    atexit.register(session.flush, "exit")
    os.register_at_fork(after_in_child=session.reset)
    exit_now = os._exit

    def hooked_exit(status: int) -> NoReturn:
        try:
            session.flush("os._exit")
        finally:
            exit_now(status)  # noqa: B012 -- the process ends here, whatever the flush has met.

    os._exit = hooked_exit  # type: ignore[assignment]
    is_main = threading.current_thread() is threading.main_thread()
    if is_main and signal.getsignal(signal.SIGTERM) == signal.SIG_DFL:

        def on_terminate(number: int, _frame: FrameType | None) -> Any:
            session.flush("SIGTERM")
            signal.signal(number, signal.SIG_DFL)
            os.kill(os.getpid(), number)

        signal.signal(signal.SIGTERM, on_terminate)
