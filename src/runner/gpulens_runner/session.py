"""Decides what of a script is recorded.

    opening ──▶ (first step ends) ──▶ warm-up ──▶ pre-warm ──▶ recorded steps ──▶ written, done
       │                                                            │
       └─ the script ends, or takes too long to a step: written     └─ the script ends: written as partial

The opening, from the first range or module call on, is recorded too and kept until steps have been: it is what there is
of a script without an optimizer, or with very few steps.
"""

from __future__ import annotations

import functools
import os
import sys
import threading
import time
from typing import Any, Callable, TypeVar, cast

from .config import Config
from .events import emit
from .recorder import Recording, save
from .sites import Sites

Method = TypeVar("Method", bound=Callable[..., None])


def _never_raises(method: Method) -> Method:
    """Makes a failure of ours end the profiling, and never the user's script."""

    @functools.wraps(method)
    def guarded(self: Session, *arguments: Any) -> None:
        try:
            method(self, *arguments)
        except Exception as error:
            self.give_up(f"Profiling stopped: {type(error).__name__}: {error}")

    return cast(Method, guarded)


class Session:
    """The recording of one process."""

    def __init__(self, config: Config, sites: Sites) -> None:
        self._config = config
        self._sites = sites
        self.reset()

    def reset(self) -> None:
        """Begins anew: a forked child has its parent's state, but none of its profiler's."""
        self._process = os.getpid()
        self._thread: int | None = None
        self._opening: Recording | None = None
        self._opening_runs = False
        self._steps: Recording | None = None
        self._boundaries = 0
        self._open_ranges: list[tuple[object, int]] = []
        self._is_step_pending = False
        self._is_done = False
        self._is_passive = False

    @property
    def may_open(self) -> bool:
        """Tells whether the opening of the script is still to be recorded, or being recorded."""
        return self.is_active and self._boundaries == 0 and (self._opening is None or self._opening_runs)

    @property
    def is_active(self) -> bool:
        """Tells whether there is anything left to record in this process."""
        return not self._is_done and not self._is_passive

    @_never_raises
    def work_begins(self) -> None:
        """A range, module call or optimizer step begins: the opening is recorded from the first one on."""
        if not self._may_act():
            return
        if self._opening is None and self._boundaries == 0 and self._steps is None:
            self._opening = Recording(self._config, "opening", None)
            self._opening_runs = True
            emit(self._config.events, "recording", what="opening")
        elif self._opening_runs and self._opening is not None:
            if time.monotonic() - self._opening.started > self._config.opening_seconds:
                self._stop_opening()
                emit(self._config.events, "opening-full", seconds=self._config.opening_seconds)

    @_never_raises
    def range_opens(self, token: object) -> None:
        """A range of the user's has been opened."""
        if self._may_act():
            self._open_ranges.append((token, self._boundaries))

    @_never_raises
    def range_closes(self, token: object) -> None:
        """A range of the user's has been closed; one that was opened before this process began is unknown."""
        if not self._may_act():
            return
        for index in range(len(self._open_ranges) - 1, -1, -1):
            if self._open_ranges[index][0] is token:
                del self._open_ranges[index:]
                break
        if self._is_step_pending and not self._is_inside_step_range():
            self._is_step_pending = False
            self._end_step()

    @_never_raises
    def step_ends(self) -> None:
        """An optimizer has stepped: the boundary between two steps.

        Where that happens inside a range that was opened in this step (`with record_function("train_step")`), the step
        ends with that range, so that the two nest.
        """
        if not self._may_act():
            return
        if self._is_inside_step_range():
            self._is_step_pending = True
        else:
            self._end_step()

    def _is_inside_step_range(self) -> bool:
        # Before the first boundary a range round the whole training looks like one round a step.
        return self._boundaries > 0 and any(opened == self._boundaries for _, opened in self._open_ranges)

    def _end_step(self) -> None:
        config = self._config
        self._stop_opening()
        self._boundaries += 1
        if self._steps is not None:
            self._steps.step()
        if self._boundaries == max(1, config.warmup):
            self._steps = Recording(config, "steps", (config.prewarm, config.active))
        recorded = self._recorded_steps()
        if recorded >= config.active:
            self._finish_steps("complete", config.active)
            return
        emit(
            config.events,
            "step",
            phase="warm-up" if recorded < 0 else "recording",
            done=max(0, recorded) if recorded >= 0 else self._boundaries,
            total=config.active if recorded >= 0 else max(1, config.warmup) + config.prewarm,
        )

    @_never_raises
    def user_profiler_starts(self) -> None:
        """The script profiles itself: two profilers at once would cost the outer one its data, so ours gives way."""
        if self._is_passive or self._process != os.getpid():
            return
        self._is_passive = True
        self._stop_opening()
        self._opening = None
        if self._steps is not None:
            self._steps.stop()
            self._steps = None
        emit(self._config.events, "user-profiler")

    @_never_raises
    def user_exported(self, path: str) -> None:
        """The script has written a trace of its own."""
        emit(self._config.events, "trace", path=os.path.abspath(path), kind="own", why="complete", steps=0, rank=None)

    def give_up(self, message: str) -> None:
        """Something of ours failed: from now on the script runs alone."""
        self._is_passive = True
        emit(self._config.events, "error", message=message)

    @_never_raises
    def flush(self, why: str) -> None:
        """The process ends: writes what there is. Only the process that recorded may do so."""
        if self._process != os.getpid() or not self.is_active:
            return
        recorded = self._recorded_steps()
        if self._steps is not None and (recorded > 0 or self._opening is None):
            self._finish_steps(why, max(0, recorded))
            return
        self._is_done = True
        self._stop_opening()
        if self._steps is not None:
            self._steps.stop()
        if self._opening is not None:
            save(self._opening, self._config, self._sites, why, 0)

    def _may_act(self) -> bool:
        if self._process != os.getpid():
            self.reset()
        if not self.is_active or _is_data_worker():
            return False
        if self._thread is None:
            self._thread = threading.get_ident()
        # The profiler must be stepped by the thread that started it.
        return self._thread == threading.get_ident()

    def _recorded_steps(self) -> int:
        """Returns how many steps have been recorded whole; negative while warming up."""
        return self._boundaries - max(1, self._config.warmup) - self._config.prewarm

    def _stop_opening(self) -> None:
        if self._opening_runs and self._opening is not None:
            self._opening.stop()
            self._opening_runs = False

    def _finish_steps(self, why: str, steps: int) -> None:
        self._is_done = True
        self._opening = None
        if self._steps is not None:
            self._steps.stop()
            save(self._steps, self._config, self._sites, why, steps)
            self._steps = None


def _is_data_worker() -> bool:
    """Tells whether this process only loads data for another one."""
    data = sys.modules.get("torch.utils.data")
    return data is not None and data.get_worker_info() is not None
