"""The configuration of a run. It is passed to every process of the run in one environment variable."""

from __future__ import annotations

import dataclasses
import json
import os
import re

VARIABLE = "GPULENS_CONFIG"

_PLACE = re.compile(r"(?!range:)(.+):(\d+)", re.DOTALL)

RANGE = "range:"
"""Prefix of a `step` that is the name of a range."""


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
    """The workspace: paths of files inside it are relative to it in sidecars."""
    host: str = ""
    """The host that the run was started on, as in `host.py`; empty for this one."""
    control: str = ""
    """File with requests to the running run; empty for none."""
    run: str = ""
    """Identifies this run: every process of it has it in its environment."""
    name: str = ""
    """The base name of traces; empty for the program's name."""
    git_commit: str | None = None
    """The workspace's commit when the run began."""
    warmup: int = 2
    prewarm: int = 1
    active: int = 3
    step: str = "auto"
    """What a step is: auto, train, infer, range:NAME, FILE:LINE for the steps of one loop, or window for none."""
    window_delay_seconds: float = 10.0
    """Delay of a time window after the import of torch, or in a forked process after the fork. A process that is forked
    after its parent's window has none."""
    window_seconds: float = 5.0
    profiler: str = "pytorch"
    """What records the steps: pytorch; nsys (which runs around this process); timer for nothing; or loops, which counts
    the steps of every loop and records none."""
    times: bool = False
    """Whether each measured step is timed by itself, with the GPU idle at its beginning and its end."""
    capture: str | None = None
    """How nsys is notified of the measured steps, if it records only these: cuda, nvtx, or None if it records
    everything."""
    idle: bool = False
    """Whether nothing is recorded until a trigger requests it."""
    trigger: str | None = None
    """The trigger that requested this recording; None for the run's own."""
    skip: int = 0
    """Number of steps before the warm-up begins."""
    every: int = 0
    """Number of steps between the beginnings of two recordings."""
    recordings: int = 1
    """Number of recordings, if they repeat."""
    ranks: tuple[int, ...] | None = None
    """The ranks to record; None for all. A process without a distributed job counts as rank 0."""
    stops: bool = False
    """Whether the script ends when its steps have been recorded."""
    stop_wait_seconds: float = 30.0
    """How long the script continues if only inference was recorded, because training may follow, which matters more."""
    modules: bool = True
    """Whether each module call is recorded as a range."""
    automatic: bool = True
    """Whether untagged lines of the user's own code are recorded as ranges."""
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
    """Whether further steps are taken after the recorded ones, to measure the costs of shapes, stacks and memory."""
    device: str = "auto"
    """auto: the devices that the process uses; cpu: no GPU activity."""
    opening_seconds: float = 20.0
    """How long the opening of a script is recorded while no step has ended."""

    @property
    def waits(self) -> bool:
        """Whether the recording waits for a trigger or a schedule, and does not begin with the first step."""
        return self.idle or self.skip > 0 or self.recordings > 1

    @property
    def step_range(self) -> str | None:
        """The name of the range that is a step; None if a step is something else."""
        return self.step[len(RANGE) :] if self.step.startswith(RANGE) else None

    @property
    def counts_training(self) -> bool:
        """Whether steps of training are recorded: those that were requested, or those that are found."""
        return self.step in ("auto", "train")

    @property
    def step_place(self) -> tuple[str, int] | None:
        """The file and line of the loop whose steps are recorded; None if a step is something else."""
        return step_place(self.step)

    def to_environment(self) -> str:
        """Returns the value of the environment variable."""
        return json.dumps(dataclasses.asdict(self))

    @staticmethod
    def from_environment() -> Config | None:
        """Returns the configuration of the run that this process belongs to; None if it belongs to none."""
        text = os.environ.get(VARIABLE)
        if not text:
            return None
        known = {field.name for field in dataclasses.fields(Config)}
        members = {key: value for key, value in json.loads(text).items() if key in known}
        ranks = members.get("ranks")
        return Config(**{**members, "ranks": None if ranks is None else tuple(ranks)})


def step_place(step: str) -> tuple[str, int] | None:
    """Returns the file and line in a `step`; None if it has none."""
    found = _PLACE.fullmatch(step)
    return None if found is None else (found[1].replace(os.sep, "/"), int(found[2]))
