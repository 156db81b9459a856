"""What is asked of a run while it runs: a window of time, where no step was found."""

from __future__ import annotations

import json
import pathlib
import subprocess
import sys
import time
from typing import Any

import pytest
from conftest import PATIENCE_S, RUNNER, Run, read_trace, runner_command

sys.path.insert(0, str(RUNNER))

from gpulens_runner.control import _asks_for_window  # noqa: E402 -- the runner is no installed package.

LOOP = """
import os, sys, time, torch
from torch.profiler import record_function
def at(name, times=1):
    return open(os.path.join(OUT, "events.jsonl")).read().count(f'"event": "{name}"') >= times
def work(until, times=1):
    a = torch.randn(8, 8)
    while not at(until, times):
        with record_function("tick"): a = torch.tanh(a @ a)
        time.sleep(0.001)
"""


class Asked:
    """Runs a script that takes no steps, and asks for a window of time once that is told."""

    def __init__(self, folder: pathlib.Path) -> None:
        self.folder = folder
        self.control = folder / "control.jsonl"
        self.also_wait_for: str | None = None
        """A file that the script writes before the test sends the request."""

    def run(self, source: str, *options: str, ask_at: str = "no-step") -> Run:
        script = self.folder / "loop.py"
        script.write_text(LOOP.replace("OUT", repr(str(self.folder))) + source)
        options = ("--control", str(self.control), "--step-limit", "0.5", "--window", "2", *options)
        with subprocess.Popen(
            runner_command(self.folder, self.folder, sys.executable, str(script), options=options),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        ) as runner:
            try:
                self._wait_for(ask_at, runner)
                self.ask()
                stdout, stderr = runner.communicate(timeout=PATIENCE_S)
            except subprocess.TimeoutExpired:
                # The runner ends the processes that it has started.
                runner.terminate()
                raise
        return Run(runner.returncode, stdout, stderr, self.folder)

    def ask(self, request: str = "window") -> None:
        with self.control.open("a") as file:
            file.write(json.dumps({"v": 1, "request": request}) + "\n")

    def _wait_for(self, event: str, runner: subprocess.Popen[str]) -> None:
        events = self.folder / "events.jsonl"
        end = time.monotonic() + PATIENCE_S
        while runner.poll() is None:
            if time.monotonic() > end:
                raise subprocess.TimeoutExpired(event, PATIENCE_S)
            told = events.exists() and f'"event": "{event}"' in events.read_text()
            if told and (self.also_wait_for is None or (self.folder / self.also_wait_for).exists()):
                return
            time.sleep(0.05)


@pytest.fixture
def asked(tmp_path: pathlib.Path) -> Asked:
    """A folder for one run."""
    return Asked(tmp_path)


def windows(run: Run) -> list[dict[str, Any]]:
    return [event for event in run.events if event["event"] == "trace" and event["kind"] == "window"]


def test_a_window_is_recorded_when_it_is_asked_for(asked: Asked) -> None:
    run = asked.run("work(until='trace')\nprint('finished')\n")
    assert (run.status, run.stdout) == (0, "finished\n"), run.stderr
    told = [event["event"] for event in run.events if event["event"] in ("no-step", "trace")]
    # The opening, which was recorded until then, is of no use beside it.
    assert told == ["no-step", "trace"]
    (window,) = windows(run)
    assert window["why"] == "complete"
    assert run.ranges()["tick"] > 0
    assert run.sites() == {("tick", "loop.py", 9)}


def test_each_process_of_a_run_records_its_own(asked: Asked) -> None:
    # A process ignores requests from before it began.
    asked.also_wait_for = "child"
    child = f"open({str(asked.folder / 'child')!r}, 'w').close(); work('trace', 2); os._exit(0)"
    run = asked.run(f"if os.fork() == 0: {child}\nwork('trace', 2)\nos.wait()\n")
    assert run.status == 0, run.stderr
    assert len({event["pid"] for event in windows(run)}) == 2


def test_what_was_asked_before_a_process_began_is_not_for_it(asked: Asked) -> None:
    asked.ask()
    run = asked.run("time.sleep(2)\nwork(until='no-step')\n", ask_at="never")
    assert windows(run) == []


def test_steps_that_are_found_at_last_are_what_is_recorded(asked: Asked) -> None:
    source = """
net = torch.nn.Linear(8, 8)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
work(until="no-step")
for step in range(9):
    optimizer.zero_grad(); net(torch.randn(2, 8)).sum().backward(); optimizer.step(); time.sleep(0.2)
"""
    run = asked.run(source, ask_at="step")
    assert run.status == 0, run.stderr
    assert (run.event("trace")["kind"], run.event("trace")["steps"]) == ("steps", 3)


def test_a_window_waits_while_the_script_is_in_backward(asked: Asked) -> None:
    source = """
class Slow(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x): return x.clone()
    @staticmethod
    def backward(ctx, g):
        work(until="no-step")
        end = time.monotonic() + 2
        while time.monotonic() < end: torch.tanh(g)
        assert not at("recording") or '"what": "window"' not in open(os.path.join(OUT, "events.jsonl")).read()
        return g
Slow.apply(torch.ones(2, requires_grad=True)).sum().backward()
work(until="trace")
""".replace("OUT", repr(str(asked.folder)))
    run = asked.run(source)
    assert run.status == 0, run.stderr
    assert len(windows(run)) == 1
    assert "aten::matmul" in {event["name"] for event in read_trace(run.traces[0])["traceEvents"]}


def test_a_script_that_profiles_itself_is_left_alone(asked: Asked) -> None:
    source = """
with torch.profiler.profile() as mine:
    work(until="no-step")
    end = time.monotonic() + 2
    while time.monotonic() < end: torch.tanh(torch.ones(3)); time.sleep(0.05)
print(len(mine.events()) > 9)
"""
    run = asked.run(source)
    assert (run.status, run.stdout) == (0, "True\n"), run.stderr
    assert windows(run) == []


@pytest.mark.parametrize(
    ("line", "asks"),
    [
        (b'{"v": 1, "request": "window"}', True),
        (b'{"v": 2, "request": "window"}', False),
        (b'{"v": 1, "request": "steps"}', False),
        (b'{"v": 1, "requ', False),
        (b"[1]", False),
        (b"\xff\xfe", False),
    ],
)
def test_a_line_of_another_version_or_form_asks_for_nothing(line: bytes, asks: bool) -> None:
    assert _asks_for_window(line) is asks
