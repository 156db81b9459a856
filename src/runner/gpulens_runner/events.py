"""The runner's messages: JSON lines appended to one file, from all processes of a run.

Every line has `v` (the protocol's version), `event`, `pid` and `host`. The README lists them; the reader is
`src/launch/run/runner-events.ts`.
"""

from __future__ import annotations

import json
import os
from typing import Any

from .host import host_id

VERSION = 1

_RESERVE_END = ".reserve"
"""Ends the name of a file beside the events file that reserves room for them."""


def has_recorded_steps(file: str) -> bool:
    """Returns whether any process of the run has written a trace of steps."""
    try:
        with open(file, encoding="utf-8", errors="replace") as lines:
            return any('"event": "trace"' in line and '"kind": "steps"' in line for line in lines)
    except OSError:
        return False


def answered_triggers(file: str) -> frozenset[str]:
    """Returns the ids of the triggers that any process of the run has begun, ended or refused to record."""
    try:
        with open(file, encoding="utf-8", errors="replace") as lines:
            events = [_event_of(line) for line in lines if '"event": "trigger"' in line]
    except OSError:
        return frozenset()
    return frozenset(str(one.get("id")) for one in events if one.get("state") in ("taken", "done", "refused"))


def _event_of(line: str) -> dict[str, Any]:
    try:
        event = json.loads(line)
    except ValueError:
        return {}  # It is being written.
    return event if isinstance(event, dict) else {}


def emit(file: str, event: str, /, **fields: Any) -> None:
    """Appends one event. A line is written at once, so lines of several processes never mix. Never raises.

    If the disk is full, uses the room that is reserved beside the file.
    """
    line = json.dumps({"v": VERSION, "event": event, "pid": os.getpid(), "host": host_id(), **fields}) + "\n"
    data = line.encode("utf-8", "backslashreplace")
    data = data[_append(file, data) :]
    if data and _free_reserve(file):
        _append(file, data)


def _free_reserve(file: str) -> bool:
    """Frees the room reserved for messages (`src/launch/run/run-folder.ts`); returns whether there was any."""
    try:
        os.remove(file + _RESERVE_END)
    except OSError:
        return False
    return True


def _append(file: str, data: bytes) -> int:
    """Returns how many bytes could be appended: a full disk must not break the user's script."""
    try:
        descriptor = os.open(file, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    except OSError:
        return 0
    try:
        return os.write(descriptor, data)
    except OSError:
        return 0
    finally:
        os.close(descriptor)
