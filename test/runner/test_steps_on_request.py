"""Which steps an idle run records when it is asked for some, whatever the script does at that moment."""

from __future__ import annotations

import pathlib
from typing import Any

import pytest
import torch
from conftest import read_trace
from idle_run import INFERENCE, TRAINING, Idle
from small_model import FORWARDS, modules_in
from test_graph_captures import GRAPH


def recorded(idle: Idle, **what: Any) -> dict[str, Any]:
    """Asks for two steps; returns the report of their trace."""
    idle.ask("one", steps=2, **what)
    idle.wait_for("trigger", id="one", state="done")
    run = idle.end()
    assert (run.status, run.stdout) == (0, "end\n"), run.stderr
    (trace,) = [event for event in run.events if event["event"] == "trace"]
    return trace


ASKED_IN_A_CALL = INFERENCE.replace(
    "net = Net()",
    """
from torch.nn.modules import module as modules
class Waits(torch.nn.Module):
    waits = True
    def forward(self, x):
        if self.waits:
            assert not modules._global_forward_pre_hooks
            open(BEGUN, "w").close()
            while not modules._global_forward_pre_hooks and not os.path.exists(END): time.sleep(0.001)
            Waits.waits = False
        return x
net = Net()
net.layers.insert(0, Waits())
""",
).replace("import torch\n", "import os, time, torch\n", 1)


def test_a_trigger_in_the_middle_of_a_call_of_the_model_records_whole_calls(tmp_path: pathlib.Path) -> None:
    idle = Idle(tmp_path, ASKED_IN_A_CALL)
    idle.wait_until_begun()
    idle.ask("one", steps=2)
    idle.wait_for("trigger", id="one", state="done")
    run = idle.end()
    (trace,) = [event for event in run.events if event["event"] == "trace"]
    assert (trace["what"], trace["steps"], trace["why"]) == ("infer", 2, "complete")
    assert modules_in(read_trace(trace["path"]))[FORWARDS] == 2
    assert all(
        loop["models"] == ["Net"] for event in run.events if event["event"] == "loops" for loop in event["loops"]
    )


def test_compiled_inference_is_recorded(tmp_path: pathlib.Path) -> None:
    compiled = INFERENCE.replace(
        "with torch.no_grad():", 'net = torch.compile(net, backend="eager")\nwith torch.no_grad():'
    )
    warm = compiled.replace("net(data()); time", "net(data()); open(BEGUN, 'w').close(); time")
    idle = Idle(tmp_path, warm)
    idle.wait_until_begun()
    trace = recorded(idle)
    assert (trace["what"], trace["steps"], trace["why"]) == ("infer", 2, "complete")


COMPILING = """
from torch.nn.modules import module as modules
def backend(graph, inputs):
    open(BEGUN, "w").close()
    control = os.path.join(os.path.dirname(BEGUN), "control.jsonl")
    while not os.path.exists(control) and not os.path.exists(END): time.sleep(0.01)
    time.sleep(1)  # The recorder reads it five times a second.
    assert not modules._global_forward_hooks
    return graph.forward
net = torch.compile(net, backend=backend)
with torch.no_grad():
"""


def test_a_request_during_a_compilation_waits_for_its_end(tmp_path: pathlib.Path) -> None:
    idle = Idle(tmp_path, INFERENCE.replace("with torch.no_grad():\n", COMPILING))
    idle.wait_until_begun()
    trace = recorded(idle)
    assert (trace["what"], trace["steps"], trace["why"]) == ("infer", 2, "complete")


@pytest.mark.parametrize(
    ("source", "own", "asked"),
    [(INFERENCE, "train", "infer"), (TRAINING, "infer", "train"), (INFERENCE, "train", "auto")],
)
def test_a_request_may_name_steps_of_another_kind(tmp_path: pathlib.Path, source: str, own: str, asked: str) -> None:
    idle = Idle(tmp_path, source, options=("--step", own))
    idle.wait_for("armed")
    trace = recorded(idle, step=asked)
    assert (trace["what"], trace["steps"]) == ("infer" if source is INFERENCE else "train", 2)


def test_the_ranges_that_a_run_names_are_its_steps_though_optimizers_step_in_them(tmp_path: pathlib.Path) -> None:
    twice = TRAINING.replace(
        "    optimizer.zero_grad()", '    with record_function("mine"):\n      for _ in range(2): optimizer.zero_grad()'
    )
    idle = Idle(tmp_path, twice, options=("--step", "range:mine"))
    idle.wait_for("armed")
    trace = recorded(idle)
    assert (trace["what"], trace["steps"]) == ("range", 2)
    names = [event["name"] for event in read_trace(trace["path"])["traceEvents"]]
    assert names.count("Optimizer.step#SGD.step") == 2 * 2


@pytest.mark.parametrize("source", [INFERENCE, TRAINING])
def test_a_request_whose_steps_do_not_come_lets_later_ones_pass(tmp_path: pathlib.Path, source: str) -> None:
    idle = Idle(
        tmp_path, "import sys, torch\nsys.modules['gpulens_runner.session_requests']._PATIENCE_SECONDS = -1\n" + source
    )
    idle.wait_for("armed")
    idle.ask("never", step="train.py:999")
    for identifier in ("one", "two"):
        idle.ask(identifier, steps=2)
        idle.wait_for("trigger", id=identifier, state="done")
    traces = [event["trigger"] for event in idle.end().events if event["event"] == "trace"]
    assert traces == ["one", "two"]


def inside_a_call(source: str) -> str:
    """A script whose loop is inside a call of a module."""
    before, loop = source.split("net = Net()\n")
    body = "".join(f"        {line}\n" for line in ['open(BEGUN, "w").close()', *loop.splitlines()])
    return f"{before}class Trainer(torch.nn.Module):\n    def forward(self):\n        net = Net()\n{body}Trainer()()\n"


def test_training_inside_a_call_of_a_module_names_its_model(tmp_path: pathlib.Path) -> None:
    idle = Idle(tmp_path, inside_a_call(TRAINING))
    idle.wait_until_begun()
    trace = recorded(idle)
    assert (trace["what"], trace["steps"], trace["loop"]["models"]) == ("train", 2, ["Net"])
    assert modules_in(read_trace(trace["path"]))["nn.Module: Net.layers.0"] == 2


def test_inference_inside_a_long_call_of_a_module_is_recorded(tmp_path: pathlib.Path) -> None:
    idle = Idle(tmp_path, inside_a_call(INFERENCE), options=("--opening-seconds", "1"))
    idle.wait_until_begun()
    trace = recorded(idle)
    assert (trace["what"], trace["steps"], trace["loop"]["models"]) == ("infer", 2, ["Net"])


REPLAYS = (
    GRAPH
    + """
import os, time
with torch.no_grad():
    graphs = [captured(lambda: net(data())) for _ in range(2)]
    open(BEGUN, "w").close()
    while not os.path.exists(END):
        for graph in graphs: graph.replay()
        time.sleep(0.005)
print("end")
"""
)


@pytest.mark.skipif(torch.version.cuda is not None, reason="needs torch for the CPU; its graphs have a stand-in")
def test_replays_of_calls_that_were_captured_before_the_request_are_steps(tmp_path: pathlib.Path) -> None:
    idle = Idle(tmp_path, REPLAYS)
    idle.wait_until_begun()
    trace = recorded(idle)
    names = [event["name"] for event in read_trace(trace["path"])["traceEvents"]]
    assert (trace["what"], trace["steps"], names.count("aten::cumsum")) == ("infer", 2, 2 * 2)
