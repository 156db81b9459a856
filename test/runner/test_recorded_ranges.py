"""Ranges that are open when a recording stops: they must end before, or torch writes into memory that it has freed."""

from __future__ import annotations

import sys
from typing import Callable

import pytest
from conftest import RUNNER, Run
from small_model import MODEL

sys.path.insert(0, str(RUNNER))

from gpulens_runner.recorded_ranges import RecordedRanges  # noqa: E402 -- the runner is no installed package.

Record = Callable[..., Run]

COUNTED = """
from torch.autograd import profiler
from torch.profiler import profile
ops = torch.ops.profiler
begun, started, late = {}, [], []
real_start, real_enter = profile.start, ops._record_function_enter_new
real_leave = ops._record_function_exit._RecordFunction
def start(self):
    started.append(self)
    real_start(self)
def enter(*arguments):
    record = real_enter(*arguments)
    if profiler._is_profiler_enabled: begun[record] = (arguments[0], len(started))
    return record
def leave(record):
    name, recording = begun.pop(record, (None, None))
    if recording not in (None, len(started)): late.append(name)
    real_leave(record)
profile.start, ops._record_function_enter_new, ops._record_function_exit._RecordFunction = start, enter, leave
"""
"""Notes the ranges that torch begins under one profiler and ends under a later one."""

NOTED = """
class Noted:
    def __init__(self, name):
        self.name, self.real = name, torch._C._profiler._RecordFunctionFast(name)
    def __enter__(self):
        begun[self] = (self.name, len(started))
        return self.real.__enter__()
    def __exit__(self, *error):
        name, recording = begun.pop(self)
        if recording != len(started): late.append(name)
        return self.real.__exit__(*error)
"""
"""Does the same for a range of the recorder's own."""

TRAINING = """
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
def train():
    with record_function("all"):
        for epoch in range(6):
            with record_function("epoch"):
                for _ in range(4):
                    with record_function("step"):
                        optimizer.zero_grad(); net(data()).sum().backward(); optimizer.step()
"""


@pytest.mark.parametrize("options", [(), ("--lines", "--costs"), ("--warmup", "3", "--prewarm", "1")])
def test_no_range_ends_under_a_later_profiler_than_it_began_under(record: Record, options: tuple[str, ...]) -> None:
    run = record(MODEL + COUNTED + TRAINING + "train()\nprint(len(started) > 1, late)\n", options=options)
    assert (run.status, run.stdout) == (0, "True []\n"), run.stderr


def test_nor_does_one_of_another_thread(record: Record) -> None:
    source = """
import threading
is_inside, may_leave = threading.Event(), threading.Event()
def helps():
    with record_function("helper"):
        net(data()); is_inside.set(); may_leave.wait()
thread = threading.Thread(target=helps)
thread.start(); is_inside.wait()
train()
may_leave.set(); thread.join()
print(len(started) > 1, late)
"""
    run = record(MODEL + COUNTED + TRAINING + source)
    assert (run.status, run.stdout) == (0, "True []\n"), run.stderr


def test_nor_does_a_line_of_the_parent_in_a_forked_process(record: Record) -> None:
    source = """
import gc, os
for one in gc.get_objects():
    if type(one).__name__ == "StackLines": one._make_range = Noted
def main():
    net(data())
    print(len(begun) > 0, end=" ", flush=True)
    child = os.fork()
    if child == 0:
        train()
        print(len(started) > 2, late, flush=True)
        os._exit(0)
    os.waitpid(child, 0)
main()
"""
    run = record(MODEL + COUNTED + NOTED + TRAINING + source)
    assert (run.status, run.stdout) == (0, "True True []\n"), run.stderr


def test_a_range_that_a_recording_has_ended_is_in_its_trace_up_to_there(record: Record) -> None:
    run = record(MODEL + TRAINING + "train()\n")
    assert run.status == 0, run.stderr
    events = [event for event in run.trace()["traceEvents"] if event.get("ph") == "X" and "dur" in event]
    ends = {event["name"]: event["ts"] + event["dur"] for event in events}
    last = max(end for name, end in ends.items() if name.startswith("ProfilerStep#"))
    epochs = [event for event in events if event["name"] == "epoch"]
    assert epochs
    assert all(0 < event["dur"] and event["ts"] + event["dur"] <= last + 1e5 for event in epochs)


def test_nor_does_one_of_a_module_around_steps_that_ends_while_they_are_recorded(record: Record) -> None:
    source = """
import sys
sys.modules["gpulens_runner.module_hooks"]._Range = Noted
class Parts(torch.nn.Module):
    def forward(self, x):
        for _ in range(4):
            with record_function("part"): x = net(x)
        return x
Parts()(data())
print(len(started) > 1, late)
"""
    run = record(MODEL + COUNTED + NOTED + source, options=("--step", "range:part"))
    assert (run.status, run.stdout) == (0, "True []\n"), run.stderr


def test_a_new_range_is_not_taken_for_one_that_was_ended_and_is_gone() -> None:
    ranges = RecordedRanges()
    ranges.opens(object(), id)
    ranges.end_all()
    assert all(ranges.closes(object()) for _ in range(100))


def test_a_line_that_torch_refuses_to_end_leaves_the_others(record: Record) -> None:
    # Torch refuses it where another thread's step has made the profiler record since the line began.
    source = """
import gc
refused = []
class Refused:
    def __init__(self, name): self.real = torch._C._profiler._RecordFunctionFast(name)
    def __enter__(self): return self.real.__enter__()
    def __exit__(self, *error):
        self.real.__exit__(*error)
        if not refused:
            refused.append(self)
            self.real.__exit__(*error)
for one in gc.get_objects():
    if type(one).__name__ == "StackLines": one._make_range = Refused
train()
print(len(refused))
"""
    run = record(MODEL + TRAINING + source)
    assert (run.status, run.stdout) == (0, "1\n"), run.stderr
    assert [event["event"] for event in run.events if event["event"] in ("automatic-off", "error")] == []
    assert run.sidecar()["lines"]
