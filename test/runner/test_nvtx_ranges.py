"""NVTX ranges of a script, which are recorded with or without CUDA."""

from __future__ import annotations

from typing import Callable

import torch
from conftest import Run
from torch.cuda import nvtx

Record = Callable[..., Run]


def test_nvtx_ranges_run_without_cuda_and_are_recorded(record: Record) -> None:
    source = """\
import torch
from torch.cuda import nvtx
net = torch.nn.Linear(8, 8)
nvtx.range_push("outer")
with nvtx.range("inner {}", 7):
    net(torch.randn(2, 8))
nvtx.range_pop()
@nvtx.range("decorated")
def f(): pass
f()
"""
    run = record(source)
    assert run.status == 0, run.stderr
    assert {"outer": 1, "inner 7": 1, "decorated": 1}.items() <= run.ranges().items()
    assert {("outer", "train.py", 4), ("inner 7", "train.py", 5), ("decorated", "train.py", 8)} <= run.sites()


def test_threads_open_and_close_nvtx_ranges_of_their_own(record: Record) -> None:
    source = """\
import os, threading, torch
from torch.cuda import nvtx
from torch.autograd import profiler
closed = []
leave = profiler.record_function.__exit__
def noting(self, *error):
    closed.append((threading.current_thread().name, self.name))
    return leave(self, *error)
profiler.record_function.__exit__ = noting
def work():
    depths.append(nvtx.range_push("worker's"))
    opened.set(); main_closed.wait()
    nvtx.range_pop()
depths, opened, main_closed = [], threading.Event(), threading.Event()
thread = threading.Thread(target=work, name="worker")
depths.append(nvtx.range_push("main's"))
thread.start(); opened.wait()
nvtx.range_pop()
main_closed.set(); thread.join()
print(depths, closed, flush=True)
nvtx.range_push("parent's")
child = os.fork()
if child == 0:
    closed.clear()
    nvtx.range_pop()
    print(closed, flush=True)
    os._exit(0)
os.waitpid(child, 0)
"""
    run = record(source)
    assert run.status == 0, run.stderr
    # A build for CUDA tells what the profiler's library says, which is no depth where there is none.
    depth = nvtx.range_push("") if hasattr(torch._C, "_nvtx") else 0
    assert run.stdout == f"""[{depth}, {depth}] [('MainThread', "main's"), ('worker', "worker's")]\n[]\n"""
