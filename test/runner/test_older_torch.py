"""What an older torch lacks is asked for before it is used: this one is made to lack it when the agent comes."""

from __future__ import annotations

import pathlib
import runpy
import sys
import types
from typing import Callable

import pytest
import torch
from conftest import RUNNER, Run, read_trace
from small_model import FORWARDS, MODEL, names_in

sys.path.insert(0, str(RUNNER))

from gpulens_runner.compiled_calls import CompiledCalls  # noqa: E402 -- the runner is no installed package.
from gpulens_runner.compiled_kernels import CompiledKernels  # noqa: E402
from gpulens_runner.source_files import SourceFiles  # noqa: E402
from gpulens_runner.source_paths import SourcePaths  # noqa: E402

Record = Callable[..., Run]

HIDING = """
import os, sys
class Hides:
    def find_spec(self, name, path=None, target=None):
        if name == "gpulens_runner.agent":
            sys.meta_path.remove(self)
            exec(os.environ["HIDES"], {})
sys.meta_path.insert(0, Hides())
"""

TORCH_2_2 = """
import torch
# Came with 2.3: until then it was CUDA's alone.
torch.cuda.amp.grad_scaler.GradScaler = torch.amp.grad_scaler.GradScaler
del torch.amp.grad_scaler, torch.amp.GradScaler
# Took no threads into account.
real = torch._C._profiler._ExperimentalConfig
def ExperimentalConfig(): return real()
torch._C._profiler._ExperimentalConfig = ExperimentalConfig
"""

OLDER = """
from torch.nn.modules import module
from torch.optim import optimizer
del torch._C._profiler._RecordFunctionFast, torch._C._current_graph_task_id
del optimizer.register_optimizer_step_post_hook
register = module.register_module_forward_hook
def register_module_forward_hook(hook): return register(hook)
module.register_module_forward_hook = register_module_forward_hook
"""
"""Torch itself needs none of these in a script that compiles nothing."""

TRAINING = (
    MODEL
    + """
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(9):
    with record_function("train"):
        optimizer.zero_grad(); net(data()).sum().backward(); optimizer.step()
"""
)


@pytest.fixture
def lacking(record: Record, tmp_path: pathlib.Path) -> Callable[..., Run]:
    """Runs a script with a torch that lacks something."""
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "sitecustomize.py").write_text(HIDING)

    def run(hides: str, source: str, *options: str) -> Run:
        done = record(source, options=options, env={"PYTHONPATH": str(mine), "HIDES": hides})
        assert done.status == 0, done.stderr
        assert "GPU Lens: profiling is off" not in done.stderr
        assert [event["message"] for event in done.events if event["event"] == "error"] == []
        return done

    return run


def test_torch_2_2_has_all_that_is_recorded(lacking: Callable[..., Run]) -> None:
    run = lacking(TORCH_2_2, TRAINING, "--lines")
    assert [(event["kind"], event["steps"]) for event in run.events if event["event"] == "trace"] == [
        ("steps", 3),
        ("lines", 1),
    ]
    steps, lines = (names_in(read_trace(path)) for path in run.traces)
    assert (steps.count(FORWARDS), steps.count("train")) == (3, 3)
    assert any(name.startswith("train.py:") for name in lines)


def test_a_scaler_of_torch_2_2_ends_steps(lacking: Callable[..., Run]) -> None:
    source = """
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
scaler = torch.cuda.amp.grad_scaler.GradScaler("cpu")
for step in range(10):
    optimizer.zero_grad()
    scaler.scale(net(data()).sum() * (float("inf") if step % 2 else 1.0)).backward()
    scaler.step(optimizer); scaler.update()
"""
    run = lacking(TORCH_2_2, MODEL + source)
    assert (run.event("trace")["kind"], run.event("trace")["steps"]) == ("steps", 3)
    names = names_in(run.trace())
    assert names.count(FORWARDS) == 3
    assert names.count("Optimizer.step#SGD.step") < 3


def test_what_a_thread_does_before_the_training_is_not_recorded_by_torch_2_2(lacking: Callable[..., Run]) -> None:
    source = """
import threading
thread = threading.Thread(target=lambda: net(data()))
thread.start(); thread.join()
"""
    run = lacking(TORCH_2_2, TRAINING.replace(MODEL, MODEL + source))
    # Torch warns if a thread stops what another one began; an older one raises.
    assert "disableProfiler" not in run.stderr
    assert run.event("trace")["steps"] == 3


def test_a_window_of_torch_2_2_has_the_main_thread(lacking: Callable[..., Run]) -> None:
    source = """
import glob, json, os, time
traces, limit = json.loads(os.environ["GPULENS_CONFIG"])["out"] + "/*.gz", time.monotonic() + 300
while not glob.glob(traces) and time.monotonic() < limit:
    with record_function("tick"): net(data())
"""
    run = lacking(TORCH_2_2, MODEL + source, "--step", "window", "--window-delay", "0", "--window", "2")
    assert run.event("trace")["kind"] == "window"
    assert run.ranges()["tick"] > 0


def test_steps_and_ranges_are_recorded_where_a_torch_has_no_ranges_for_modules(lacking: Callable[..., Run]) -> None:
    run = lacking(TORCH_2_2 + OLDER, TRAINING, "--lines")
    traces = [(event["kind"], event["steps"]) for event in run.events if event["event"] == "trace"]
    assert traces == [("steps", 3), ("lines", 1)]
    steps, lines = (names_in(read_trace(path)) for path in run.traces)
    assert (steps.count("train"), steps.count("aten::linear")) == (3, 6)
    assert not [name for name in [*steps, *lines] if name.startswith(("nn.Module: ", "train.py:"))]
    assert run.event("overhead")["plainNs"]


def test_a_torch_that_does_not_tell_whether_it_compiles_never_does(monkeypatch: pytest.MonkeyPatch) -> None:
    compiling = str(RUNNER / "gpulens_runner" / "compiling.py")
    assert runpy.run_path(compiling)["is_compiling"] is torch.compiler.is_compiling
    monkeypatch.delattr(torch.compiler, "is_compiling")
    assert runpy.run_path(compiling)["is_compiling"]() is False


def test_a_compiler_without_what_is_listened_to_is_left_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    names = ("_inductor.debug", "_inductor.compile_fx", "_inductor.output_code", "_dynamo.callback")
    found = {f"torch.{name}": types.ModuleType(name) for name in names}
    found["torch._inductor.output_code"].CompiledFxGraph = type("CompiledFxGraph", (), {})  # type: ignore[attr-defined]
    found["torch._dynamo.callback"].CompilationCallbackHandler = type("Handler", (), {})  # type: ignore[attr-defined]
    before = {name: dict(vars(module)) for name, module in found.items()}
    for name, module in found.items():
        monkeypatch.setitem(sys.modules, name, module)
    paths = SourcePaths("/w", "/torch")
    kernels, calls = CompiledKernels(paths), CompiledCalls(paths, SourceFiles())
    kernels.install()
    calls.install()
    assert {name: dict(vars(module)) for name, module in found.items()} == before
    assert (kernels.to_json(), calls.to_json()) == ([], [])
