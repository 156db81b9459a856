"""GPU graphs: nothing of ours runs while one is captured, the capture is recorded, and replays are steps.

The driver's part of `torch.cuda.CUDAGraph` has a stand-in, whose replays do some other work, and which refuses to be
interrupted; `test_on_gpu.py` captures real graphs.
"""

from __future__ import annotations

import pathlib
from typing import Callable

import pytest
import torch
from conftest import Run, read_sidecar, read_trace
from small_model import FORWARDS, MODEL, names_in

Record = Callable[..., Run]

pytestmark = pytest.mark.skipif(
    torch.version.cuda is not None,
    reason="needs torch for the CPU (GPU_LENS_TORCH_INDEX); test_on_gpu.py captures real graphs",
)

GRAPH = (
    MODEL
    + """
import torch.profiler
driver = torch.cuda.CUDAGraph.__mro__[1]
driver.__new__ = lambda cls, *args, **options: object.__new__(cls)
driver.__init__ = lambda self, *args, **options: None
driver.capture_begin = lambda self, **options: capturing.append(self)
driver.capture_end = lambda self: capturing.clear()
driver.replay = lambda self: torch.ones(3).cumsum(0)
driver.__del__ = lambda self: None
driver.reset = lambda self: None
capturing = []

# As CUDA does, while a stream is captured.
profiler = torch.profiler.profile
for name in ("start", "stop", "step"):
    def refusing(self, real=getattr(profiler, name)):
        assert not capturing, "a profiler was touched while a graph was captured"
        return real(self)
    setattr(profiler, name, refusing)

def captured(work):
    graph = torch.cuda.CUDAGraph()
    graph.capture_begin()
    work()
    graph.capture_end()
    return graph
"""
)


TRAINED = """
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(30):
    net(data()).sum().backward()
    optimizer.step()
"""
"""Thirty ordinary steps: more than are waited for a replay."""

TRAINING = """
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
def step():
    net(data()).sum().backward()
    optimizer.step()
    optimizer.zero_grad()
for _ in range({warmup}): step()
graph = captured(step)
for _ in range(10): graph.replay()
"""


@pytest.mark.parametrize("warmup", [0, 3, 4])
def test_replays_of_a_captured_step_are_the_steps(record: Record, warmup: int) -> None:
    run = record(GRAPH + TRAINING.format(warmup=warmup))
    (steps,) = run.told("steps")
    assert (steps["what"], steps["steps"], steps["why"]) == ("train", 3, "complete")
    assert steps["loop"]["line"] == len((GRAPH + TRAINING).splitlines())
    (capture,) = run.told("capture")
    names = names_in(read_trace(capture["path"]))
    assert (names.count(FORWARDS), names.count("Optimizer.step#SGD.step")) == (1, 1)
    meta = read_sidecar(pathlib.Path(steps["path"]))
    assert capture["path"].endswith("/" + meta["capture"])


def test_replays_of_a_captured_call_are_steps(record: Record) -> None:
    script = """
with torch.no_grad():
    for _ in range(3): net(data())
    graphs = [captured(lambda: net(data())) for _ in range(2)]
    for _ in range(20):
        for graph in graphs: graph.replay()
"""
    run = record(GRAPH + script)
    (steps,) = run.told("steps")
    assert (steps["what"], steps["steps"]) == ("infer", 3)
    # Two graphs in turn are one step.
    assert names_in(read_trace(steps["path"])).count("aten::cumsum") == 3 * 2


def test_replays_inside_a_call_belong_to_it(record: Record) -> None:
    script = """
class Server(torch.nn.Module):
    def forward(self, x):
        self.graph.replay()
        return x
server = Server()
with torch.no_grad():
    server.graph = captured(lambda: net(data()))
    for _ in range(12): server(data())
"""
    run = record(GRAPH + script)
    (steps,) = run.told("steps")
    assert (steps["what"], steps["steps"]) == ("infer", 3)
    assert names_in(read_trace(steps["path"])).count("nn.Module: Server") == 3


def test_warm_up_between_captures_is_no_step(record: Record) -> None:
    script = """
graphs = []
with torch.inference_mode():
    for _ in range(8):
        for _ in range(3): net(data())
        graphs.append(captured(lambda: net(data())))
    for step in range(20): graphs[step % 2].replay()
"""
    run = record(GRAPH + script)
    (steps,) = run.told("steps")
    assert (steps["what"], steps["steps"], steps["loop"]["line"]) == (
        "infer",
        3,
        len((GRAPH + script).splitlines()),
    )
    (capture,) = run.told("capture")
    assert names_in(read_trace(capture["path"])).count(FORWARDS) == 1 + 7 * 4


def test_a_script_that_captures_in_every_step_is_recorded(record: Record) -> None:
    script = """
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(40):
    graph = captured(lambda: net(data()))
    graph.replay()
    net(data()).sum().backward()
    optimizer.step()
"""
    run = record(GRAPH + script)
    (steps,) = run.told("steps")
    assert (steps["what"], steps["steps"]) == ("train", 3)


def test_a_capture_that_fails_is_over(record: Record) -> None:
    script = """
def fails(self, **options): raise RuntimeError("no capture here")
driver.capture_begin = fails
try:
    captured(lambda: None)
except RuntimeError:
    pass
"""
    (steps,) = record(GRAPH + script + TRAINED).told("steps")
    assert steps["steps"] == 3


def test_replays_that_are_no_steps_end_the_capture(record: Record) -> None:
    script = """
import time
graph = captured(lambda: torch.ones(2).sum())
began = time.monotonic()
while time.monotonic() - began < 3: graph.replay()
"""
    run = record(GRAPH + script, options=("--opening-seconds", "1"))
    (capture,) = run.told("capture")
    # It ends with the first replay.
    assert (capture["why"], names_in(read_trace(capture["path"])).count("aten::cumsum")) == ("complete", 1)


def test_a_range_in_the_capture_and_around_replays_is_one_step(record: Record) -> None:
    script = """
def work():
    with record_function("part"): net(data())
graph = captured(work)
for _ in range(12):
    with record_function("part"): graph.replay()
"""
    run = record(GRAPH + script, options=("--step", "range:part"))
    (steps,) = run.told("steps")
    assert (steps["what"], steps["steps"]) == ("range", 3)
    assert names_in(read_trace(steps["path"])).count("aten::cumsum") == 3


def test_steps_after_a_graph_that_nobody_replays_are_recorded(record: Record) -> None:
    script = "graph = captured(lambda: net(data()))\n"
    run = record(GRAPH + script + TRAINED)
    (steps,) = run.told("steps")
    assert (steps["what"], steps["steps"]) == ("train", 3)
    assert steps["loop"]["count"] > 12


def test_a_capture_that_never_ends_is_over_with_its_graph(record: Record) -> None:
    script = """
graph = torch.cuda.CUDAGraph()
graph.capture_begin()
del graph
capturing.clear()
"""
    (steps,) = record(GRAPH + script + TRAINED).told("steps")
    assert steps["steps"] == 3


def test_a_capture_in_another_thread_leaves_the_steps_alone(record: Record) -> None:
    script = """
import threading
thread = threading.Thread(target=lambda: captured(lambda: net(data())))
thread.start(); thread.join()
"""
    run = record(GRAPH + script + TRAINED)
    (steps,) = run.told("steps")
    assert (steps["what"], steps["steps"]) == ("train", 3)
    assert run.told("capture") == []
