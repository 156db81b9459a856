"""Makes all ranks of a job begin a recording at the same step: each has reported its step count and pace."""

from __future__ import annotations

import dataclasses
import json
import math
import os
from typing import Any

from .events import VERSION

_WAIT_SECONDS = 2.0
"""How long to wait for ranks that have not reported their step count."""
_NOTICE_SECONDS = 1.0
"""Time that a rank of this host needs to read when the recording begins: several polls of the file."""
_FAR_NOTICE_SECONDS = 5.0
"""The same for other hosts, whose messages and files take longer."""
_SPARE_STEPS = 2


@dataclasses.dataclass
class _Rank:
    step: int
    step_seconds: float | None
    heard_at: float

    def step_at(self, now: float) -> int:
        """Returns its step count at this time."""
        if not self.step_seconds:
            return self.step
        return self.step + math.ceil((now - self.heard_at) / self.step_seconds)


@dataclasses.dataclass
class _Request:
    began: float
    world: int
    ranks: dict[int, _Rank] = dataclasses.field(default_factory=dict)
    is_far: bool = False


class StepAgreement:
    """Takes the ranks' reports on a trigger, and writes the agreed step into the control file."""

    def __init__(self, control: str, host: str) -> None:
        self._control = control
        self._host = host
        self._open: dict[str, _Request] = {}
        self._decided: set[str] = set()

    def take(self, event: dict[str, Any], now: float) -> None:
        """Takes an event of the run."""
        identifier, rank, world = event.get("id"), event.get("rank"), event.get("world")
        step, pace = event.get("step"), event.get("stepSeconds")
        if event.get("event") != "trigger" or event.get("state") != "ready" or not isinstance(identifier, str):
            return
        if not (isinstance(rank, int) and isinstance(world, int) and isinstance(step, int)):
            return
        if identifier in self._decided:
            return
        request = self._open.setdefault(identifier, _Request(now, world))
        request.is_far = request.is_far or event.get("host") not in ("", self._host)
        known = request.ranks.get(rank)
        # If several processes report the same rank, the one that trains counts.
        if known is None or known.step < step:
            request.ranks[rank] = _Rank(step, pace if isinstance(pace, float) else None, now)

    def decide(self, now: float) -> None:
        """Writes the decisions that are possible now."""
        for identifier, request in list(self._open.items()):
            if len(request.ranks) >= request.world or now - request.began > _WAIT_SECONDS:
                del self._open[identifier]
                self._decided.add(identifier)
                self._write({"v": VERSION, "request": "begin", "id": identifier, "at": step_of(request, now)})

    def _write(self, request: dict[str, Any]) -> None:
        try:
            descriptor = os.open(self._control, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        except OSError:
            return  # The requester waits, and reports that no recording came.
        try:
            os.write(descriptor, (json.dumps(request) + "\n").encode())
        finally:
            os.close(descriptor)


def step_of(request: _Request, now: float) -> int:
    """Returns a step that no rank has reached when it reads the file."""
    farthest = max(rank.step_at(now) for rank in request.ranks.values())
    paces = [rank.step_seconds for rank in request.ranks.values() if rank.step_seconds]
    notice = _FAR_NOTICE_SECONDS if request.is_far else _NOTICE_SECONDS
    return farthest + _SPARE_STEPS + (math.ceil(notice / min(paces)) if paces else 0)
