"""Reports that a process tried to import torch, and that it is not installed."""

from __future__ import annotations

import sys

from .config import Config
from .events import emit
from .far_events import events_file


def tell() -> None:
    """Emits the event, once per process."""
    config = Config.from_environment()
    if config is not None and not _told:
        _told.append(True)
        emit(events_file(config.events, config.host), "no-torch", python=sys.executable, rank=None, world=None)


_told: list[bool] = []
