"""A failure of ours: what was recorded is written, and from then on the script runs alone."""

from __future__ import annotations

from typing import Callable

import pytest
from conftest import Run

Record = Callable[..., Run]

SCRIPT = """\
import sys, threading, torch
from torch.nn.modules import module as modules
from torch.profiler import record_function
net = torch.nn.Linear(8, 8)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
def train(steps):
    for step in range(steps):
        with record_function("train_step"):
            optimizer.zero_grad(); net(torch.randn(2, 8)).sum().backward(); optimizer.step()
def fails(*_):
    raise ValueError("boom")
def ours(name):
    return sys.modules["gpulens_runner." + name]
def tell():
    print(torch.autograd._profiler_enabled(), len(modules._global_forward_hooks), flush=True)
"""


@pytest.mark.parametrize(
    ("begins", "fails", "kind", "steps"),
    [
        ("train(4)", "ours('recorder').Recording.step = fails", "steps", 2),
        ("train(2)", "ours('recorder').Recording.step = fails", "opening", 0),
        ("train(4)", "ours('step_clock').StepClock.step_ends = fails", "steps", 1),
        ("net(torch.randn(2, 8))", "ours('session').Session._takes = fails", "opening", 0),
    ],
)
def test_what_was_recorded_is_written_and_nothing_of_ours_goes_on(
    record: Record, begins: str, fails: str, kind: str, steps: int
) -> None:
    run = record(f"{SCRIPT}{begins}\n{fails}\ntrain(1)\ntell()\ntrain(9)\n")
    assert (run.status, run.stdout) == (0, "False 0\n"), run.stderr
    assert run.event("error")["message"] == "Profiling stopped: ValueError: boom"
    trace = run.event("trace")
    assert (trace["kind"], trace["steps"], trace["why"]) == (kind, steps, "error")
    assert run.trace()["traceEvents"]


def test_a_recording_that_cannot_be_stopped_ends_all_the_same(record: Record) -> None:
    run = record(SCRIPT + "train(4)\ntorch.profiler.profile.stop = fails\ntrain(2)\ntell()\ntrain(9)\n")
    assert (run.status, run.stdout) == (0, "False 0\n"), run.stderr
    assert [event["message"] for event in run.events if event["event"] == "error"] == [
        "Profiling stopped: ValueError: boom"
    ]


def test_the_recording_of_the_main_thread_is_ended_by_that(record: Record) -> None:
    source = """
net(torch.randn(2, 8))
ours("session").Session._takes = fails
thread = threading.Thread(target=train, args=(1,))
thread.start(); thread.join(); tell()
with record_function("after"): net(torch.randn(2, 8))
tell()
"""
    run = record(SCRIPT + source)
    assert (run.status, run.stdout) == (0, "True 1\nFalse 0\n"), run.stderr
    trace = run.event("trace")
    assert (trace["kind"], trace["why"]) == ("opening", "error")


def test_the_recording_of_another_thread_is_ended_by_any(record: Record) -> None:
    source = """
def work():
    net(torch.randn(2, 8)); tell(); begun.set()
    failed.wait(); tell()
    with record_function("after"): net(torch.randn(2, 8))
    tell()
begun, failed = threading.Event(), threading.Event()
thread = threading.Thread(target=work)
thread.start(); begun.wait()
ours("session").Session._takes = fails
train(1)
failed.set(); thread.join()
"""
    run = record(SCRIPT + source)
    # `_profiler_enabled()` is False in every thread if all threads are recorded.
    assert (run.status, run.stdout) == (0, "False 1\nFalse 0\nFalse 0\n"), run.stderr
    trace = run.event("trace")
    assert (trace["kind"], trace["why"]) == ("opening", "error")
