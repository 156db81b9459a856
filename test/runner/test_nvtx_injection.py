"""NVTX through a profiler's library: one of our own, compiled here, that writes down what it is told."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import torch

RUNNER = Path(__file__).parents[2] / "src" / "runner"
COMPILER = shutil.which("cc") or shutil.which("gcc")

LIBRARY = r"""
#include <stdint.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
typedef void (*Function)(void);
typedef struct { size_t size; int (*get)(int module, Function ***table, unsigned *count); } Callbacks;
static FILE *out(void) { return fopen(getenv("HEARD"), "a"); }
static int push(const char *text) { FILE *f = out(); fprintf(f, "push %s\n", text); fclose(f); return 0; }
static int pop(void) { FILE *f = out(); fprintf(f, "pop\n"); fclose(f); return 0; }
static uint64_t start(const char *text) {
  FILE *f = out(); fprintf(f, "start %s\n", text); fclose(f); return 7;
}
static void end(uint64_t id) { FILE *f = out(); fprintf(f, "end %d\n", (int)id); fclose(f); }
int InitializeInjectionNvtx2(const void *(*get_table)(uint32_t)) {
  const Callbacks *callbacks = get_table(1);
  Function **table; unsigned count;
  if (!callbacks || getenv("REFUSES") || !callbacks->get(1, &table, &count) || count < 16) return 0;
  *table[5] = (Function)start;
  *table[7] = (Function)end;
  *table[9] = (Function)push;
  *table[11] = (Function)pop;
  return 1;
}
"""

SCRIPT = """
import torch
from torch.profiler import record_function

class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = torch.nn.Linear(2, 2)
    def forward(self, x):
        return self.inner(x)

with record_function("stép"):
    Net()(torch.ones(1, 2))
"""


@pytest.fixture
def library(tmp_path: Path) -> Path:
    """Returns the compiled library."""
    if COMPILER is None:
        pytest.skip("there is no C compiler")
    source, compiled = tmp_path / "heard.c", tmp_path / "heard.so"
    source.write_text(LIBRARY, encoding="utf-8")
    subprocess.run([COMPILER, "-shared", "-fPIC", str(source), "-o", str(compiled)], check=True)
    return compiled


def run(tmp_path: Path, library: Path, source: str = SCRIPT, **more: str) -> list[str]:
    """Runs a script as `gpu-lens profile --profiler nsys` does; returns what the library heard."""
    script, heard = tmp_path / "script.py", tmp_path / "heard.txt"
    script.write_text(source, encoding="utf-8")
    environment = {
        **os.environ,
        "PYTHONPATH": str(RUNNER / "boot"),
        "GPULENS_NVTX": str(tmp_path),
        "NVTX_INJECTION64_PATH": str(library),
        "HEARD": str(heard),
        **more,
    }
    subprocess.run([sys.executable, str(script)], env=environment, check=True)
    return heard.read_text(encoding="utf-8").splitlines() if heard.exists() else []


def test_mirrors_ranges_and_modules(tmp_path: Path, library: Path) -> None:
    assert run(tmp_path, library) == [
        "push stép",
        "push nn.Module: Net",
        "push nn.Module: Net.inner",
        "pop",
        "pop",
        "pop",
    ]


SCRIPTED = """
import torch
from torch.profiler import record_function

@torch.jit.script
def double(x: torch.Tensor) -> torch.Tensor:
    with record_function("double"):
        return x * 2

with record_function("step"):
    double(torch.ones(1))
"""


def test_torchscript_compiles_mirrored_ranges(tmp_path: Path, library: Path) -> None:
    assert run(tmp_path, library, SCRIPTED) == ["push step", "pop"]


def test_writes_the_lines_of_modules_beside_the_export(tmp_path: Path, library: Path) -> None:
    sidecar = tmp_path / "bench.sqlite.meta.json"
    run(tmp_path, library, BELOW, GPULENS_NVTX_SIDECAR=str(sidecar))
    written = json.loads(sidecar.read_text(encoding="utf-8"))
    assert [(site["name"], site["file"], site["line"], site["count"]) for site in written["sites"]] == [
        ("nn.Module: Net", "script.py", 12, 2),
        ("nn.Module: Net.block", "script.py", 5, 2),
    ]
    assert {"name": "nn.Module: Net.block", "class": "__main__.Block"} in written["modules"]
    assert [file["file"] for file in written["files"]] == ["script.py"]
    # What another process has written stays; one that calls no module writes nothing.
    sidecar.write_text("kept", encoding="utf-8")
    run(tmp_path, library, BELOW, GPULENS_NVTX_SIDECAR=str(sidecar))
    assert sidecar.read_text(encoding="utf-8") == "kept"
    sidecar.unlink()
    run(tmp_path, library, "import torch", GPULENS_NVTX_SIDECAR=str(sidecar))
    assert not sidecar.exists()


BELOW = """
import torch

class Block(torch.nn.Module):
    def forward(self, x):
        return x + 1

class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.block = Block()
    def forward(self, x):
        return self.block(x)

net = Net()
net(torch.ones(1))
net(torch.ones(1))
"""


THREADS = """
import threading, torch

class Net(torch.nn.Module):
    def forward(self, x):
        thread = threading.Thread(target=Other(), args=(x,))
        thread.start(); thread.join()
        return x

class Other(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = torch.nn.Linear(2, 2)
    def forward(self, x):
        return self.inner(x)

Net()(torch.ones(1, 2))
"""


def test_calls_of_several_threads_are_outermost_in_each(tmp_path: Path, library: Path) -> None:
    assert run(tmp_path, library, THREADS) == [
        "push nn.Module: Net",
        "push nn.Module: Other",
        "push nn.Module: Other.inner",
        "pop",
        "pop",
        "pop",
    ]


def test_leaves_a_script_alone_whose_profiler_takes_no_ranges(tmp_path: Path, library: Path) -> None:
    assert run(tmp_path, library, REFUSES="1") == []
    assert run(tmp_path, tmp_path / "missing.so") == []


TRAINING = """
import torch
from torch.profiler import record_function

net = torch.nn.Linear(2, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(6):
    with record_function(f"step {step}"):
        net(torch.ones(1, 2)).sum().backward()
        optimizer.step()
"""

INFERENCE = """
import torch

net = torch.nn.Linear(2, 2)
with torch.no_grad():
    for step in range(6):
        net(torch.ones(1, 2))
"""


def captured(tmp_path: Path, library: Path, source: str, **options: object) -> list[str]:
    """Returns what the library heard while the range was open that opens what nsys captures, and that range."""
    events = tmp_path / "events.jsonl"
    config = {
        **{"out": str(tmp_path), "events": str(events), "root": str(tmp_path)},
        **{"profiler": "nsys", "capture": "nvtx", "times": True, "warmup": 2, "active": 2},
        **options,
    }
    heard = run(tmp_path, library, source, GPULENS_CONFIG=json.dumps(config))
    assert heard.count("start gpu_lens_measured_steps") == heard.count("end 7") == 1
    return heard[heard.index("start gpu_lens_measured_steps") : heard.index("end 7") + 1]


def test_what_is_captured_are_the_measured_steps(tmp_path: Path, library: Path) -> None:
    heard = captured(tmp_path, library, TRAINING)
    # Two steps warm up, and one is where torch's profiler would begin.
    assert [line for line in heard if line.startswith("push step")] == ["push step 3", "push step 4"]
    assert heard.count("push Optimizer.step#SGD.step") == 2
    events = [json.loads(line) for line in (tmp_path / "events.jsonl").read_text().splitlines()]
    (times,) = [event for event in events if event["event"] == "times"]
    assert len(times["stepNs"]) == 2


def test_what_is_captured_of_inference_are_whole_calls(tmp_path: Path, library: Path) -> None:
    heard = captured(tmp_path, library, INFERENCE, active=1)
    assert heard == ["start gpu_lens_measured_steps", "push nn.Module: Linear", "pop", "end 7"]


def test_a_script_that_ends_before_its_measured_steps_opens_nothing(tmp_path: Path, library: Path) -> None:
    config = {"out": str(tmp_path), "events": str(tmp_path / "e"), "root": "", "profiler": "nsys", "capture": "nvtx"}
    heard = run(tmp_path, library, TRAINING, GPULENS_CONFIG=json.dumps({**config, "warmup": 20}))
    assert "push step 5" in heard
    assert not [line for line in heard if line.startswith(("start", "end"))]


def test_without_cuda_the_profiler_api_cannot_open_a_capture(tmp_path: Path, library: Path) -> None:
    if torch.cuda.is_available():
        pytest.skip("this machine has CUDA")
    events = tmp_path / "e"
    config = {"out": str(tmp_path), "events": str(events), "root": "", "profiler": "nsys", "capture": "cuda"}
    heard = run(tmp_path, library, TRAINING, GPULENS_CONFIG=json.dumps(config))
    # The script goes on by itself, and what is wrong is told.
    assert "push step 5" in heard
    assert "Profiling stopped" in events.read_text()
