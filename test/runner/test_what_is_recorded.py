"""What stands in a trace, and what it leaves alone."""

from __future__ import annotations

import json
import pathlib
import sys
from typing import Callable

import pytest
from conftest import RUNNER, Run, read_trace
from small_model import MODEL, names_in

sys.path.insert(0, str(RUNNER))
from gpulens_runner.own_frames import OwnFrames  # noqa: E402

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


def test_no_call_of_the_recorder_stands_in_the_stacks(record: Record) -> None:
    run = record(
        MODEL
        + """
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(9):
    optimizer.zero_grad(); loss = net(data()).square().mean(); loss.backward(); optimizer.step()
""",
        options=("--stack", "--lines", "--memory"),
    )
    assert len(run.traces) == 2
    for path in run.traces:
        assert "gpulens_runner" not in json.dumps(read_trace(path))
        calls = [event for event in read_trace(path)["traceEvents"] if event.get("cat") == "python_function"]
        assert any(event["name"].startswith("train.py(") for event in calls)
        assert any(event["name"].startswith("<built-in method square") for event in calls)


def called(identifier: int, parent: int, name: str) -> bytes:
    """A call as torch 2.13 writes it."""
    return (
        f'  {{\n    "ph": "X",\n    "cat": "python_function",\n    "name": "{name}",\n    "pid": 1,\n    "tid": 1,\n'
        '    "ts": 1.5,\n    "dur": 2.000\n    ,\n    "args": {\n'
        f'      "Python parent id": {parent}, "Python id": {identifier}, "Ev Idx": 1\n    }}\n  }},\n'
    ).encode()


def test_what_the_recorder_calls_for_the_script_stays_and_its_own_helpers_go() -> None:
    operator = b'  {\n    "ph": "X", "cat": "cpu_op", "name": "aten::mm", "ts": 1, "dur": 2\n  },\n'
    mine = called(1, 0, "train.py(3): <module>")
    builtin = called(3, 2, "<built-in function mm>")
    kept_call = called(5, 1, "src/gpulens_runner_of_mine/a.py(1): f")
    ours = "/x/src/runner/gpulens_runner/"
    frames = OwnFrames()
    first = mine + called(2, 1, f"{ours}call_mode.py(38): __torch_function__") + operator + builtin
    second = called(4, 1, "gpulens_runner/module_hooks.py(71): _before") + kept_call
    assert frames.without(first) == mine + operator + builtin
    # The id of a helper is remembered from one part of the file to the next.
    assert frames.without(second) == kept_call
    assert frames.without(called(6, 4, "<built-in function isinstance>") + operator) == operator


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
