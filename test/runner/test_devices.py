"""What the process computes on decides what is recorded; no device is woken to find that out.

No GPU is at hand: the modules by which torch tells of one are stand-ins here.
"""

from __future__ import annotations

import pathlib
import sys
import types
from typing import Any, Callable

import pytest
import torch
from conftest import RUNNER
from torch.profiler import ProfilerActivity

sys.path.insert(0, str(RUNNER))

from gpulens_runner import devices, step_times  # noqa: E402 -- the runner is no installed package.
from gpulens_runner.config import Config  # noqa: E402
from gpulens_runner.watched_steps import WatchedSteps  # noqa: E402


class Event:
    """An event in a stream: the time between two of them is 1.5 ms each."""

    made = 0

    def __init__(self, enable_timing: bool) -> None:
        assert enable_timing
        self.place = -1

    def record(self) -> None:
        self.place = Event.made
        Event.made += 1

    def elapsed_time(self, end: Event) -> float:
        return 1.5 * (end.place - self.place)


def wakes() -> None:
    raise AssertionError("asking whether there is a GPU initialises its driver")


@pytest.fixture
def waited(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Takes all devices away; what is waited for."""
    monkeypatch.setattr(torch, "cuda", types.SimpleNamespace(is_initialized=lambda: False, is_available=wakes))
    monkeypatch.delattr(torch, "xpu", raising=False)
    monkeypatch.setattr(torch.backends, "mps", types.SimpleNamespace(is_available=lambda: False))
    monkeypatch.delattr(torch, "mps", raising=False)
    return []


@pytest.fixture
def use(monkeypatch: pytest.MonkeyPatch, waited: list[str]) -> Callable[[str], None]:
    """Puts a device in its place that the process uses."""

    def put(name: str) -> None:
        device = types.SimpleNamespace(
            is_initialized=lambda: True,
            is_available=wakes,
            get_device_name=lambda: f"a {name}",
            synchronize=lambda: waited.append(name),
            current_allocated_memory=lambda: 1,
            Event=Event,
            profiler=types.SimpleNamespace(
                start=lambda: waited.append("profiler starts"), stop=lambda: waited.append("profiler stops")
            ),
        )
        monkeypatch.setattr(torch, name, device, raising=False)
        if name == "mps":
            monkeypatch.setattr(torch.backends, "mps", types.SimpleNamespace(is_available=lambda: True))

    return put


def kinds(device: str = "auto") -> list[Any]:
    return devices.activities(device)


def test_a_process_without_gpu_is_recorded_on_the_cpu(waited: list[str]) -> None:
    assert (kinds(), devices.device_name()) == ([ProfilerActivity.CPU], "cpu")
    devices.synchronize()
    assert waited == []


@pytest.mark.parametrize("name", ["cuda", "xpu"])
def test_a_gpu_that_is_used_is_recorded_and_waited_for(
    use: Callable[[str], None], waited: list[str], name: str
) -> None:
    use(name)
    assert kinds() == [ProfilerActivity.CPU, getattr(ProfilerActivity, name.upper())]
    assert kinds("cpu") == [ProfilerActivity.CPU]
    assert devices.device_name() == f"a {name}"
    devices.synchronize()
    assert waited == [name]


def test_on_mps_times_of_the_cpu_are_recorded_and_the_gpu_is_waited_for(
    use: Callable[[str], None], waited: list[str]
) -> None:
    use("mps")
    assert (kinds(), devices.device_name()) == ([ProfilerActivity.CPU], "mps")
    devices.synchronize()
    assert waited == ["mps"]


def test_mps_that_is_there_and_not_used_is_no_device_of_the_process(
    monkeypatch: pytest.MonkeyPatch, use: Callable[[str], None], waited: list[str]
) -> None:
    use("mps")
    monkeypatch.setattr(torch, "mps", types.SimpleNamespace(current_allocated_memory=lambda: 0))
    assert devices.device_name() == "cpu"
    devices.synchronize()
    assert waited == []


def test_a_driver_that_fails_when_it_is_asked_is_no_device(
    monkeypatch: pytest.MonkeyPatch, use: Callable[[str], None]
) -> None:
    def fails() -> bool:
        raise RuntimeError("driver shutting down")

    for name in ("cuda", "xpu"):
        monkeypatch.setattr(torch, name, types.SimpleNamespace(is_initialized=fails), raising=False)
    assert (kinds(), devices.device_name()) == ([ProfilerActivity.CPU], "cpu")


def test_on_cuda_each_step_has_the_time_between_two_events_too(use: Callable[[str], None], waited: list[str]) -> None:
    use("cuda")
    times = step_times.StepTimes()
    for _ in range(2):
        times.step_begins()
        times.step_ends()
    found = times.to_json()
    assert (found["eventNs"], found["device"], len(found["stepNs"])) == ([1_500_000, 1_500_000], "a cuda", 2)
    # Where a step begins and where it ends.
    assert waited == ["cuda"] * 4


def test_on_mps_each_step_is_timed_by_the_clock_alone(use: Callable[[str], None], waited: list[str]) -> None:
    use("mps")
    times = step_times.StepTimes()
    times.step_begins()
    times.step_ends()
    found = times.to_json()
    assert (found["eventNs"], found["device"], len(found["stepNs"])) == (None, "mps", 1)
    assert waited == ["mps", "mps"]


def test_nsys_captures_the_measured_steps_by_the_profiler_of_cuda(
    use: Callable[[str], None], waited: list[str], tmp_path: pathlib.Path
) -> None:
    use("cuda")
    folder = str(tmp_path)
    watched = WatchedSteps(Config(out=folder, events=folder, root=folder, prewarm=1, capture="cuda"))
    assert waited == []
    watched.step()
    assert waited == ["cuda", "profiler starts"]
    watched.stop()
    watched.stop()
    assert waited == ["cuda", "profiler starts", "cuda", "profiler stops"]
