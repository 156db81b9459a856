"""On a real GPU: CUDA graphs are captured undisturbed, and the figures of steps are those of these steps.

Skipped where there is none; docs/testing.md tells where these tests have run.
"""

from __future__ import annotations

import pathlib
from typing import Callable

import pytest
import torch
from conftest import RUNNER, Run, read_sidecar, read_trace

Record = Callable[..., Run]

TESTS = RUNNER.parents[1] / "test"

pytestmark = pytest.mark.skipif(not torch.cuda.is_available(), reason="no CUDA device here")

GRAPHS = """
import torch
from torch import nn
torch.manual_seed(0)
net = nn.Sequential(nn.Linear(256, 1024), nn.GELU(), nn.Linear(1024, 256)).cuda().eval()
graphs, pool = {}, None
with torch.inference_mode():
    for size in (48, 32, 16, 8, 4, 2, 1):
        x = torch.ones(size, 256, device="cuda")
        for _ in range(3): net(x)
        torch.cuda.synchronize()
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph, pool=pool): y = net(x)
        pool = pool or graph.pool()
        graphs[size] = graph, x, y
    for step in range(40):
        graph, x, y = graphs[(8, 16)[step % 2]]
        x.fill_(step); graph.replay()
    print(y.sum().item())
"""

COMPILED = """
import torch
from torch import nn
torch.manual_seed(0)
net = nn.Sequential(nn.Linear(64, 256), nn.GELU(), nn.Linear(256, 64)).cuda()
model = torch.compile(net, mode="MODE")
optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)
for step in range(25):
    loss = model(torch.ones(32, 64, device="cuda")).square().mean()
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
print(loss.item())
"""


def named(path: str, category: str) -> list[str]:
    """The names of a trace's events of a category."""
    return [event["name"] for event in read_trace(path)["traceEvents"] if event.get("cat") == category]


def test_a_training_step_in_a_graph_is_recorded_with_its_capture(record: Record) -> None:
    run = record((TESTS / "fixtures" / "graphs" / "train_graph.py").read_text())
    (steps,), (capture,) = run.told("steps"), run.told("capture")
    assert (steps["what"], steps["steps"]) == ("train", 3)
    assert named(steps["path"], "cuda_runtime").count("cudaGraphLaunch") == 3
    assert read_sidecar(pathlib.Path(steps["path"]))["capture"] == pathlib.Path(capture["path"]).name
    assert named(capture["path"], "cuda_runtime").count("cudaStreamBeginCapture") == 1


def test_the_captures_of_a_server_are_recorded_once(record: Record) -> None:
    run = record(GRAPHS)
    (steps,), (capture,) = run.told("steps"), run.told("capture")
    # Two graphs in turn are one step.
    assert (steps["what"], steps["steps"]) == ("infer", 3)
    assert named(steps["path"], "cuda_runtime").count("cudaGraphLaunch") == 6
    assert named(capture["path"], "cuda_runtime").count("cudaStreamBeginCapture") == 7


@pytest.mark.parametrize("mode", ["default", "reduce-overhead"])
def test_compiled_training_ends_well(record: Record, mode: str) -> None:
    run = record(COMPILED.replace("MODE", mode))
    (steps,) = run.told("steps")
    assert (steps["what"], steps["steps"]) == ("train", 3)
    assert run.told("capture") == []


def test_no_work_of_earlier_steps_is_recorded(record: Record) -> None:
    run = record((TESTS / "fixtures" / "cuda-events" / "own_events.py").read_text())
    (steps,) = run.told("steps")
    events = read_trace(steps["path"])["traceEvents"]
    launched = {event["args"].get("correlation") for event in events if event.get("cat") == "cuda_runtime"}
    kernels = [event for event in events if event.get("cat") == "kernel"]
    assert len(kernels) > 0
    assert [event["name"] for event in kernels if event["args"]["correlation"] not in launched] == []


@pytest.mark.parametrize("is_reentrant", [False, True])
def test_lines_that_backward_calls_have_ranges_in_its_own_thread(record: Record, is_reentrant: bool) -> None:
    source = (TESTS / "fixtures" / "backward-thread" / "train.py").read_text()
    source = source.replace("use_reentrant=False", f"use_reentrant={is_reentrant}")
    (steps,) = record(source).told("steps")
    names = named(steps["path"], "cpu_op")
    twice, in_backward = (
        [f"train.py:{at}" for at, text in enumerate(source.splitlines(), 1) if text.endswith(mark)]
        for mark in ("# twice", "# in backward")
    )
    assert len(twice) == 2 and len(in_backward) == 1
    # Two blocks in each of three steps, each called again by backward; four parameters.
    assert [names.count(name) for name in twice] == [2 * 2 * 3, 2 * 2 * 3]
    assert [names.count(name) for name in in_backward] == [4 * 3]


def test_tags_and_lines_nest_where_backward_calls_a_module_again(record: Record) -> None:
    source = (TESTS / "fixtures" / "backward-thread" / "train.py").read_text()
    call = "x = self.inner(x)"
    assert call in source
    (steps,) = record(source.replace(call, f"with torch.profiler.record_function('first'): {call}")).told("steps")
    ranges: dict[int, list[tuple[float, float]]] = {}
    tags = 0
    for event in read_trace(steps["path"])["traceEvents"]:
        if event.get("cat") not in ("cpu_op", "user_annotation"):
            continue
        tags += event["name"] == "first"
        if event["name"].startswith(("first", "train.py:", "nn.Module: ")):
            ranges.setdefault(event["tid"], []).append((event["ts"], event["ts"] + event["dur"]))
    # Two blocks in each of three steps, each called again by backward.
    assert (tags, len(ranges)) == (2 * 2 * 3, 2)
    overlaps = [
        (one, other)
        for of_thread in ranges.values()
        for one in of_thread
        for other in of_thread
        if one[0] < other[0] < one[1] < other[1]
    ]
    assert overlaps == []
