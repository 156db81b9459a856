"""Whether a disk has room for a trace: Kineto saves one once only, and what it found no room for is lost."""

from __future__ import annotations

import errno
import os
import shutil
from typing import Any

_EVENT_BYTES = 640
"""What an event takes at most as JSON, with the compressed copy beside it: 280 to 430 bytes, by what is noted."""
_OTHER_BYTES = 128 << 10
_ROOM_FOR_ANY = 4 << 30
"""Where there is as much nobody counts events."""


def check_room(folder: str, results: Any) -> None:
    """Raises OSError where Kineto's results would find no room in a folder."""
    free = shutil.disk_usage(folder).free
    if free < _ROOM_FOR_ANY and free < _OTHER_BYTES + _EVENT_BYTES * len(results.events()):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
