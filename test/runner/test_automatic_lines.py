"""Lines of scripts without tags: which have ranges, and that the script computes what it computes without them."""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys
from typing import Any, Callable

import pytest
from conftest import Run, read_sidecar, read_trace

Record = Callable[..., Run]
OFF = ("--automatic", "off")
PROGRAMS = pathlib.Path(__file__).parents[1] / "programs"

# Of each program, as it was written by hand before the program was run: what stands on which line.
EXPECTED: dict[str, dict[str, str]] = {
    "functional_loop.py": {
        "function train": "def train(",
        "function get_batch": "def get_batch(",
        "loop": "for step in",
        "data loading": "x, y = get_batch",
        "zero_grad": "optimizer.zero_grad()",
        "forward": "out = model(x)",
        "loss": "loss = F.cross_entropy",
        "backward": "loss.backward()",
        "clipping": "nn.utils.clip_grad_norm_",
        "optimizer": "optimizer.step()",
    },
    "trainer_of_a_library.py": {
        "loop": "trainer.fit(",
        "function": "def training_step(",
        "forward": "out = self.net(x)",
        "loss": "loss = F.cross_entropy",
    },
    "reinforce.py": {
        "loop": "for episode in",
        "function": "def select_action(",
        "forward": "probs = policy(",
        "episode": "def finish_episode(",
        "loss": "loss = torch.cat",
        "backward": "loss.backward()",
        "optimizer": "optimizer.step()",
    },
    "lbfgs.py": {
        "loop": "for step in",
        "optimizer": "optimizer.step(closure)",
        "function": "def closure(",
        "forward": "out = predict(x)",
        "loss": "loss = criterion(",
        "backward": "loss.backward()",
    },
    "two_models.py": {
        "loop": "for i, real in",
        "discriminator": "d_real = discriminator(real)",
        "generator": "fake = generator(noise)",
        "loss": "loss_d = criterion(",
        "backward": "loss_d.backward()",
        "optimizer": "optimizer_d.step()",
        "last optimizer": "optimizer_g.step()",
    },
}


def line_of(source: str, begin: str) -> int:
    (number,) = [at for at, line in enumerate(source.splitlines(), 1) if line.strip().startswith(begin)]
    return number


# Programs whose lines other tests look at, too, or that differ from another one in little.
LONG_PROGRAMS = ("reinforce.py", "two_models.py", "lbfgs.py")


@pytest.mark.parametrize(
    "program",
    [pytest.param(name, marks=pytest.mark.long if name in LONG_PROGRAMS else []) for name in EXPECTED],
)
def test_the_lines_that_a_person_expects_have_ranges(record: Record, program: str) -> None:
    source = (PROGRAMS / program).read_text()
    plain = subprocess.run(
        [sys.executable, "-c", source],
        cwd=PROGRAMS,
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, **environment()},
    )
    run = record(source, env=environment())
    assert run.stdout == plain.stdout
    sidecar = run.sidecar()
    lines = {line["line"]: line for line in sidecar["lines"]}
    recorded = names_of(run.trace())
    for what, begin in EXPECTED[program].items():
        number = line_of(source, begin)
        assert number in lines, what
        assert f"train.py:{number}" in recorded, what
    assert {line["file"] for line in sidecar["lines"]} == {"train.py"}
    assert [file["file"] for file in sidecar["files"]].count("train.py") == 1


MODULES = """\
import torch
from torch import nn

class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 4)
    def forward(self, x):
        y = self.linear(x)
        if x.sum() > 1e9:
            raise ValueError("too much")
        return torch.relu(y) + x

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.Sequential(Block(), nn.Sequential(nn.Linear(4, 4), Block()))
    def forward(self, x):
        try:
            self.blocks(x * 1e10)
        except ValueError:
            pass
        return self.blocks(x).sum()

torch.manual_seed(0)
net = Net()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(7):
    loss = net(torch.ones(2, 4))
    loss.backward()
    optimizer.step()
    print(loss.item())
"""


def test_lines_inside_of_modules_that_libraries_call(record: Record) -> None:
    run = record(MODULES)
    called: dict[str, int] = {}
    for event in run.trace()["traceEvents"]:
        called[event["name"]] = called.get(event["name"], 0) + 1
    of = {text: f"train.py:{line_of(MODULES, text)}" for text in ("y = self", "return torch", "return self.blocks")}
    # In each of three steps both blocks come to the end once, and the first begins once more.
    assert called[of["y = self"]] == 3 * 3
    assert called[of["return torch"]] >= 3 * 2
    assert called[of["return self.blocks"]] >= 3
    assert called["nn.Module: Net.blocks.1.1.linear"] == 3


@pytest.mark.parametrize("program", ["lbfgs.py", "evaluation_first.py", "modules"])
def test_ranges_of_lines_and_modules_nest(record: Record, program: str) -> None:
    run = record(MODULES if program == "modules" else (PROGRAMS / program).read_text())
    trained = [path for path in run.traces if read_sidecar(path)["what"] == "train"]
    sidecar, trace = read_sidecar(trained[0]), read_trace(trained[0])
    known = {line["name"] for line in sidecar["lines"]} | {module["name"] for module in sidecar["modules"]}
    events = [event for event in trace["traceEvents"] if event["name"] in known]
    assert len(events) > 20
    events.sort(key=lambda event: (event["ts"], -event["dur"]))
    around: list[float] = []
    for event in events:
        while around and around[-1] <= event["ts"]:
            around.pop()
        end = event["ts"] + event["dur"]
        assert not around or end <= around[-1] + 0.01
        around.append(end)


def test_a_line_ends_with_what_it_calls(record: Record) -> None:
    calls = ["y = m(x)", "l = torch.nn.functional.mse_loss(y, x)", "l.backward()", "z = x + x", "z = m.weight.clamp(0)"]
    calls += ["torch.nn.utils.clip_grad_norm_(m.parameters(), 1.0)"]
    body = "".join(f"    {call}\n    torch.tril_indices(2, 2)\n" for call in calls)
    source = (
        "import torch\n"
        "m = torch.nn.Linear(4, 4)\n"
        "optimizer = torch.optim.SGD(m.parameters(), lr=0.1)\n"
        "x = torch.randn(3, 4)\n"
        f"for step in range(7):\n{body}    optimizer.step()\n"
    )
    run = record(source)
    spans: dict[str, list[tuple[float, float]]] = {}
    for event in run.trace()["traceEvents"]:
        if event.get("ph") == "X":
            spans.setdefault(event["name"], []).append((event["ts"], event["ts"] + event["dur"]))
    marks = sorted(spans["aten::tril_indices"])
    # The loop has all of it; no other line has what stands behind it.
    for begin, end in spans["train.py:5"]:
        assert len([mark for mark in marks if begin <= mark[0] and mark[1] <= end]) == len(calls)
    for at in range(len(calls)):
        for begin, end in spans[f"train.py:{6 + 2 * at}"]:
            assert end <= min(mark for mark, _ in marks if mark >= begin)


@pytest.mark.parametrize(
    "broken",
    [
        *("enter", "close_from"),
        *(
            pytest.param(name, marks=pytest.mark.long)
            for name in ("_close_frame", "around", "step_begins", "step_ends")
        ),
    ],
)
def test_a_failure_of_ours_ends_the_lines_alone(record: Record, broken: str) -> None:
    source = (PROGRAMS / "functional_loop.py").read_text()
    breaking = (
        "import sys, torch\n"
        "def fail(*_arguments):\n"
        "    raise RuntimeError('broken')\n"
        f"sys.modules['gpulens_runner.stack_lines'].StackLines.{broken} = fail\n"
    )
    plain = subprocess.run(
        [sys.executable, "-c", source],
        cwd=PROGRAMS,
        capture_output=True,
        text=True,
        check=True,
    )
    # Tags and data loading reach what the plain loop does not.
    tagged = source.replace(
        "    optimizer.step()",
        "    with torch.profiler.record_function('own'): optimizer.step()",
    )
    run = record(breaking + (tagged if broken == "around" else source))
    assert run.stdout == plain.stdout
    assert "broken" not in run.stderr
    told = [event["message"] for event in run.events if event["event"] == "automatic-off"]
    assert told == ["RuntimeError: broken"]
    assert not any(event["event"] == "error" for event in run.events)
    assert run.sidecar()["steps"] == 3


# Backward runs in another thread, as it does on a GPU.
ELSEWHERE = """\
import concurrent.futures, torch
pool, run = concurrent.futures.ThreadPoolExecutor(1), torch.autograd._engine_run_backward
torch.autograd._engine_run_backward = lambda *a, **k: pool.submit(run, *a, **k).result()
"""


def test_lines_that_backward_calls_in_a_thread_of_its_own(record: Record) -> None:
    source = ELSEWHERE + (PROGRAMS / "backward_hooks.py").read_text()
    run = record(source)
    assert (run.status, run.stderr) == (0, "")
    called = {line["line"] for line in run.sidecar()["lines"]}
    assert {line_of(source, text) for text in ("optimizers[parameter].step()", "loss.backward()")} <= called


RECOMPUTED = """
import gpulens_runner.thread_lines as thread_lines
from torch.utils.checkpoint import checkpoint
seen = []

class Seen:
    def __init__(self, name): self.name = name
    def __enter__(self): seen.append(("opens", self.name))
    def __exit__(self, *error): seen.append(("closes", self.name))

class Block(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = torch.nn.Linear(4, 4)
    def forward(self, x):
        with torch.profiler.record_function("tag"):
            seen.append(("opens", "tag"))
            x = torch.tanh(x)
        seen.append(("closes", "tag"))
        x = self.inner(x)
        return torch.sin(x)

# The main thread has made its ranges, so these are those of the other one.
thread_lines.Range = Seen
block = Block()
optimizer = torch.optim.SGD(block.parameters(), lr=0.1)
for step in range(7):
    x = checkpoint(block, torch.ones(2, 4), use_reentrant=False)
    seen.clear()
    x.sum().backward()
    again = list(seen)
    optimizer.step()
    optimizer.zero_grad()
    if any(name.startswith("train.py:") for _, name in again):
        print(*(f"{what} {name}" for what, name in again), sep="\\n")
        print("--")
"""


def test_lines_and_tags_of_a_module_that_backward_calls_again(record: Record) -> None:
    source = ELSEWHERE + RECOMPUTED
    run = record(source)
    assert (run.status, run.stderr) == (0, "")
    steps = [step.splitlines() for step in run.stdout.split("--\n")[:-1]]
    names = {text: f"train.py:{line_of(source, text)}" for text in ("x = self.inner", "x = torch.tanh", "return torch")}
    assert len(steps) >= 3
    for step in steps:
        assert [step.count(f"opens {name}") for name in names.values()] == [1, 1, 1]
        pending: list[str] = []
        for what, name in map(str.split, step):
            if what == "opens":
                pending.append(name)
            else:
                assert pending.pop() == name
        assert pending == []


DEVICES = """\
import torch
model = torch.nn.Linear(4, 4)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
torch.set_default_device("cpu")
for step in range(7):
    x = torch.ones(2, 4)
    with torch.device("cpu"):
        y = torch.zeros(2, 4)
    torch.set_default_device("meta")
    kind = torch.ones(2).device.type
    torch.set_default_device("cpu")
    loss = (model(x) - y).sum()
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
torch.set_default_device(None)
print(kind, torch.ones(1).device.type, torch._C._len_torch_function_stack())
"""


def test_default_devices_may_change_while_lines_are_recorded(record: Record) -> None:
    run = record(DEVICES)
    assert (run.status, run.stdout, run.stderr) == (0, "meta cpu 0\n", "")
    assert not any(event["event"] in ("error", "automatic-off") for event in run.events)
    called = {line["line"] for line in run.sidecar()["lines"]}
    assert {line_of(DEVICES, text) for text in ("x = torch.ones", "y = torch.zeros", "loss.backward()")} <= called


def test_they_can_be_turned_off(record: Record) -> None:
    run = record((PROGRAMS / "lbfgs.py").read_text(), options=OFF)
    assert run.sidecar()["lines"] == []
    assert not any(name.startswith("train.py:") for name in names_of(run.trace()))


def test_the_line_pass_names_no_file_of_the_runner_or_of_a_library(
    record: Record,
) -> None:
    source = (PROGRAMS / "trainer_of_a_library.py").read_text()
    run = record(source, options=("--lines",), env=environment())
    (lines,) = [path for path in run.traces if path.name.endswith(".lines.pt.trace.json.gz")]
    files = {name.rpartition(":")[0] for name in names_of(read_trace(lines)) if ".py:" in name}
    assert files == {"train.py"}


def names_of(trace: dict[str, Any]) -> set[str]:
    return {event["name"] for event in trace["traceEvents"] if event.get("ph") == "X"}


def environment() -> dict[str, str]:
    return {"PYTHONPATH": str(PROGRAMS / "library" / "site-packages")}
