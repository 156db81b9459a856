"""NVTX through a profiler's library: one of our own, compiled here, that writes down what it is told."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

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
int InitializeInjectionNvtx2(const void *(*get_table)(uint32_t)) {
  const Callbacks *callbacks = get_table(1);
  Function **table; unsigned count;
  if (!callbacks || getenv("REFUSES") || !callbacks->get(1, &table, &count) || count < 16) return 0;
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
