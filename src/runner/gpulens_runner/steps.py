"""The steps of one kind: counted, recorded after the warm-up, and timed with and without the profiler."""

from __future__ import annotations

from typing import Any

from .context import Context
from .devices import synchronize
from .line_pass import LinePass
from .loops import Loop
from .option_costs import OptionCosts, cost_phases, is_cost_phase
from .output import add_to_sidecar, save
from .recorder import Recording
from .step_clock import StepClock
from .step_times import StepTimes
from .watched_steps import WatchedSteps
from .whole_calls import REQUEST, size_of


def plan_of(
    warmup: int, prewarm: int, active: int, lines: bool, compares: bool = True, costs: bool = False
) -> list[str]:
    """Returns the phase of each step.

    The first step began before anything was hooked, so the warm-up takes at least one step. After the recording, one
    step lets the effects of writing the trace settle; then as many steps as were recorded are timed without the
    profiler, if these are to be compared. The costs of options are measured after that.
    """
    recorded = ["recording"] * active + ["lines"] * lines
    after = ["settling"] + ["plain"] * active if compares else []
    after += cost_phases(active) if costs else []
    return ["warm-up"] * max(1, warmup) + ["pre-warm"] * prewarm + recorded + after


class Steps:
    """Handles the steps of one kind: `train`, `infer`, `forward` or `range`."""

    def __init__(self, context: Context, what: str, unit: str | None = None, before: int = 0, left: int = 0) -> None:
        """Begins after `before` steps of this kind; `left` recordings of a schedule will follow."""
        config = context.config
        self.what = what
        self.unit = unit
        """What a step with several calls of a model is, as in `Loop`."""
        self.loop: Loop | None = None
        """The loop of the step that ended last."""
        self._context = context
        self._is_recorder = config.profiler == "pytorch"
        lines = config.lines and self._is_recorder
        costs = config.costs and self._is_recorder
        self._plan = plan_of(
            config.warmup, config.prewarm, config.active, lines, compares=self._is_recorder, costs=costs
        )
        self._ended = 0
        self._left = left
        self._first = before + max(1, config.warmup) + config.prewarm + 1
        self._recording: Recording | WatchedSteps | None = None
        self._lines: LinePass | None = None
        self._clock = StepClock()
        self._times = StepTimes() if config.times else None
        self._costs = OptionCosts(config) if costs else None
        self._trace: str | None = None

    def is_of(self, what: str, loop: Loop) -> bool:
        """Returns whether a step belongs to these: it has the same kind and size, and is not part of such a step."""
        return what == self.what and size_of(loop.unit) == size_of(self.unit)

    def may_give_way(self, what: str, loop: Loop) -> bool:
        """Returns whether larger steps may be counted instead: a model may be called before its first whole call."""
        is_larger = what == self.what and size_of(loop.unit) > size_of(self.unit)
        return is_larger and self._recording is None and not self.is_recorded

    @property
    def ended(self) -> int:
        """Number of steps that have ended."""
        return self._ended

    @property
    def is_everywhere(self) -> bool:
        """Whether a step may be in any thread: a server may have one for each request."""
        return self.unit == REQUEST

    @property
    def is_recording(self) -> bool:
        """Whether the profiler runs."""
        return isinstance(self._recording, Recording) or (self._costs is not None and self._costs.is_recording)

    @property
    def recorded(self) -> int:
        """Number of completely recorded steps."""
        return self._plan[: self._ended].count("recording")

    @property
    def is_recorded(self) -> bool:
        """Whether everything requested has been recorded."""
        return "recording" not in self._plan[self._ended :] and "lines" not in self._plan[self._ended :]

    @property
    def may_begin_again(self) -> bool:
        """Whether others may be recorded in their place: not after a recording of training, nor under nsys, which ends
        with its first range."""
        return not self.is_recorded or self.what != "train" if self._is_recorder else self._recording is None

    @property
    def may_stop(self) -> bool:
        """Whether ending the script now would lose nothing but the time of steps without the profiler."""
        return self.is_recorded and (self._costs is None or self.is_done)

    @property
    def is_done(self) -> bool:
        """Whether nothing is left to do, not even to time a step."""
        return self._ended >= len(self._plan)

    def will_record(self) -> bool:
        """Returns whether the profiler starts at the end of the current step."""
        return self._recording is None and self._next(1) in ("pre-warm", "recording", "lines")

    def end_one(self) -> None:
        """Handles the end of a step."""
        before, after = self._next(0), self._next(1)
        if self._times is not None and before == "recording":
            self._times.step_ends()
        if self._costs is not None:
            self._costs.step_ends(before, after)
        self._clock.step_ends(self._timed(after))
        self._ended += 1
        self._tell(before, after)
        if self._recording is not None or not self.is_recorded:
            self._context.lines.step_ends()
        if before != after and after in ("recording", "lines"):
            # Work that earlier steps have queued would run, and be recorded, in this one.
            synchronize()
        if before in ("recording", "lines") and after != before:
            # The profiler stops with its last step; another thread may have lines open.
            self._context.lines.end()
        if self._recording is not None:
            self._recording.step()
        if before in ("recording", "lines") and after != before:
            self._finish(before, "complete")
        if self._recording is None and after in ("pre-warm", "recording", "lines"):
            self._begin(after)
        if self.is_done:
            self._tell_overhead()
        self._clock.step_begins(self._timed(after))
        if self._costs is not None:
            self._costs.step_begins(after)
        self._context.lines.step_begins()
        if self._times is not None and after == "recording":
            self._times.step_begins()

    def stop_costs(self) -> None:
        """Stops measuring the costs of options."""
        if self._costs is not None:
            self._costs.stop()
            del self._plan[self._ended + 1 :]
            self._costs = None

    def drop(self) -> None:
        """Stops, and drops the recording."""
        self._stop()

    def flush(self, why: str) -> None:
        """The process ends: writes the recorded steps."""
        if self._recording is not None:
            self._finish(self._next(0) or "", why)
        self._tell_overhead()
        if self._costs is not None:
            self._costs.stop()

    def _next(self, ahead: int) -> str | None:
        """Returns the phase of the current step, or of a later one; None after the last."""
        index = self._ended + ahead
        return self._plan[index] if index < len(self._plan) else None

    def _begin(self, phase: str) -> None:
        config = self._context.config
        if phase == "lines":
            self._recording = Recording(config, "lines", (0, 1))
            self._lines = LinePass(self._context.paths, self._context.labels)
            self._lines.begin()
        elif self._is_recorder:
            self._recording = Recording(config, "steps", (config.prewarm, config.active), self.is_everywhere)
            self._context.lines.begin()
        else:
            self._recording = WatchedSteps(config)
            return
        self._context.tell("recording", what=self._recording.kind)

    def _finish(self, phase: str, why: str) -> None:
        with self._context.writing:
            recording = self._stop()
            if recording is None:
                return
            is_lines = phase == "lines"
            steps = self._plan[: self._ended].count("lines") if is_lines else self.recorded
            if isinstance(recording, Recording):
                trace = save(self._context, recording, why, steps, self.what, self.loop, self._first, self._left)
                if not is_lines:
                    self._trace = trace
            if not is_lines:
                self._tell_times()

    def _tell_times(self) -> None:
        if self._times is not None:
            self._context.tell("times", what=self.what, **self._times.to_json())

    def _stop(self) -> Recording | WatchedSteps | None:
        recording, self._recording = self._recording, None
        if recording is not None:
            self._context.lines.end()
        if self._lines is not None:
            self._lines.end()
            self._lines = None
        if self._costs is not None:
            self._costs.stop()
        if recording is not None:
            recording.stop()
        return recording

    def _tell(self, before: str | None, after: str | None) -> None:
        # The present recording matters more than the earlier one.
        phase = after if after in ("recording", "lines") else before
        if phase in ("warm-up", "pre-warm", "recording", "lines"):
            done = self._plan[: self._ended].count(phase)
            self._context.tell("step", phase=phase, done=done, total=self._plan.count(phase), what=self.what)
        elif is_cost_phase(phase):
            done = sum(map(is_cost_phase, self._plan[: self._ended]))
            self._context.tell(
                "step", phase="costs", done=done, total=sum(map(is_cost_phase, self._plan)), what=self.what
            )

    def _tell_overhead(self) -> None:
        overhead: dict[str, Any] | None = self._clock.overhead()
        costs = None if self._costs is None else self._costs.to_json()
        if overhead is not None and self._trace is not None:
            with self._context.writing:
                more = {} if costs is None else {"optionCosts": costs}
                add_to_sidecar(self._trace, overhead=overhead, **more)
                self._context.tell("overhead", path=self._trace, **overhead)
                if costs is not None:
                    self._context.tell("costs", path=self._trace, **costs)
                self._trace = None

    def _timed(self, phase: str | None) -> str | None:
        """Returns the phase if its steps are timed. The very first step is not: the clock starts when it ends."""
        # If a script only calls forward, its opening is recorded through the warm-up.
        if phase == "warm-up" and self.what == "forward":
            return None
        return phase if phase in ("warm-up", "recording", "plain") else None
