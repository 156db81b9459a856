"""Follows the events of a run while its command runs, and reports what no single process can know."""

from __future__ import annotations

import dataclasses
import json
import os
import threading
import time
from typing import Any, Callable

from .events import emit
from .far_events import FarEvents
from .host import host_id
from .own_thread import start_without_signals
from .process_tree import is_alive, start_of
from .run_state import Process, RunState, is_silent
from .step_agreement import StepAgreement

_POLL_SECONDS = 0.2
_LAST_SECONDS = 20.0
"""How long the command may take to end by itself after all its processes have been told to stop."""
_FAR_GRACE_SECONDS = 10.0
"""How long to wait for processes of other hosts, which cannot be signalled, once the run is being ended."""


@dataclasses.dataclass(frozen=True)
class Limits:
    """What to watch for."""

    step_seconds: float = 60.0
    """How long to wait for a first step before reporting that there is none."""
    silence_seconds: float = 60.0
    """How long a process that takes steps may be silent before it is reported as hanging."""
    ends_hanging: bool = False
    """Whether the run then ends."""
    stops: bool = False
    """Whether the run ends when everything is recorded."""
    measures_costs: bool = False
    """Whether the costs of options must have been reported before that."""
    parent: int = 0
    """The process that requested the run, which ends with that process; 0 for none."""
    ranks: tuple[int, ...] | None = None
    """The ranks to record; None for all."""


class RunWatch:
    """Reads the events file in another thread; `stop` ends the run, and is called from that thread."""

    def __init__(self, events: str, limits: Limits, stop: Callable[[], None], control: str = "") -> None:
        self._events = events
        self._far = FarEvents(events)
        self._limits = limits
        self._stop = stop
        self._state = RunState(limits.ranks)
        self._agreement = StepAgreement(control, host_id())
        self._position = 0
        self._open = b""
        self._lock = threading.Lock()
        self._ended = threading.Event()
        self._said_no_step = False
        self._said_hanging: set[tuple[str, int]] = set()
        self._ends_at: float | None = None
        self._recorded_at: float | None = None
        self._starts: dict[int, str | None] = {}
        self.stopped_by: str | None = None
        """Why the watch ended the run: `recorded`, `hanging` or `parent`; None if it did not."""

    def start(self) -> None:
        """Starts watching."""
        start_without_signals(threading.Thread(target=self._watch, daemon=True))

    def ends(self) -> None:
        """The run is being ended: from now on, processes of other hosts have only a short time."""
        self._ends_at = time.monotonic()

    def is_waiting(self) -> bool:
        """Returns whether a process is still running that has unwritten steps, or that is writing.

        A process that has been silent for long no longer counts, whether it hangs or is another one with the same id.
        """
        with self._lock:
            self._read()
            now = time.monotonic()
            processes = [*self._state.unfinished(), *self._state.writing()]
            return any(self._may_write(process, now) for process in processes)

    def is_writing(self) -> bool:
        """Returns whether a process of this host is writing a trace."""
        with self._lock:
            self._read()
            return any(_is_here(process) and is_alive(process.pid) for process in self._state.writing())

    def processes(self) -> list[int]:
        """Returns the processes of this host that have reported and still run, even if the process that started them is
        gone."""
        with self._lock:
            self._read()
            known = list(self._starts.items())
        return [pid for pid, start in known if start is not None and start == start_of(pid)]

    def finish(self) -> None:
        """Ends watching, and reports which ranks have no trace and which processes were lost."""
        self._ended.set()
        with self._lock:
            self._far.relay(at_once=True)
            self._read()
            state = self._state
            if state.has_steps:
                lost = [{"pid": process.pid, "rank": process.rank} for process in state.lost()]
                world, recorded, missing = state.world(), state.recorded(), state.missing()
                emit(self._events, "ranks", world=world, recorded=recorded, missing=missing, lost=lost)

    def _may_write(self, process: Process, now: float) -> bool:
        """Returns whether a process may still report a trace."""
        if _is_here(process):
            return is_alive(process.pid) and not is_silent(process, now, self._limits.silence_seconds)
        if self._ends_at is not None and now - self._ends_at > _FAR_GRACE_SECONDS:
            return False
        return now - process.heard_at <= self._limits.silence_seconds

    def _still_measures(self, now: float) -> bool:
        """Returns whether a process may still report the costs of options: not if it has ended with too few steps."""
        return self._limits.measures_costs and any(self._may_write(one, now) for one in self._state.unmeasured())

    def _watch(self) -> None:
        while not self._ended.wait(_POLL_SECONDS):
            with self._lock:
                self._read()
                why = self._look(time.monotonic())
            if why is not None:
                self.stopped_by = why
                emit(self._events, "stopping", why=why)
                self._stop()
                return

    def _look(self, now: float) -> str | None:
        """Reports what is due; returns why the run must end, None if it continues."""
        state, limits = self._state, self._limits
        self._agreement.decide(now)
        # A killed parent could not end the run itself; its pipe and terminal may be open in another process.
        if limits.parent and not is_alive(limits.parent):
            return "parent"
        if state.armed_at is not None and not state.has_steps and not self._said_no_step:
            if now - state.armed_at > limits.step_seconds:
                self._said_no_step = True
                emit(self._events, "no-step", seconds=limits.step_seconds)
        silent = self._running(state.silent(now, limits.silence_seconds))
        # If a rank hangs, the others wait for it and fall silent one after another: report them together.
        if silent and not self._running(state.falling_silent(now, limits.silence_seconds)):
            unsaid = [process for process in silent if (process.host, process.pid) not in self._said_hanging]
            if unsaid:
                self._said_hanging.update((process.host, process.pid) for process in unsaid)
                ranks = sorted(process.rank for process in unsaid if process.rank is not None)
                pids = [process.pid for process in unsaid]
                emit(self._events, "hanging", ranks=ranks, pids=pids, seconds=limits.silence_seconds)
            if limits.ends_hanging:
                return "hanging"
        if limits.stops and state.is_recorded(now) and not self._still_measures(now):
            if self._recorded_at is None:
                self._recorded_at = now
            if now - self._recorded_at > _LAST_SECONDS:
                return "recorded"
        else:
            self._recorded_at = None
        return None

    def _running(self, processes: list[Process]) -> list[Process]:
        """Drops the processes of this host that have ended. For other hosts that is unknown."""
        return [process for process in processes if not _is_here(process) or is_alive(process.pid)]

    def _read(self) -> None:
        self._far.relay()
        try:
            with open(self._events, "rb") as file:
                file.seek(self._position)
                data = file.read()
        except OSError:
            return  # Nothing has been reported yet.
        self._position += len(data)
        *lines, self._open = (self._open + data).split(b"\n")
        now = time.monotonic()
        for line in lines:
            event = _parsed(line)
            if event is not None:
                self._state.take(event, now)
                self._meet(event)
                self._agreement.take(event, now)

    def _meet(self, event: dict[str, Any]) -> None:
        """Stores the start time of a process of this host when it first reports: another process may get its id
        later."""
        pid, host = event.get("pid"), event.get("host")
        if isinstance(pid, int) and pid != os.getpid() and host == host_id() and pid not in self._starts:
            self._starts[pid] = start_of(pid)


def _is_here(process: Process) -> bool:
    """Returns whether the process's id belongs to this host."""
    return process.host in ("", host_id())


def _parsed(line: bytes) -> dict[str, Any] | None:
    try:
        event = json.loads(line)
    except ValueError:
        return None
    return event if isinstance(event, dict) else None
