"""Ctrl+C while torch's profiler starts, goes on or stops: the script's later code must not run under it."""

from __future__ import annotations

import sys
from typing import Any

import pytest
import torch
from conftest import RUNNER
from torch.profiler import profile

sys.path.insert(0, str(RUNNER))

from gpulens_runner.config import Config  # noqa: E402 -- the runner is no installed package.
from gpulens_runner.recorder import Recording  # noqa: E402

CONFIG = Config(out="out", events="events", root="root", device="cpu")


def record(steps: tuple[int, int] | None) -> None:
    recording = Recording(CONFIG, "steps", steps)
    for _ in range(0 if steps is None else sum(steps)):
        recording.step()
    recording.stop()


@pytest.mark.parametrize(
    ("method", "is_done", "steps"),
    [("start", True, None), ("step", True, (1, 1)), ("stop", False, None), ("stop", True, (0, 2))],
)
def test_an_interrupt_leaves_no_profiler_behind(
    monkeypatch: pytest.MonkeyPatch, method: str, is_done: bool, steps: tuple[int, int] | None
) -> None:
    real = getattr(profile, method)

    def interrupted(self: Any) -> None:
        if is_done:
            real(self)
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(profile, method, interrupted)
        with pytest.raises(KeyboardInterrupt):
            record(steps)
    assert not torch.autograd._profiler_enabled()
    record((1, 1))
