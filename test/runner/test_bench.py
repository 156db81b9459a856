"""One point of a sweep on a real torch: what is measured, and what is said where it cannot be."""

from __future__ import annotations

import gzip
import itertools
import json
import os
import pathlib
import subprocess
import sys
import threading
import time

import pytest
import torch
from bench_points import REFERENCE, RUNNER, bench_command, read_events, run_point
from conftest import PATIENCE_S

from gpulens_bench import clock as clocks
from gpulens_bench.clock import Clock
from gpulens_bench.commands import Command
from gpulens_bench.environment import environment
from gpulens_bench.failure import describe
from gpulens_bench.measure import is_finite, measure
from gpulens_bench.memory import PeakMemory
from gpulens_bench.point import Point
from gpulens_bench.precision import prepare
from gpulens_bench.work import CommandFailed, Work

CALLABLE = {**REFERENCE, "target": "callable", "size": None}


def write(folder: pathlib.Path, text: str) -> dict[str, object]:
    (folder / "mine.py").write_text(text)
    return {**CALLABLE, "function": "mine:make"}


def test_every_step_is_reported_with_its_phases(tmp_path: pathlib.Path) -> None:
    done = run_point(tmp_path, REFERENCE)
    assert done.status == 0, done.output
    assert (len(done.steps("warm-up")), len(done.steps("measured"))) == (2, 3)
    for event in [event for event in done.events if event["event"] == "step"]:
        assert list(event["phases"]) == ["forward", "backward", "optimizer"]
        assert 0 < sum(event["phases"].values()) <= event["ns"]
    assert done.event("done")["error"] is None
    work = done.event("work")
    assert (work["samples"], work["tokens"], work["device"]) == (2, 32, "cpu")
    values = done.event("environment")["values"]
    assert values["torch"] == torch.__version__
    assert values["threads"] == 1


PASSES = itertools.product(["forward", "forward+backward", "train"], ["fp32", "bf16", "fp16"])
# Each pass and each precision once; the long suite takes all pairs.
EVERYDAY_PASSES = [("forward", "fp32"), ("forward+backward", "fp16"), ("train", "bf16")]


@pytest.mark.parametrize(
    ("pass_name", "precision"),
    [pytest.param(*pair, marks=[] if pair in EVERYDAY_PASSES else pytest.mark.long) for pair in PASSES],
)
def test_passes_run_in_each_precision(tmp_path: pathlib.Path, pass_name: str, precision: str) -> None:
    point = {**REFERENCE, "pass_name": pass_name, "precision": precision, "warmup_steps": 0, "measured_steps": 1}
    done = run_point(tmp_path, point)
    assert done.status == 0, done.output
    assert done.event("done")["error"] is None


def test_a_precision_that_the_device_lacks_is_said(tmp_path: pathlib.Path) -> None:
    done = run_point(tmp_path, {**REFERENCE, "precision": "tf32"})
    assert done.status == 1
    assert done.event("failed")["error"] == "unsupported"
    assert "TF32 needs a CUDA device" in done.event("failed")["message"]


def test_a_callable_gives_the_step_for_its_point(tmp_path: pathlib.Path) -> None:
    code = "import torch\n\ndef make(point):\n    net = torch.nn.Linear(point.batch, 3)\n"
    code += "    return (lambda: net(torch.ones(point.batch)).sum()), net\n"
    done = run_point(tmp_path, write(tmp_path, code))
    assert done.status == 0, done.output
    assert done.event("work")["parameters"] == 2 * 3 + 3
    assert len(done.steps("measured")) == 3


@pytest.mark.parametrize(
    ("code", "error", "message"),
    [
        ("def make(): pass", "no-step", "mine:make returned nothing: it must return a function that runs one step."),
        ("def make(): return 3", "no-step", "mine:make returned a int"),
        ("def other(): pass", "no-step", "mine has no function make."),
        ("def make(): raise ValueError('bad  thing')", "crash", "ValueError: bad thing"),
        ("def make(): raise SystemExit('over')", "crash", "SystemExit: over"),
        ("import torch\ndef make(): return lambda: torch.empty(1 << 55)", "oom", "can't allocate memory"),
        ("import nothing_of_this_name", "crash", "ModuleNotFoundError"),
    ],
)
def test_what_goes_wrong_is_said(tmp_path: pathlib.Path, code: str, error: str, message: str) -> None:
    done = run_point(tmp_path, write(tmp_path, code))
    assert done.status == 1
    assert done.event("failed")["error"] == error
    assert message in done.event("failed")["message"]


def test_a_loss_that_is_nan_is_said_and_its_steps_are_kept(tmp_path: pathlib.Path) -> None:
    done = run_point(tmp_path, write(tmp_path, "def make(): return lambda: float('nan')"))
    assert done.event("done")["error"] == "nan"
    assert len(done.steps("measured")) == 3


def test_is_finite_takes_numbers_tensors_and_anything_else() -> None:
    assert is_finite(1.5) and is_finite(None) and is_finite("text") and is_finite(torch.ones(3))
    assert not is_finite(float("inf"))
    assert not is_finite(torch.tensor([1.0, float("nan")]))
    assert not is_finite(torch.tensor([1.0, float("-inf")], requires_grad=True))
    assert is_finite(torch.empty(0)) and is_finite(torch.ones(3, dtype=torch.int64))


def test_a_command_is_run_as_often_as_there_are_steps(tmp_path: pathlib.Path) -> None:
    code = "import os, sys; open('log', 'a').write(os.environ['MODE'] + ' ' + sys.argv[1] + '\\n')"
    command = [sys.executable, "-c", code, "a b; $HOME"]
    point = {**CALLABLE, "target": "command", "command": command, "environment": {"MODE": "x y"}}
    done = run_point(tmp_path, point)
    assert done.status == 0, done.output
    assert (tmp_path / "log").read_text() == "x y a b; $HOME\n" * 5
    assert len(done.steps("measured")) == 3


def test_a_commands_failure_has_its_last_words(tmp_path: pathlib.Path) -> None:
    command = [sys.executable, "-c", "raise SystemExit('torch.OutOfMemoryError: CUDA out of memory.')"]
    done = run_point(tmp_path, {**CALLABLE, "target": "command", "command": command})
    assert done.event("failed")["error"] == "oom"
    other = tmp_path / "other"
    other.mkdir()
    command = [sys.executable, "-c", "raise SystemExit(3)"]
    failed = run_point(other, {**CALLABLE, "target": "command", "command": command}).event("failed")
    assert (failed["error"], failed["message"]) == ("crash", "The command ended with status 3.")


def test_a_profile_names_neither_machine_nor_user_nor_folder(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "profiles" / "0.pt.trace.json.gz"
    done = run_point(tmp_path, REFERENCE, "--profile", str(path))
    assert done.event("trace")["path"] == str(path), done.output
    assert [file.name for file in path.parent.iterdir()] == [path.name]
    with gzip.open(path, "rt") as file:
        trace = json.load(file)
    assert {"host_name", "username"}.isdisjoint(trace)
    assert trace["traceName"] == path.name
    names = [event.get("name") for event in trace["traceEvents"]]
    assert names.count("optimizer_step") == 3


def test_a_commands_memory_is_its_own(tmp_path: pathlib.Path) -> None:
    command = [sys.executable, "-c", "bytearray(256 << 20)"]
    done = run_point(tmp_path, {**CALLABLE, "target": "command", "command": command})
    assert 256 << 20 <= done.event("memory")["peakBytes"] < 1 << 30


@pytest.mark.skipif(sys.platform != "linux", reason="Linux alone hands a process's peak on to those that it starts")
def test_memory_that_the_measuring_process_had_itself_is_no_commands(tmp_path: pathlib.Path) -> None:
    done = run_point(tmp_path, {**CALLABLE, "target": "command", "command": ["true"]})
    assert len(done.steps("measured")) == 3
    assert "peakBytes" not in done.event("memory")


def test_the_clock_stops_before_what_only_ends_a_step(monkeypatch: pytest.MonkeyPatch) -> None:
    order: list[str] = []

    def look() -> int:
        order.append("clock")
        return len(order)

    monkeypatch.setattr("gpulens_bench.clock.time.perf_counter_ns", look)
    work = Work(lambda _mark: order.append("run"), finish=lambda: order.append("finish"))
    Clock(None).time(work)
    assert order[-3:] == ["run", "clock", "finish"]


def test_a_commands_run_ends_with_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    joins: list[float | None] = []
    join = threading.Thread.join

    def joined(thread: threading.Thread, timeout: float | None = None) -> None:
        joins.append(timeout)
        join(thread, timeout)

    monkeypatch.setattr(threading.Thread, "join", joined)
    command = Command(Point("command", command=(sys.executable, "-c", "print('words'); raise SystemExit(3)")))
    command.run(lambda _phase: None)
    assert joins == []
    with pytest.raises(CommandFailed, match="ended with status 3: words"):
        command.finish()


@pytest.mark.parametrize("is_read", [True, False])
def test_a_commands_output_is_taken_in_whatever_letters(tmp_path: pathlib.Path, is_read: bool) -> None:
    """More than a pipe holds: a command whose output nobody takes would not end."""
    if is_read:
        shown = os.open(tmp_path / "shown", os.O_CREAT | os.O_WRONLY)
    else:
        read, shown = os.pipe()
        os.close(read)
    code = f"""
import sys
sys.path.insert(0, {str(RUNNER)!r})
from gpulens_bench.commands import Command
from gpulens_bench.point import Point
line = "import sys; sys.stdout.buffer.write(bytes([226, 150, 136, 255]) * 100_000)"
command = Command(Point("command", command=(sys.executable, "-c", line)))
command.run(lambda _phase: None)
command.finish()
"""
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
        stdout=shown,
        stderr=subprocess.PIPE,
        timeout=PATIENCE_S,
    )
    os.close(shown)
    assert done.stderr == b""
    if is_read:
        assert (tmp_path / "shown").read_bytes() == bytes([226, 150, 136, 255]) * 100_000


@pytest.mark.parametrize("expression", [".mean()", pytest.param("", marks=pytest.mark.long)])
def test_resident_memory_grows_by_what_torch_allocates(tmp_path: pathlib.Path, expression: str) -> None:
    """torch's own count of the same allocation is the oracle.

    A step that returns all of it needs no more: neither the look for NaN nor the result of the step before counts.
    """
    code = """
import torch
def make(point):
    def step():
        return torch.ones(COUNT, dtype=torch.float32)EXPRESSION
    return step
"""
    elements = 64 << 20
    with torch.profiler.profile(profile_memory=True) as recorder:
        torch.ones(elements)
    allocated = max(event.cpu_memory_usage for event in recorder.events())
    assert allocated == 4 * elements

    def peak(name: str, count: int) -> int:
        (tmp_path / name).mkdir()
        done = run_point(
            tmp_path / name, write(tmp_path / name, code.replace("COUNT", str(count)).replace("EXPRESSION", expression))
        )
        return int(done.event("memory")["peakBytes"])

    grown = peak("large", elements) - peak("small", 1)
    assert abs(grown - allocated) < 0.1 * allocated


@pytest.mark.parametrize(("device", "chosen"), [("cuda", []), ("cuda:1", [torch.device("cuda:1")])])
def test_a_gpu_without_a_number_is_the_current_one(
    monkeypatch: pytest.MonkeyPatch, device: str, chosen: list[torch.device]
) -> None:
    found: list[torch.device] = []
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    # As torch's own, which takes no device without a number.
    monkeypatch.setattr(torch.cuda, "set_device", lambda one: found.append(torch.device("cuda", one.index)))
    point = Point.from_json(json.dumps({**REFERENCE, "device": device, "threads": None}).encode())
    prepare(point, torch.device(device))
    assert found == chosen


@pytest.mark.skipif(not torch.cuda.is_available(), reason="no CUDA device here: its allocator is not compared")
def test_peak_memory_on_a_gpu_is_torchs_own() -> None:
    memory = PeakMemory(torch.device("cuda"))
    memory.start()
    held = torch.empty(1 << 24, device="cuda")
    memory.stop()
    assert memory.read()["peakBytes"] == torch.cuda.max_memory_allocated() >= held.nbytes


def test_a_step_during_which_the_machine_slept_is_measured_again(monkeypatch: pytest.MonkeyPatch) -> None:
    asleep = iter([0, 10**10, 10**10, 10**10])
    monkeypatch.setattr("gpulens_bench.measure.suspended_ns", lambda: next(asleep))
    events: list[tuple[str, dict[str, object]]] = []
    runs: list[int] = []

    def report(name: str, **fields: object) -> None:
        events.append((name, fields))

    work = Work(lambda _mark: runs.append(1))
    assert measure(work, Clock(None), PeakMemory(None), report, warmup=0, measured=1) is None
    assert [name for name, _ in events] == ["slept", "step"]
    assert events[0][1] == {"ns": 10**10}
    assert len(runs) == 2


def test_a_turn_of_another_process_is_no_sleep(monkeypatch: pytest.MonkeyPatch) -> None:
    assert clocks.suspended_ns() is not None
    # Each clock counts on its own between two looks: where another process has its turn then, that look is no good.
    looks = iter([0, 9 * 10**9, 9 * 10**9] + [10**9, 10**9 + 40, 10**9 + 80] * 4)
    monkeypatch.setattr("gpulens_bench.clock.time.clock_gettime_ns", lambda _clock: next(looks))
    assert clocks.suspended_ns() == 40


@pytest.mark.parametrize(("script", "end"), [("exit 0", ""), ("echo ' M train.py'", "+"), ("exit 1", "?")])
def test_a_commit_says_whether_files_differ_from_it(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch, script: str, end: str
) -> None:
    git = tmp_path / "git"
    git.write_text(f"#!/bin/sh\n{script}\n")
    git.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    monkeypatch.setattr("gpulens_bench.environment.git_commit", lambda _folder: "0123456789abcdef")
    assert environment(None)["commit"] == "0123456789ab" + end


def test_memory_errors_are_told_apart() -> None:
    assert describe(MemoryError())[0] == "oom"
    assert describe(RuntimeError("[enforce fail] DefaultCPUAllocator: can't allocate memory: you tried"))[0] == "oom"
    assert describe(RuntimeError("CUDA error: out of memory"))[0] == "oom"
    assert describe(RuntimeError("shape mismatch"))[0] == "crash"


@pytest.mark.skipif(os.name != "posix", reason="Windows does not tell when a parent ends")
def test_a_point_ends_with_whoever_asked_for_it(tmp_path: pathlib.Path) -> None:
    point = tmp_path / "point.json"
    point.write_text(json.dumps({**CALLABLE, "target": "command", "command": ["sleep", "600"]}))
    command = bench_command(tmp_path)
    code = f"""
import subprocess, time
subprocess.Popen({command!r}, stdin=open({str(point)!r}), start_new_session=True)
time.sleep(600)
"""
    asker = subprocess.Popen([sys.executable, "-c", code])
    deadline = time.monotonic() + PATIENCE_S
    while not any(event["event"] == "work" for event in read_events(tmp_path)):
        assert time.monotonic() < deadline
        time.sleep(0.1)
    pid = read_events(tmp_path)[0]["pid"]
    asker.kill()
    asker.wait()
    deadline = time.monotonic() + PATIENCE_S
    while is_running(pid):
        assert time.monotonic() < deadline
        time.sleep(0.1)


def is_running(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as file:
            return file.read().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False
