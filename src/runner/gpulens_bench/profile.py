"""Records a profile of a few steps of a point."""

from __future__ import annotations

import os

from torch.profiler import profile, schedule

from gpulens_runner.devices import activities
from gpulens_runner.labels import Labels
from gpulens_runner.trace_file import write_trace

from .clock import Clock
from .tags import Tags
from .work import Work

_WARMUP, _RECORDED = 2, 3


def record(work: Work, clock: Clock, path: str) -> None:
    """Writes a trace of three steps, after two that run unrecorded, with tags open."""
    Tags.are_open = True
    for _ in range(_WARMUP):
        clock.time(work)
    os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
    # The first step under the profiler costs more than the next ones, so one more is run and dropped.
    with profile(
        activities=activities("auto"),
        schedule=schedule(wait=0, warmup=1, active=_RECORDED, repeat=1),
        record_shapes=True,
        on_trace_ready=lambda recorder: write_trace(recorder.profiler.kineto_results, path, Labels()),
    ) as recorder:
        for _ in range(1 + _RECORDED):
            clock.time(work)
            recorder.step()
