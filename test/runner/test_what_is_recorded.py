"""What stands in a trace, and what it leaves alone."""

from __future__ import annotations

import json
import pathlib
from typing import Callable

import pytest
from conftest import Run, read_trace
from small_model import MODEL, names_in

Record = Callable[..., Run]


def test_asking_for_torch_before_importing_it_changes_nothing(record: Record) -> None:
    run = record("import importlib.util\nassert importlib.util.find_spec('torch')\n" + MODEL + "net(data())\n")
    assert run.event("trace")["kind"] == "opening"


@pytest.mark.parametrize("shapes", [True, False])
@pytest.mark.parametrize("stack", [True, False])
@pytest.mark.parametrize("memory", [True, False])
def test_what_is_noted_besides_is_what_was_asked_for(record: Record, shapes: bool, stack: bool, memory: bool) -> None:
    run = record(
        MODEL
        + """
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(5):
    optimizer.zero_grad(); net(data()).sum().backward(); optimizer.step()
""",
        options=(
            *(() if shapes else ("--no-shapes",)),
            *(("--stack",) if stack else ()),
            *(("--memory",) if memory else ()),
            *("--active", "1"),
        ),
    )
    (path,) = run.traces
    events = read_trace(path)["traceEvents"]
    assert any("Input Dims" in event.get("args", {}) for event in events) == shapes
    assert any(event.get("cat") == "python_function" for event in events) == stack
    assert any(event["name"] == "[memory]" for event in events) == memory


def test_the_line_pass_gives_each_call_its_line(record: Record) -> None:
    run = record(
        MODEL
        + """
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(9):
    optimizer.zero_grad()
    x = net(data())
    y = x @ x.T
    loss = torch.relu(
        y).sum()
    loss.backward()
    optimizer.step()
print(torch._C._len_torch_function_stack())
""",
        options=("--lines", "--automatic", "off"),
    )
    assert (run.status, run.stdout) == (0, "0\n")
    assert [(event["kind"], event["steps"]) for event in run.events if event["event"] == "trace"] == [
        ("steps", 3),
        ("lines", 1),
    ]
    plain, lines = (names_in(read_trace(path)) for path in run.traces)
    assert not [name for name in plain if name.startswith("train.py:")]
    found = {name for name in lines if name.startswith("train.py:")}
    assert {"train.py:14", "train.py:22", "train.py:23", "train.py:24"} <= found
    assert len([name for name in lines if name.startswith("ProfilerStep#")]) == 1


LIBRARY = """
class Trainer:
    def fit(self, net, step, batches, optimizer):
        for batch in batches:
            def closure():
                loss = step(batch) * 1
                optimizer.zero_grad()
                loss.backward()
                return loss
            optimizer.step(closure)
"""


def test_the_line_pass_names_lines_of_the_persons_own_code_alone(record: Record, tmp_path: pathlib.Path) -> None:
    library = tmp_path / "site-packages"
    (library / "trainer_library").mkdir(parents=True)
    (library / "trainer_library" / "__init__.py").write_text(LIBRARY)
    script = (
        MODEL
        + """
from trainer_library import Trainer
def step(batch):
    return net(batch).sum()
Trainer().fit(net, step, [data() for _ in range(9)], torch.optim.SGD(net.parameters(), lr=0.1))
"""
    )
    run = record(script, options=("--lines",), env={"PYTHONPATH": str(library)})
    assert run.status == 0, run.stderr
    _, lines = (names_in(read_trace(path)) for path in run.traces)
    numbers = {text: at for at, text in enumerate(script.splitlines(), 1)}
    loop = next(at for text, at in numbers.items() if text.startswith("Trainer().fit"))
    called = {numbers["    return net(batch).sum()"], loop}
    found = {name for name in lines if ".py:" in name}
    # What the library calls by itself is the work of the line that led there.
    assert {f"train.py:{number}" for number in called} <= found
    assert {name.rpartition(":")[0] for name in found} == {"train.py"}


def test_a_mode_of_the_scripts_own_outlives_the_line_pass(record: Record) -> None:
    run = record(
        MODEL
        + """
from torch.overrides import TorchFunctionMode
class Mine(TorchFunctionMode):
    def __torch_function__(self, f, types, args=(), kwargs=None): return f(*args, **(kwargs or {}))
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(9):
    if step == 6: mine = Mine(); mine.__enter__()
    net(data()).sum().backward(); optimizer.step()
mine.__exit__(None, None, None)
""",
        options=("--lines",),
    )
    assert run.status == 0, run.stderr
    assert [event["kind"] for event in run.events if event["event"] == "trace"] == ["steps", "lines"]


def test_a_script_that_forks_while_it_is_recorded_leaves_the_child_alone(record: Record) -> None:
    run = record(
        MODEL
        + """
import os, torch
net(data())
child = os.fork()
if child == 0:
    print(torch.autograd._profiler_enabled(), flush=True)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for _ in range(8): optimizer.zero_grad(); net(data()).sum().backward(); optimizer.step()
    os._exit(0)
print(os.waitpid(child, 0)[1])
""",
    )
    assert (run.status, run.stdout) == (0, "False\n0\n"), run.stderr
    assert [event["kind"] for event in run.events if event["event"] == "trace"] == ["steps"]


def test_json_of_every_event_names_its_process_and_rank(record: Record) -> None:
    run = record(MODEL + "net(data())\n")
    assert all({"v", "event", "pid"} <= event.keys() for event in run.events)
    assert json.dumps(run.event("armed")["rank"]) == "null"
