"""Requests to a running process: to record a window of time if it has taken no step, or its next steps.

Requests are JSON lines with `v` and `request` in a file that all processes of the run read. A file works on every
system and across the nodes of a job, and the run's folder makes it private. The writers are
`src/launch/run/run-control.ts`, and the supervisor (`step_agreement.py`).
"""

from __future__ import annotations

import json
import os
import threading
import time
from typing import Any

from .context import Context
from .data_worker import is_data_worker
from .events import VERSION, answered_triggers
from .far_events import events_file
from .own_thread import start_without_signals
from .pace import Pace
from .ranks import rank_and_world
from .session import Session
from .trigger import Due, Trigger, parse_trigger
from .window import open_after

_POLL_SECONDS = 0.5
_IDLE_POLL_SECONDS = 0.2
_PACE_WAIT_SECONDS = 1.0
"""How long a rank that does not know its pace delays its report. The supervisor waits longer for all reports
(`step_agreement.py`)."""


class Control:
    """Polls the file in a separate thread, until it is no longer needed."""

    def __init__(self, context: Context, session: Session) -> None:
        self._context = context
        self._config = context.config
        self._session = session

    def start(self, is_first: bool = False) -> None:
        """Starts polling. Requests from before are ignored, except triggers if `is_first` in this process: they may
        have come before it had imported torch.

        A forked child has none of its parent's threads, and starts again.
        """
        config = self._config = self._context.config
        if config.control and config.profiler == "pytorch" and config.step != "window":
            look = self._look_for_triggers if config.idle else self._look
            seen = 0 if is_first and config.idle else _size(config.control)
            start_without_signals(threading.Thread(target=look, args=(seen,), daemon=True))

    def _look(self, seen: int) -> None:
        while self._session.may_open_window:
            time.sleep(_POLL_SECONDS)
            if any(map(_asks_for_window, _lines(self._config.control, seen)[0])):
                open_after(self._session, 0.0, self._config.window_seconds)
                return

    def _look_for_triggers(self, seen: int) -> None:
        triggers = _Triggers(self._context, self._session)
        # Other processes of the run may have begun long before this one.
        events = self._config.events
        answered = answered_triggers(events) | answered_triggers(events_file(events, self._config.host))
        while self._session.is_asked_for_more:
            time.sleep(_IDLE_POLL_SECONDS)
            triggers.mark()
            self._session.attend()
            lines, seen = _lines(self._config.control, seen)
            for line in lines:
                request = _request(line)
                if request is not None and str(request.get("id")) not in answered:
                    triggers.take(request)


class _Triggers:
    """Handles the requests of an idle run. The ranks of a job first report their step count; the supervisor then
    decides at which step all of them begin."""

    def __init__(self, context: Context, session: Session) -> None:
        self._context = context
        self._config = context.config
        self._session = session
        self._waiting: dict[str, Trigger] = {}
        self._unreported: dict[str, float] = {}
        """Until when to wait for a pace, by request."""
        self._pace = Pace()

    def mark(self) -> None:
        """Notes the script's progress, and sends the reports that are due."""
        self._pace.mark(time.monotonic(), self._session.trained)
        self._report()

    def take(self, request: dict[str, Any]) -> None:
        """Handles a request; invalid ones are skipped."""
        kind, identifier = request.get("request"), request.get("id")
        if kind == "record" and not is_data_worker():
            trigger = parse_trigger(request)
            if trigger is not None:
                self._record(trigger)
        elif kind == "begin" and isinstance(identifier, str) and isinstance(request.get("at"), int):
            self._unreported.pop(identifier, None)
            waiting = self._waiting.pop(identifier, None)
            if waiting is not None:
                self._ask(waiting, request["at"])

    def _record(self, trigger: Trigger) -> None:
        rank, world = rank_and_world()
        ranks = trigger.ranks if trigger.ranks is not None else self._config.ranks
        if ranks is not None and (rank or 0) not in ranks:
            return
        if not self._session.is_active:
            self._context.tell("trigger", id=trigger.id, state="refused", step=self._session.trained)
        elif rank is None or world is None or world < 2:
            self._ask(trigger, None)
        else:
            self._waiting[trigger.id] = trigger
            # Only steps of training are agreed on: others begin at once.
            wait_seconds = _PACE_WAIT_SECONDS if trigger.applied(self._config).counts_training else 0.0
            self._unreported[trigger.id] = time.monotonic() + wait_seconds
            self._report()

    def _report(self) -> None:
        """Reports requests whose pace is known or whose wait is over. The supervisor needs the pace to calculate a step
        that no rank has reached."""
        now = time.monotonic()
        for identifier, latest in list(self._unreported.items()):
            if self._pace.is_known or now >= latest:
                del self._unreported[identifier]
                step, seconds = self._session.trained, self._pace.step_seconds
                self._context.tell("trigger", id=identifier, state="ready", step=step, stepSeconds=seconds)

    def _ask(self, trigger: Trigger, at: int | None) -> None:
        self._session.ask(Due(at, trigger.applied(self._config)))


def _lines(path: str, seen: int) -> tuple[list[bytes], int]:
    """Returns the complete lines after a position, and the position after them."""
    if _size(path) <= seen:
        return [], seen
    try:
        with open(path, "rb") as file:
            file.seek(seen)
            data = file.read()
    except OSError:
        return [], seen  # It is read again at the next poll.
    whole = data[: data.rfind(b"\n") + 1]
    return whole.splitlines(), seen + len(whole)


def _size(path: str) -> int:
    try:
        return os.stat(path).st_size
    except OSError:
        return 0


def _request(line: bytes) -> dict[str, Any] | None:
    try:
        request = json.loads(line)
    except ValueError:
        return None
    return request if isinstance(request, dict) and request.get("v") == VERSION else None


def _asks_for_window(line: bytes) -> bool:
    request = _request(line)
    return request is not None and request.get("request") == "window"
