"""Measures the costs of profiler options per step: a few steps with each option, compared with as many without any."""

from __future__ import annotations

import dataclasses
from typing import Any

from .config import Config
from .recorder import Recording
from .step_times import StepTimes

_OPTIONS: dict[str, dict[str, bool]] = {
    "none": {},
    "shapes": {"shapes": True},
    "stacks": {"stack": True},
    "memory": {"memory": True},
}
_START = "start "
_COST = "cost "


def cost_phases(active: int) -> list[str]:
    """Returns the measuring phases: for each option one step in which the profiler starts, and the timed ones."""
    return [phase for option in _OPTIONS for phase in [_START + option, *[_COST + option] * active]]


def is_cost_phase(phase: str | None) -> bool:
    """Returns whether a phase is one of those."""
    return phase is not None and phase.startswith((_START, _COST))


class OptionCosts:
    """Records steps that nobody reads, and times them one by one, with the GPU idle at the beginning and end of
    each."""

    def __init__(self, config: Config) -> None:
        self._config = config
        self._times = {"plain": StepTimes(), **{_COST + option: StepTimes() for option in _OPTIONS}}
        self._recording: Recording | None = None

    @property
    def is_recording(self) -> bool:
        """Whether the profiler runs."""
        return self._recording is not None

    def step_ends(self, phase: str | None, next_phase: str | None) -> None:
        """Handles the end of a step, which is timed before anything else is done."""
        if phase in self._times:
            self._times[phase].step_ends()
        if self._recording is not None:
            self._recording.step()
            if next_phase != phase and (phase or "").startswith(_COST):
                self.stop()

    def step_begins(self, phase: str | None) -> None:
        """Handles the beginning of a step, whose time is taken last of all."""
        if phase is not None and phase.startswith(_START):
            with_one = dataclasses.replace(self._config, **_with_one(phase[len(_START) :]))
            self._recording = Recording(with_one, "costs", (1, self._config.active))
        if phase in self._times:
            self._times[phase].step_begins()

    def stop(self) -> None:
        """Ends the present recording, and drops it."""
        recording, self._recording = self._recording, None
        if recording is not None:
            recording.stop()

    def to_json(self) -> dict[str, Any] | None:
        """Returns the steps' durations in ns; None until the steps without options are there to compare with."""
        times = {phase: times.to_json()["stepNs"] for phase, times in self._times.items()}
        plain, none = times["plain"], times[_COST + "none"]
        if not plain or len(none) < self._config.active:
            return None
        options = {option: times[_COST + option] for option in _OPTIONS if option != "none"}
        measured = {option: steps for option, steps in options.items() if len(steps) == self._config.active}
        return {"plainNs": plain, "noneNs": none, "options": measured}


def _with_one(option: str) -> dict[str, Any]:
    return {"shapes": False, "stack": False, "memory": False, **_OPTIONS[option]}
