"""The runner's messages: JSON lines appended to one file, from all processes of a run.

Every line has `v` (the protocol's version), `event`, `pid` and `host`. The README lists them; the reader is
`src/launch/runner-events.ts`.
"""

from __future__ import annotations

import json
import os
from typing import Any

from .host import host_id

VERSION = 1


def has_recorded_steps(file: str) -> bool:
    """Tells whether any process of the run has written a trace of steps."""
    try:
        with open(file, encoding="utf-8", errors="replace") as lines:
            return any('"event": "trace"' in line and '"kind": "steps"' in line for line in lines)
    except OSError:
        return False


def emit(file: str, event: str, /, **fields: Any) -> None:
    """Appends one event. A line is written at once, so lines of several processes never mix. Never raises."""
    line = json.dumps({"v": VERSION, "event": event, "pid": os.getpid(), "host": host_id(), **fields}) + "\n"
    try:
        descriptor = os.open(file, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o666)
        try:
            os.write(descriptor, line.encode("utf-8", "backslashreplace"))
        finally:
            os.close(descriptor)
    except OSError:
        pass  # A full disk must not take the user's script down.
