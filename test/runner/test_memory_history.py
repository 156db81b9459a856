"""`--memory-history` writes what CUDA's allocator did as a snapshot: when the steps are recorded, or memory runs out.

No GPU is at hand: the script puts a stand-in in the allocator's place, and wakes it as CUDA's initialisation would.
"""

from __future__ import annotations

import os
import pathlib
import pickle
import sys
from types import SimpleNamespace
from typing import Any, Callable

import pytest
from conftest import RUNNER, Run

sys.path.insert(0, str(RUNNER))

from gpulens_runner.config import Config  # noqa: E402 -- the runner is no installed package.
from gpulens_runner.memory_history import MemoryHistory  # noqa: E402

OPTIONS = ("--warmup", "1", "--prewarm", "0", "--active", "2", "--memory-history")

SCRIPT = """
import torch

calls, observers = [], []
torch.cuda.memory._record_memory_history = lambda **options: calls.append(options)
torch.cuda.memory._snapshot = lambda: {"segments": [], "device_traces": [[]], "calls": list(calls)}
torch._C._cuda_attach_out_of_memory_observer = observers.append

def wake():
    for call, _ in torch.cuda._queued_calls:
        if getattr(call, "__self__", None).__class__.__name__ == "MemoryHistory":
            call()

model = torch.nn.Linear(4, 4)
optimizer = torch.optim.SGD(model.parameters(), 0.1)

def step():
    optimizer.zero_grad()
    model(torch.ones(2, 4)).sum().backward()
    optimizer.step()
"""


def snapshot(run: Run) -> tuple[dict[str, Any], Any]:
    """The only snapshot: its event, and what is in it."""
    event = run.event("snapshot")
    with open(event["path"], "rb") as file:
        return event, pickle.load(file)


def test_the_history_begins_with_the_gpu_and_ends_with_the_recorded_steps(record: Callable[..., Run]) -> None:
    run = record(SCRIPT + "wake()\nfor _ in range(8): step()\nprint(calls[-1])", options=OPTIONS)
    assert run.status == 0, run.stderr
    event, kept = snapshot(run)
    assert event["why"] == "complete"
    assert event["path"] == str(run.out / "train.memory.pickle")
    assert kept["calls"] == [{"context": "all", "stacks": "python", "max_entries": 1_000_000}]
    assert run.stdout == "{'enabled': None}\n"


def test_stacks_have_no_calls_of_the_recorder(record: Callable[..., Run]) -> None:
    run = record(
        SCRIPT
        + """
import os, sys
from gpulens_runner import own_code
mine = {"filename": os.path.abspath(__file__), "line": 7, "name": "step"}
stack = [{"filename": own_code.RUNNER_FOLDER + "automatic_lines.py", "line": 1, "name": "call"}, mine]
torch.cuda.memory._snapshot = lambda: {
    "segments": [{"blocks": [{"frames": stack}, {"state": "inactive"}]}],
    "device_traces": [[{"action": "alloc", "frames": stack}, {"action": "oom", "frames": []}]],
}
wake()
for _ in range(8): step()
""",
        options=OPTIONS,
    )
    assert run.status == 0, run.stderr
    _, kept = snapshot(run)
    stacks = [kept["segments"][0]["blocks"][0]["frames"], kept["device_traces"][0][0]["frames"]]
    assert [[frame["name"] for frame in frames] for frames in stacks] == [["step"], ["step"]]


def test_the_first_lack_of_memory_is_kept(record: Callable[..., Run]) -> None:
    full = "observers[0](0, 1 << 30, 0, 0)\nobservers[0](0, 1 << 30, 0, 0)\nraise torch.OutOfMemoryError('CUDA')"
    run = record(SCRIPT + "wake()\nstep()\n" + full, options=OPTIONS)
    assert run.status == 1
    event, _ = snapshot(run)
    assert event["why"] == "out-of-memory"


def test_a_script_that_ends_early_has_its_history(record: Callable[..., Run]) -> None:
    run = record(SCRIPT + "wake()\nstep()", options=OPTIONS)
    event, _ = snapshot(run)
    assert (event["why"], run.status) == ("exit", 0)


def test_a_failing_allocator_costs_the_script_nothing(record: Callable[..., Run]) -> None:
    run = record(
        SCRIPT + "torch.cuda.memory._snapshot = lambda: 1 / 0\nwake()\nfor _ in range(8): step()", options=OPTIONS
    )
    assert run.status == 0
    assert run.event("error")["message"] == "Profiling stopped: ZeroDivisionError: division by zero"
    assert run.event("trace")["steps"] == 2


@pytest.mark.parametrize("option", ["--memory-history", "--active=2"])
def test_without_a_gpu_the_trace_has_the_allocations_instead(record: Callable[..., Run], option: str) -> None:
    run = record(SCRIPT + "for _ in range(8): step()", options=(*OPTIONS[:-1], option))
    assert not [event for event in run.events if event["event"] == "snapshot"]
    has_allocations = any(event["name"] == "[memory]" for event in run.trace()["traceEvents"])
    assert has_allocations == (option == "--memory-history")


class Other:
    """Pickling it writes another snapshot of the run, as another process does meanwhile."""

    def __init__(self, save: Callable[[], None]) -> None:
        self._save = save

    def __reduce__(self) -> tuple[type[str], tuple[str]]:
        self._save()
        return str, ("first",)


def test_two_snapshots_at_once_have_files_of_their_own(tmp_path: pathlib.Path) -> None:
    told: list[str] = []
    context: Any = SimpleNamespace(
        config=Config(out=str(tmp_path), events="e", root="r", name="train"),
        tell=lambda _event, path, why: told.append(path),
    )
    first, second = MemoryHistory(context), MemoryHistory(context)
    first._save(Other(lambda: second._save("second", "exit")), "exit")
    assert sorted(os.listdir(tmp_path)) == sorted(os.path.basename(path) for path in told)
    assert [pickle.load(open(path, "rb")) for path in told] == ["second", "first"]
