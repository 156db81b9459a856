"""Requests to an idle session: a trigger from outside, or the schedule of the run."""

from __future__ import annotations

import dataclasses
import time
from typing import Any

from .config import Config, step_place

_FLAGS = {"shapes": "shapes", "stack": "stack", "memory": "memory", "lines": "lines"}
"""The recording options of a trigger, and the configuration's members for them."""


STEPS = ("auto", "train", "infer")
"""The steps that a trigger may request, besides the place of a loop."""


@dataclasses.dataclass(frozen=True)
class Trigger:
    """A requested recording."""

    id: str
    steps: int | None
    """Number of steps to record; None for the run's number."""
    ranks: tuple[int, ...] | None
    """The ranks to record; None for all."""
    step: str | None
    """What a step is; None for the run's definition."""
    flags: dict[str, bool]

    def applied(self, config: Config) -> Config:
        """Returns the configuration of the recording. The process is warm, so one warm-up step for the hooks
        suffices."""
        return dataclasses.replace(
            config,
            trigger=self.id,
            warmup=1,
            active=config.active if self.steps is None else self.steps,
            step=config.step if self.step is None else self.step,
            ranks=config.ranks if self.ranks is None else self.ranks,
            **self.flags,
        )


@dataclasses.dataclass(frozen=True)
class Due:
    """When the next recording begins."""

    at: int | None
    """The number of steps after which its warm-up begins; None for the next step."""
    config: Config
    since: float = dataclasses.field(default_factory=time.monotonic)
    """When it was requested, or its steps began to be sought."""


def parse_trigger(request: dict[str, Any]) -> Trigger | None:
    """Returns the recording that a request asks for; None for an invalid request."""
    identifier, steps, ranks = request.get("id"), request.get("steps"), request.get("ranks")
    if not isinstance(identifier, str) or not (steps is None or _is_count(steps, 1)):
        return None
    if ranks is not None and not (isinstance(ranks, list) and all(_is_count(rank, 0) for rank in ranks)):
        return None
    flags = {member: request[key] for key, member in _FLAGS.items() if isinstance(request.get(key), bool)}
    step = request.get("step")
    if step is not None and not (isinstance(step, str) and (step in STEPS or step_place(step) is not None)):
        return None
    return Trigger(identifier, steps, None if ranks is None else tuple(ranks), step, flags)


def _is_count(value: object, least: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= least
