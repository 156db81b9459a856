"""Steps timed one by one, with a profiler and without."""

from __future__ import annotations

from typing import Any, Callable

import pytest
from conftest import Run

Record = Callable[..., Run]

TRAINING = """\
import time, torch
net = torch.nn.Linear(4, 4)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(9):
    began = time.perf_counter_ns()
    time.sleep(0.5 if step == 4 else 0.005)
    net(torch.randn(2, 4)).sum().backward()
    took = time.perf_counter_ns() - began
    print("took", took, began, flush=True)
    optimizer.step()
    optimizer.zero_grad()
print("the end")
"""

INFERENCE = """\
import time, torch
net = torch.nn.Sequential(torch.nn.Linear(4, 4))
with torch.no_grad():
    for _ in range(9):
        time.sleep(0.005)
        net(torch.randn(2, 4))
"""


def times_of(run: Run) -> dict[str, Any]:
    assert run.status == 0, run.stderr
    return run.event("times")


def expect_steps(run: Run, first: int) -> None:
    """Expects the times of four steps from `first` on, of which the second is the long one."""
    lines = [line.split()[1:] for line in run.stdout.splitlines() if line.startswith("took")]
    took, began = ([int(words[at]) for words in lines] for at in range(2))
    times = times_of(run)["stepNs"]
    assert len(times) == 4
    # A step is longer than its middle, which the script's own clock has told; all are within what it told around them.
    assert all(ours >= own for ours, own in zip(times, took[first:]))
    assert times[1] >= 500_000_000
    assert sum(times) <= began[first + 4] - (began[first - 1] + took[first - 1])


def test_a_timer_records_nothing_and_times_the_steps_behind_the_warm_up(record: Record) -> None:
    run = record(TRAINING, options=("--profiler", "timer", "--times", "--warmup", "2", "--active", "4"))
    times = times_of(run)
    assert (times["what"], times["eventNs"], times["device"]) == ("train", None, "cpu")
    # Steps 0 and 1 warm up, step 2 is where a profiler would; of step 4 the script makes a long one.
    expect_steps(run, first=3)
    assert run.traces == []
    assert [path.name for path in run.out.iterdir()] == ["events.jsonl"]
    assert run.stdout.endswith("the end\n")
    assert run.event("exit")["status"] == 0


def test_the_same_steps_are_timed_under_the_profiler(record: Record) -> None:
    run = record(TRAINING, options=("--times", "--warmup", "2", "--active", "4"))
    expect_steps(run, first=3)
    assert len(run.traces) == 1


def test_a_run_can_end_with_its_measured_steps(record: Record) -> None:
    run = record(TRAINING, options=("--profiler", "timer", "--times", "--active", "2", "--after", "stop"))
    assert len(times_of(run)["stepNs"]) == 2
    assert "the end" not in run.stdout


@pytest.mark.parametrize("step", ["auto", "infer"])
def test_steps_of_inference_are_timed(record: Record, step: str) -> None:
    times = times_of(record(INFERENCE, options=("--profiler", "timer", "--times", "--step", step)))
    assert (times["what"], len(times["stepNs"])) == ("infer", 3)
    assert min(times["stepNs"]) >= 5_000_000


def test_a_script_that_ends_too_early_tells_the_steps_it_took(record: Record) -> None:
    run = record(TRAINING, options=("--profiler", "timer", "--times", "--active", "50"))
    assert len(times_of(run)["stepNs"]) == 6


def test_a_script_without_steps_tells_no_times(record: Record) -> None:
    run = record("import torch\ntorch.ones(2)\n", options=("--profiler", "timer", "--times"))
    assert run.status == 0
    assert {event["event"] for event in run.events} == {"started", "armed", "exit"}
