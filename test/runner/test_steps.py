"""Steps found by themselves, in scripts that nobody changed."""

from __future__ import annotations

import json
import pathlib
from typing import Any, Callable

import pytest
from conftest import Run, read_trace

Record = Callable[..., Run]

MODEL = """\
import torch
from torch.profiler import record_function

class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = torch.nn.ModuleList(torch.nn.Linear(8, 8) for _ in range(2))
    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x

def data():
    return torch.randn(4, 8)

net = Net()
"""

FORWARDS = "nn.Module: Net"


def names_in(trace: dict[str, Any]) -> list[str]:
    return [event["name"] for event in trace["traceEvents"] if event.get("ph") == "X"]


def recorded(run: Run, what: str, steps: int = 3) -> list[str]:
    """The names in the trace of steps of a kind, which must be complete."""
    assert run.status == 0, run.stderr
    (event,) = [event for event in run.events if event["event"] == "trace" and event["what"] == what]
    assert (event["kind"], event["why"], event["steps"]) == ("steps", "complete", steps)
    names = names_in(read_trace(event["path"]))
    assert len([name for name in names if name.startswith("ProfilerStep#")]) == steps
    return names


def test_gradient_accumulation_is_one_step_of_many_calls(record: Record) -> None:
    run = record(
        MODEL
        + """
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(10):
    for _ in range(4):
        (net(data()).sum() / 4).backward()
    optimizer.step()
    optimizer.zero_grad()
"""
    )
    names = recorded(run, "train")
    assert names.count(FORWARDS) == 12
    assert names.count("Optimizer.step#SGD.step") == 3


GAN = """
G, D = Net(), Net()
a, b = torch.optim.Adam(D.parameters()), torch.optim.SGD(G.parameters(), lr=0.1)
for _ in range(12):
    for _ in range({discriminator}):
        a.zero_grad(); D(data()).sum().backward(); a.step()
    b.zero_grad(); G(data()).sum().backward(); b.step()
"""


@pytest.mark.parametrize("discriminator", [1, 2])
def test_of_several_optimizers_the_rarest_and_last_ends_a_step(record: Record, discriminator: int) -> None:
    names = recorded(record(MODEL + GAN.format(discriminator=discriminator)), "train")
    assert names.count("Optimizer.step#SGD.step") == 3
    assert names.count("Optimizer.step#Adam.step") == 3 * discriminator


def test_a_scaler_that_skips_steps_still_ends_them(record: Record) -> None:
    run = record(
        MODEL
        + """
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
scaler = torch.amp.GradScaler("cpu")
for step in range(10):
    optimizer.zero_grad()
    loss = net(data()).sum() * (float("inf") if step % 2 else 1.0)
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    scaler.update()
"""
    )
    names = recorded(run, "train")
    assert names.count(FORWARDS) == 3
    assert names.count("Optimizer.step#SGD.step") < 3


@pytest.mark.parametrize("mode", ["no_grad", "inference_mode"])
def test_calls_without_gradients_are_steps(record: Record, mode: str) -> None:
    run = record(MODEL + f"with torch.{mode}():\n    for _ in range(8): net(data())\n")
    assert recorded(run, "infer").count(FORWARDS) == 3


def test_the_last_of_modules_that_are_called_in_turn_ends_a_step(record: Record) -> None:
    run = record(
        MODEL
        + """
embedding, decoder = Net(), torch.nn.Linear(8, 3)
with torch.no_grad():
    start = embedding(data())
    for _ in range(12): decoder(net(start))
"""
    )
    names = recorded(run, "infer")
    assert names.count(FORWARDS) == 3
    assert names.count("nn.Module: Linear") == 3


def test_calls_with_gradients_are_steps_where_there_is_no_optimizer(record: Record) -> None:
    run = record(
        MODEL
        + """
for _ in range(9):
    with record_function("forward"):
        loss = net(data()).sum()
    with record_function("backward"):
        loss.backward()
"""
    )
    names = recorded(run, "forward")
    assert (names.count(FORWARDS), names.count("forward"), names.count("backward")) == (3, 3, 3)


def test_an_evaluation_before_the_training_is_dropped(record: Record) -> None:
    run = record(
        MODEL
        + """
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
with torch.no_grad():
    for _ in range(4): net(data())
for _ in range(8):
    optimizer.zero_grad(); net(data()).sum().backward(); optimizer.step()
    with torch.no_grad(): net(data())
"""
    )
    assert recorded(run, "train").count("Optimizer.step#SGD.step") == 3
    assert len(run.traces) == 1


def test_a_range_round_the_whole_training_is_no_step(record: Record) -> None:
    run = record(
        MODEL
        + """
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
with record_function("training"):
    for step in range(8):
        with record_function(f"step {step}"):
            optimizer.zero_grad(); net(data()).sum().backward(); optimizer.step()
"""
    )
    names = recorded(run, "train")
    assert [name for name in names if name.startswith("step ")] == ["step 3", "step 4", "step 5"]


@pytest.mark.parametrize("tag", ['record_function("my step")', 'torch.cuda.nvtx.range("my step")'])
def test_a_named_range_is_a_step(record: Record, tag: str) -> None:
    source = f"""
for _ in range(8):
    with {tag}:
        net(data()).sum().backward()
        with torch.no_grad():
            for p in net.parameters(): p -= 0.01 * p.grad; p.grad = None
"""
    names = recorded(record(MODEL + source, options=("--step", "range:my step")), "range")
    assert (names.count("my step"), names.count(FORWARDS)) == (3, 3)


def test_training_in_another_thread_is_recorded(record: Record) -> None:
    run = record(
        MODEL
        + """
import threading
net(data())
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
def train():
    for _ in range(60): optimizer.zero_grad(); net(data()).sum().backward(); optimizer.step()
thread = threading.Thread(target=train)
thread.start()
while thread.is_alive():
    net(data())
"""
    )
    assert recorded(run, "train").count("Optimizer.step#SGD.step") == 3


def test_checkpointed_layers_are_called_twice(record: Record) -> None:
    run = record(
        MODEL
        + """
from torch.utils.checkpoint import checkpoint
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(8):
    x = data().requires_grad_()
    for layer in net.layers: x = checkpoint(layer, x, use_reentrant=False)
    x.sum().backward(); optimizer.step(); optimizer.zero_grad()
"""
    )
    assert recorded(run, "train").count("nn.Module: Linear") == 2 * 2 * 3


def test_the_numbers_of_steps_are_kept_to(record: Record) -> None:
    options = ("--warmup", "1", "--prewarm", "0", "--active", "2")
    run = record(MODEL + "with torch.no_grad():\n    for _ in range(9): net(data())\n", options=options)
    assert recorded(run, "infer", 2).count(FORWARDS) == 2
    steps = [(event["phase"], event["done"]) for event in run.events if event["event"] == "step"]
    assert steps == [("recording", 0), ("recording", 1), ("recording", 2)]


def test_the_script_goes_on_or_stops_when_it_is_recorded(record: Record, tmp_path: pathlib.Path) -> None:
    source = MODEL + (
        "optimizer = torch.optim.SGD(net.parameters(), lr=0.1)\n"
        "try:\n"
        "    for step in range(30): optimizer.zero_grad(); net(data()).sum().backward(); optimizer.step()\n"
        "finally: print('step', step)\n"
        "print('saved')\n"
    )
    run = record(source, options=("--after", "stop"))
    recorded(run, "train")
    assert run.stdout == "step 5\n"
    for path in tmp_path.glob("out/*"):
        path.unlink()
    (tmp_path / "out").rmdir()
    run = record(source)
    recorded(run, "train")
    assert run.stdout == "step 29\nsaved\n"


@pytest.mark.parametrize(("grad", "what", "overheads"), [("no_grad", "infer", 1), ("enable_grad", "forward", 0)])
def test_a_script_without_optimizer_can_be_stopped_too(record: Record, grad: str, what: str, overheads: int) -> None:
    source = MODEL + f"with torch.{grad}():\n    for step in range(50): net(data())\nprint('went on')\n"
    run = record(source, options=("--after", "stop"))
    assert recorded(run, what).count(FORWARDS) == 3
    assert run.stdout == ""
    # Warm-up steps of the latter belong to the opening, which is recorded: there is nothing to compare with.
    assert len([event for event in run.events if event["event"] == "overhead"]) == overheads


def test_the_trace_is_there_before_the_script_ends(record: Record) -> None:
    run = record(
        MODEL
        + """
import os, json
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(8): optimizer.zero_grad(); net(data()).sum().backward(); optimizer.step()
folder = json.loads(os.environ["GPULENS_CONFIG"])["out"]
print(sorted(os.listdir(folder)))
"""
    )
    assert run.stdout == "['events.jsonl', 'train.meta.json', 'train.pt.trace.json.gz']\n"


def test_overhead_is_measured_against_steps_without_the_profiler(record: Record) -> None:
    source = (
        MODEL
        + """
import time
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range({steps}):
    time.sleep(0.4 if 3 <= step < 6 else 0.1)
    optimizer.zero_grad(); net(data()).sum().backward(); optimizer.step()
"""
    )
    run = record(source.format(steps=11))
    overhead = run.event("overhead")
    assert (overhead["profiledSteps"], overhead["plainSteps"], overhead["plainWere"]) == (3, 3, "after")
    # The script makes the difference: sleeping takes what it is told, or longer.
    assert overhead["profiledStepNs"] >= 400_000_000
    assert overhead["plainStepNs"] >= 100_000_000
    assert run.sidecar()["overhead"] == {
        key: overhead[key] for key in ("profiledStepNs", "plainStepNs", "profiledSteps", "plainSteps", "plainWere")
    }


def test_what_options_cost_is_measured_by_more_steps(record: Record) -> None:
    source = (
        MODEL
        + """
import time
from torch.profiler import profile
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
options = []
start = profile.start
def noted(self):
    options.append((self.record_shapes, self.with_stack, self.profile_memory))
    start(self)
profile.start = noted
for step in range({steps}):
    if options:
        time.sleep(0.1 * sum((1, 2, 4)[at] for at in range(3) if options[-1][at]))
    optimizer.zero_grad(); net(data()).sum().backward(); optimizer.step()
print(options)
"""
    )
    options = ("--costs", "--active", "2", "--prewarm", "0", "--memory")
    run = record(source.format(steps=19), options=options)
    # What was asked for is recorded; then none, and each of them alone.
    none, shapes, stacks, memory = (False,) * 3, (True, False, False), (False, True, False), (False, False, True)
    assert run.stdout == f"{[(True, False, True)] * 2 + [none, shapes, stacks, memory]}\n"
    costs = run.event("costs")
    assert [len(costs[key]) for key in ("plainNs", "noneNs")] == [2, 2]
    # The script makes the difference: sleeping takes what it is told, or longer.
    for option, seconds in {"shapes": 0.1, "stacks": 0.2, "memory": 0.4}.items():
        assert len(costs["options"][option]) == 2
        assert min(costs["options"][option]) >= seconds * 1e9
    assert run.sidecar()["optionCosts"] == {key: costs[key] for key in ("plainNs", "noneNs", "options")}
    steps = [event for event in run.events if event["event"] == "step" and event["phase"] == "costs"]
    assert [(event["done"], event["total"]) for event in steps] == [(done, 12) for done in range(1, 13)]


@pytest.mark.parametrize(
    ("steps", "measured"), [(8, None), (12, []), (13, ["shapes"]), (20, ["shapes", "stacks", "memory"])]
)
def test_what_options_cost_is_told_as_far_as_the_script_went(
    record: Record, steps: int, measured: list[str] | None
) -> None:
    source = (
        MODEL
        + """
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range({steps}): optimizer.zero_grad(); net(data()).sum().backward(); optimizer.step()
print("the end")
"""
    )
    run = record(source.format(steps=steps), options=("--costs", "--active", "2", "--prewarm", "0", "--after", "stop"))
    costs = [event for event in run.events if event["event"] == "costs"]
    assert [list(event["options"]) for event in costs] == ([] if measured is None else [measured])
    # The script is ended when all is measured, and not before.
    assert run.stdout == ("" if steps == 20 else "the end\n")
    (trace,) = run.traces
    assert run.status == 0 and trace.exists()


def test_a_profiler_of_the_scripts_own_ends_the_measuring_of_costs(record: Record) -> None:
    source = (
        MODEL
        + """
from torch.profiler import profile
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
def steps(count):
    for step in range(count): optimizer.zero_grad(); net(data()).sum().backward(); optimizer.step()
steps(12)
with profile() as own:
    steps(3)
print(sum(event.name == "aten::linear" for event in own.events()) >= 3)
steps(12)
"""
    )
    run = record(source, options=("--costs", "--active", "2", "--prewarm", "0"))
    assert run.stdout == "True\n"
    assert [event["event"] for event in run.events if event["event"] in ("costs", "error")] == []


def test_overhead_of_a_script_that_ends_early_is_measured_against_the_warm_up(record: Record) -> None:
    source = (
        MODEL
        + """
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(7): optimizer.zero_grad(); net(data()).sum().backward(); optimizer.step()
"""
    )
    overhead = record(source, options=("--warmup", "3")).event("overhead")
    assert (overhead["profiledSteps"], overhead["plainSteps"], overhead["plainWere"]) == (3, 2, "before")


def test_a_time_window_needs_no_steps(record: Record) -> None:
    source = """
import glob, json, os, time, torch
traces = json.loads(os.environ["GPULENS_CONFIG"])["out"] + "/*.gz"
adds, limit = 0, time.monotonic() + 100
while not glob.glob(traces) and time.monotonic() < limit:
    for _ in range(100): torch.ones(4).add(1)
    adds += 100
    time.sleep(0.02)
print(adds)
"""
    run = record(source, options=("--step", "window", "--window-delay", "1", "--window", "1"))
    assert (run.event("trace")["kind"], run.event("trace")["why"]) == ("window", "complete")
    assert 0 < names_in(run.trace()).count("aten::add") < int(run.stdout)


OWN_PROFILER = """
import json, os, time, torch
from torch.profiler import profile
config = json.loads(os.environ["GPULENS_CONFIG"])
def work_until(event):
    limit = time.monotonic() + 60
    while event not in open(config["events"]).read() and time.monotonic() < limit:
        torch.ones(4).add(1)
        time.sleep(0.01)
def work(seconds):
    limit = time.monotonic() + seconds
    while time.monotonic() < limit:
        torch.ones(4).mul(1)
        time.sleep(0.01)
"""


def test_a_time_window_waits_for_the_scripts_own_profiler(record: Record) -> None:
    source = (
        OWN_PROFILER
        + """
with profile(schedule=lambda step: torch.profiler.ProfilerAction.WARMUP if step == 0 else
             torch.profiler.ProfilerAction.RECORD) as mine:
    work(1); mine.step(); work(1)
print(len(mine.events()) > 9)
work_until('"event": "trace"')
"""
    )
    run = record(source, options=("--step", "window", "--window-delay", "0.2", "--window", "0.5"))
    assert (run.status, run.stdout) == (0, "True\n"), run.stderr
    assert run.event("user-profiler")
    assert (run.event("trace")["kind"], run.event("trace")["why"]) == ("window", "complete")
    assert "aten::mul" not in names_in(run.trace())


def test_a_time_window_ends_where_the_script_begins_to_profile_itself(record: Record) -> None:
    source = (
        OWN_PROFILER
        + """
work_until('"what": "window"')
work(0.3)
with profile() as mine: torch.ones(4).sub(1)
print([event.name for event in mine.events()].count("aten::sub"))
"""
    )
    run = record(source, options=("--step", "window", "--window-delay", "0", "--window", "60"))
    assert (run.status, run.stdout) == (0, "1\n"), run.stderr
    assert run.event("user-profiler")
    assert (run.event("trace")["kind"], run.event("trace")["why"]) == ("window", "user-profiler")
    names = names_in(run.trace())
    assert "aten::mul" in names
    assert "aten::sub" not in names


def test_the_lack_of_steps_is_said_once(record: Record) -> None:
    source = """
import json, os, time, torch
events, limit = json.loads(os.environ["GPULENS_CONFIG"])["events"], time.monotonic() + 100
while '"no-step"' not in open(events).read() and time.monotonic() < limit: time.sleep(0.1)
time.sleep(1)
"""
    run = record(source, options=("--step-limit", "0.5"))
    assert run.event("no-step")["seconds"] == 0.5


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
        options=("--lines",),
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
