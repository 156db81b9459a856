"""Checks that a disk has room for a trace: Kineto saves a trace only once, and what does not fit is lost."""

from __future__ import annotations

import errno
import os
import shutil
from typing import Any

_EVENT_BYTES = 640
"""The largest size of an event as JSON, plus its compressed copy: 280 to 430 bytes, depending on what is recorded."""
_OTHER_BYTES = 128 << 10
_ROOM_FOR_ANY = 4 << 30
"""With this much room, events are not counted."""


def check_room(folder: str, results: Any) -> None:
    """Raises OSError if Kineto's results would not fit into a folder."""
    free = shutil.disk_usage(folder).free
    if free < _ROOM_FOR_ANY and free < _OTHER_BYTES + _EVENT_BYTES * len(results.events()):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
