"""Starts and stops torch's profiler."""

from __future__ import annotations

import contextlib
import datetime
import functools
import time
import warnings
from collections.abc import Iterator
from typing import Any

import torch
from torch.profiler import ProfilerAction, profile

from .config import Config
from .devices import activities, has_memory_history
from .recorded_ranges import recorded_ranges


class Recording:
    """One run of the profiler, started by us: `is_ours` distinguishes it from the user's profilers."""

    def __init__(
        self, config: Config, kind: str, steps: tuple[int, int] | None = None, everywhere: bool = False
    ) -> None:
        """Starts recording: everything from now on, or, after `steps[0]` steps, the next `steps[1]` steps.

        Args:
            everywhere: whether all threads are recorded; any of them may then step and stop.
        """
        self.kind = kind
        self._steps_left = 0 if steps is None else sum(steps)
        _hide_advice()
        self._profile = profile(
            activities=activities(config.device),
            schedule=None if steps is None else _schedule(*steps),
            record_shapes=config.shapes,
            with_stack=config.stack,
            # If no allocator records a history, the trace has the CPU's allocations.
            profile_memory=config.memory or (config.memory_history and not has_memory_history()),
            **(_all_threads() if everywhere else {}),
        )
        self._profile._gpulens = True  # type: ignore[attr-defined]
        recorded_ranges.is_recording = True
        try:
            with _ends_if_interrupted():
                self._profile.start()
        except BaseException:
            recorded_ranges.is_recording = False
            raise
        self.recorded_at = datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds")
        # From here on: a process's first start takes a second by itself.
        self.started = time.monotonic()

    def step(self) -> None:
        """Ends a step, in a recording by steps."""
        self._steps_left -= 1
        if self._steps_left == 0:
            # The profiler stops with its last step.
            recorded_ranges.end_all()
        with _ends_if_interrupted():
            self._profile.step()

    def stop(self) -> None:
        """Stops recording; the recording is kept until it is written or dropped."""
        try:
            recorded_ranges.end_all()
        finally:
            self._stop()

    def _stop(self) -> None:
        try:
            self._profile.stop()
        except BaseException:
            # The script must not continue under a profiler that nobody ends.
            end_abandoned()
            raise
        finally:
            recorded_ranges.is_recording = False
        # Those of other threads that were opened while it stopped.
        recorded_ranges.end_all()

    def has_operators(self) -> bool:
        """Returns whether anything was recorded besides the profiler itself."""
        results = self.results
        return results is not None and any(event.name().startswith("aten::") for event in results.events())

    @property
    def results(self) -> Any:
        """Kineto's results; None if nothing was recorded."""
        profiler = self._profile.profiler
        return None if profiler is None else profiler.kineto_results


@contextlib.contextmanager
def _ends_if_interrupted() -> Iterator[None]:
    """Ends torch's profiler if Ctrl+C comes while it changes its state, which is not known then."""
    try:
        yield
    except Exception:
        raise  # The profiler that runs may be the script's.
    except BaseException:
        end_abandoned()
        raise


@functools.cache
def _hide_advice() -> None:
    """Torch gives advice on several cycles of a profiler, which the script has not asked for: ours has one."""
    warnings.filterwarnings("ignore", message="Warning: Profiler clears events at the end of each cycle")


def is_ours(profiler: object) -> bool:
    """Returns whether a profiler was started by us."""
    return getattr(profiler, "_gpulens", False)


def can_record_all_threads() -> bool:
    """Returns whether this torch can record all threads, so that any of them can stop it."""
    return bool(_all_threads())


def end_abandoned() -> None:
    """Ends a recording that nobody reads, and that would fill the memory: a forked process has its parent's, and one
    that could not be stopped may continue."""
    recorded_ranges.end_all()
    try:
        torch._C._autograd._disable_profiler()
    except (AttributeError, RuntimeError):
        pass  # None was running in this thread.
    recorded_ranges.is_recording = False


def _all_threads() -> dict[str, Any]:
    try:
        return {"experimental_config": torch._C._profiler._ExperimentalConfig(profile_all_threads=True)}
    except (AttributeError, TypeError):
        return {}  # An older torch records only one thread.


def _schedule(prewarm: int, active: int) -> Any:
    def action(step: int) -> ProfilerAction:
        if step < prewarm:
            return ProfilerAction.WARMUP
        if step < prewarm + active - 1:
            return ProfilerAction.RECORD
        return ProfilerAction.RECORD_AND_SAVE if step == prewarm + active - 1 else ProfilerAction.NONE

    return action
