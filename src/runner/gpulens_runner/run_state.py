"""What the processes of a run have reported: which took steps, which have written, which have been silent for long."""

from __future__ import annotations

import dataclasses
from typing import Any

_LONG_STEPS = 10.0
"""A process counts as silent after this many times its longest step."""
_LONG_WRITE_SECONDS = 600.0
"""A process reports nothing while it writes a trace; after this long it counts as silent, too."""


@dataclasses.dataclass
class Process:
    """One process that imported torch."""

    host: str
    """The scope of the id, as in `host.py`; empty if the process did not report it."""
    pid: int
    rank: int | None = None
    world: int | None = None
    has_stepped: bool = False
    has_written: bool = False
    is_done: bool = False
    """Whether its steps have been recorded, or it was given up."""
    has_more: bool = False
    """Whether the schedule will record it again."""
    recorded: str | None = None
    """The kind of steps that it recorded last."""
    waits_until: float = 0.0
    """Until when it waits for training, after recording other steps."""
    is_measured: bool = False
    """Whether it has reported the costs of options, or never will."""
    is_writing: bool = False
    heard_at: float = 0.0
    longest: float = 0.0


class RunState:
    """Takes the events of a run in order; times are seconds on one clock."""

    def __init__(self, ranks: tuple[int, ...] | None = None) -> None:
        """Expects traces of all ranks, or of the given ones."""
        self._ranks = ranks
        # Nodes of a job, and containers, assign ids independently.
        self._processes: dict[tuple[str, int], Process] = {}
        self.armed_at: float | None = None

    def take(self, event: dict[str, Any], now: float) -> None:
        """Takes one event, read at `now`."""
        name, pid = event.get("event"), event.get("pid")
        if not isinstance(pid, int) or not isinstance(name, str):
            return
        if name == "armed" and self.armed_at is None:
            self.armed_at = now
        if name not in ("armed", "step", "trace", "times", "costs", "error", "user-profiler", "writing", "waiting"):
            return
        told = event.get("host")
        host = told if isinstance(told, str) else ""
        process = self._processes.setdefault((host, pid), Process(host, pid))
        for key in ("rank", "world"):
            if isinstance(event.get(key), int):
                setattr(process, key, event[key])
        if name == "step":
            if process.has_stepped:
                process.longest = max(process.longest, now - process.heard_at)
            process.has_stepped = True
            # Training has begun after a recorded evaluation, or a trigger requests more.
            is_anew = (event.get("phase"), event.get("done")) in (("warm-up", 1), ("recording", 0))
            if process.recorded is not None and (is_anew or event.get("what") != process.recorded):
                process.recorded, process.is_done, process.waits_until = None, False, 0.0
        elif name == "waiting":
            process.waits_until = now + _number(event.get("seconds"))
        elif name in ("trace", "times") and event.get("kind") != "capture":
            # The captures of GPU graphs are recorded beside the steps, which are still to come.
            process.has_written = True
            process.is_done = process.is_done or event.get("kind") != "opening"
            process.has_more = bool(event.get("left"))
            process.recorded = event.get("what") if event.get("kind") == "steps" else process.recorded
        elif name in ("error", "user-profiler"):
            process.is_done = process.is_measured = True
        elif name == "costs":
            process.is_measured = True
        process.is_writing = name == "writing"
        process.heard_at = now

    @property
    def has_steps(self) -> bool:
        """Whether any process has taken a step, or written a trace."""
        return any(process.has_stepped or process.has_written for process in self._processes.values())

    def unfinished(self) -> list[Process]:
        """Returns the processes that have begun steps which are not recorded yet."""
        return [process for process in self._processes.values() if process.has_stepped and not process.is_done]

    def unmeasured(self) -> list[Process]:
        """Returns the processes that take steps and have not reported the costs of options."""
        return [process for process in self._processes.values() if process.has_stepped and not process.is_measured]

    def writing(self) -> list[Process]:
        """Returns the processes that have begun to write a trace, and have not reported its end."""
        return [process for process in self._processes.values() if process.is_writing]

    def is_recorded(self, now: float) -> bool:
        """Returns whether everything is recorded: each process that took steps, and each rank of the job."""
        waits = any(process.waits_until > now or process.has_more for process in self._processes.values())
        return self.has_steps and not waits and not self.unfinished() and not self.missing()

    def silent(self, now: float, seconds: float) -> list[Process]:
        """Returns the unfinished processes that have reported nothing for this long, or for many of their steps."""
        return [process for process in self.unfinished() if is_silent(process, now, seconds)]

    def falling_silent(self, now: float, seconds: float) -> list[Process]:
        """Returns the unfinished processes that are not silent yet, but have used up half of their patience. A process
        that writes a trace is busy, and not included."""
        return [
            process
            for process in self.unfinished()
            if not process.is_writing and patience_of(process, seconds) < 2 * (now - process.heard_at)
            if not is_silent(process, now, seconds)
        ]

    def world(self) -> int | None:
        """Returns the number of ranks; None if the job is not distributed."""
        return max((process.world for process in self._processes.values() if process.world), default=None)

    def recorded(self) -> list[int]:
        """Returns the ranks that have written a trace."""
        ranks = {process.rank for process in self._processes.values() if process.has_written}
        return sorted(rank for rank in ranks if rank is not None)

    def missing(self) -> list[int]:
        """Returns the job's ranks without a trace."""
        written = set(self.recorded())
        ranks = range(min(self.world() or 0, _MOST_RANKS))
        return [rank for rank in ranks if rank not in written and (self._ranks is None or rank in self._ranks)]

    def lost(self) -> list[Process]:
        """Returns the processes that have taken steps and written nothing."""
        return [
            process
            for process in self._processes.values()
            if process.has_stepped and not process.has_written and not process.is_done
        ]


def is_silent(process: Process, now: float, seconds: float) -> bool:
    """Returns whether a process has reported nothing for longer than its patience."""
    return now - process.heard_at > patience_of(process, seconds)


def patience_of(process: Process, seconds: float) -> float:
    """Returns how long a process may report nothing: `seconds`, many of its steps, or the longest write, in seconds."""
    patience = max(seconds, _LONG_STEPS * process.longest)
    return max(patience, _LONG_WRITE_SECONDS) if process.is_writing else patience


def _number(value: object) -> float:
    return float(value) if isinstance(value, (int, float)) else 0.0


_MOST_RANKS = 100_000
"""The number of ranks comes from an environment variable that anyone may have set."""
