"""What a run is asked to do. It travels to every process of the run in one environment variable."""

from __future__ import annotations

import dataclasses
import json
import os
import re

VARIABLE = "GPULENS_CONFIG"

_PLACE = re.compile(r"(?!range:)(.+):(\d+)", re.DOTALL)

RANGE = "range:"
"""Begins a `step` that is the name of a range."""


@dataclasses.dataclass(frozen=True)
class Config:
    """The options of one run.

    Steps are counted from the first one that the script finishes: `warmup` steps run unobserved, `prewarm` with the
    profiler running but not recording, `active` are recorded.
    """

    out: str
    """Folder for traces and sidecars."""
    events: str
    """File that events are appended to, one JSON object a line."""
    root: str
    """The workspace: paths in sidecars are relative to it where they lie inside."""
    host: str = ""
    """The host that the run was started on, as in `host.py`; empty for this one."""
    control: str = ""
    """File that says what is asked of the run while it runs; empty for none."""
    run: str = ""
    """Names this run among all: every process of it has it in its environment."""
    name: str = ""
    """What traces are named after; empty for the program."""
    git_commit: str | None = None
    """The commit that the workspace was at when the run began."""
    warmup: int = 2
    prewarm: int = 1
    active: int = 3
    step: str = "auto"
    """What a step is: auto, train, infer, range:NAME, FILE:LINE for those of one loop, or window for none."""
    window_delay_seconds: float = 10.0
    """How long after the import of torch a time window begins."""
    window_seconds: float = 5.0
    profiler: str = "pytorch"
    """What records the steps: pytorch, nsys (which runs around this process), timer for nobody, or loops: the steps of
    every loop are counted then, and none are recorded."""
    times: bool = False
    """Whether each measured step is timed by itself, with the GPU idle where it begins and where it ends."""
    capture: str | None = None
    """How nsys is told of the measured steps, which it records alone: cuda, nvtx, or None where it records all."""
    idle: bool = False
    """Whether nothing is recorded until a trigger asks for it."""
    trigger: str | None = None
    """The trigger that asked for this recording; None for the run's own."""
    skip: int = 0
    """How many steps pass before the warm-up begins."""
    every: int = 0
    """How many steps lie between the beginnings of two recordings."""
    recordings: int = 1
    """How many recordings are made, where they repeat."""
    ranks: tuple[int, ...] | None = None
    """The ranks that are recorded; None for all. A process of no distributed job counts as rank 0."""
    stops: bool = False
    """Whether the script ends when its steps are recorded."""
    stop_wait_seconds: float = 30.0
    """How long it goes on then where only inference was seen: training may follow, and is what people mean."""
    modules: bool = True
    """Whether each module call is recorded as a range."""
    automatic: bool = True
    """Whether lines of the person's own code are recorded as ranges without a tag."""
    sites: bool = True
    """Whether the lines that open ranges are noted."""
    shapes: bool = True
    stack: bool = False
    memory: bool = False
    memory_history: bool = False
    """Whether the CUDA allocator's history is written as a memory snapshot."""
    lines: bool = False
    """Whether one more step is recorded with the line of every call of torch."""
    costs: bool = False
    """Whether more steps are taken behind the recorded ones, to tell what shapes, stacks and memory cost."""
    device: str = "auto"
    """auto: what the process uses; cpu: no GPU activity."""
    opening_seconds: float = 20.0
    """How long the opening of a script is recorded while no step has ended."""

    @property
    def waits(self) -> bool:
        """Whether the recording does not begin with the first step: a trigger or a schedule begins it."""
        return self.idle or self.skip > 0 or self.recordings > 1

    @property
    def step_range(self) -> str | None:
        """The name of the range that is a step, None where a step is something else."""
        return self.step[len(RANGE) :] if self.step.startswith(RANGE) else None

    @property
    def step_place(self) -> tuple[str, int] | None:
        """The file and line of the loop whose steps are recorded, None where a step is something else."""
        return step_place(self.step)

    def to_environment(self) -> str:
        """Returns the value of the environment variable."""
        return json.dumps(dataclasses.asdict(self))

    @staticmethod
    def from_environment() -> Config | None:
        """Returns the configuration of the run that this process belongs to, None where it belongs to none."""
        text = os.environ.get(VARIABLE)
        if not text:
            return None
        known = {field.name for field in dataclasses.fields(Config)}
        members = {key: value for key, value in json.loads(text).items() if key in known}
        ranks = members.get("ranks")
        return Config(**{**members, "ranks": None if ranks is None else tuple(ranks)})


def step_place(step: str) -> tuple[str, int] | None:
    """Returns the file and line that a `step` names, None where it names none."""
    found = _PLACE.fullmatch(step)
    return None if found is None else (found[1].replace(os.sep, "/"), int(found[2]))
