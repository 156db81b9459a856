"""Windows of time, of scripts in which no step is found."""

from __future__ import annotations

from typing import Callable

from conftest import Run
from small_model import names_in

Record = Callable[..., Run]


def test_a_time_window_needs_no_steps(record: Record) -> None:
    source = """
import glob, json, os, time, torch
traces = json.loads(os.environ["GPULENS_CONFIG"])["out"] + "/*.gz"
adds, limit = 0, time.monotonic() + 300
while not glob.glob(traces) and time.monotonic() < limit:
    for _ in range(100): torch.ones(4).add(1)
    adds += 100
    time.sleep(0.02)
print(adds)
"""
    run = record(source, options=("--step", "window", "--window-delay", "1", "--window", "3"))
    assert (run.event("trace")["kind"], run.event("trace")["why"]) == ("window", "complete")
    assert 0 < names_in(run.trace()).count("aten::add") < int(run.stdout)


FORKS = """
import glob, json, os, time, torch
traces = json.loads(os.environ["GPULENS_CONFIG"])["out"] + "/*.gz"
if os.fork() == 0:
    limit = time.monotonic() + 300
    while not glob.glob(traces) and time.monotonic() < limit:
        torch.ones(4).add(1)
        time.sleep(0.01)
    print(os.getpid(), flush=True)
    os._exit(0)
os.wait()
"""
"""The child works until there is a trace."""


def test_a_forked_process_has_a_time_window_of_its_own(record: Record) -> None:
    run = record(FORKS, options=("--step", "window", "--window-delay", "6", "--window", "2"))
    event = run.event("trace")
    assert (event["kind"], event["why"], event["pid"]) == ("window", "complete", int(run.stdout))
    assert "aten::add" in names_in(run.trace())


def test_a_process_forked_after_the_time_window_has_none(record: Record) -> None:
    source = """
import glob, json, os, threading, time, torch
traces = json.loads(os.environ["GPULENS_CONFIG"])["out"] + "/*.gz"
limit = time.monotonic() + 300
while not glob.glob(traces) and time.monotonic() < limit:
    torch.ones(4).add(1)
    time.sleep(0.01)
if os.fork() == 0:
    torch.ones(4).add(1)
    print([one for one in threading.enumerate() if isinstance(one, threading.Timer)], flush=True)
    os._exit(0)
os.wait()
"""
    run = record(source, options=("--step", "window", "--window-delay", "1", "--window", "2"))
    assert (run.status, run.stdout) == (0, "[]\n"), run.stderr
    run.event("trace")


def test_a_process_forked_after_an_empty_time_window_has_one(record: Record) -> None:
    source = FORKS.replace("if os.fork", "time.sleep(5)\nif os.fork")
    run = record(source, options=("--step", "window", "--window-delay", "0.5", "--window", "2"))
    assert run.event("trace")["pid"] == int(run.stdout)


OWN_PROFILER = """
import json, os, time, torch
from torch.profiler import profile
config = json.loads(os.environ["GPULENS_CONFIG"])
def work_until(event):
    limit = time.monotonic() + 300
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
    # The delay ends during this block.
    work(1); mine.step(); work(6)
print(len(mine.events()) > 9)
work_until('"event": "trace"')
"""
    )
    run = record(source, options=("--step", "window", "--window-delay", "5", "--window", "2"))
    assert (run.status, run.stdout) == (0, "True\n"), run.stderr
    assert run.event("user-profiler")
    assert (run.event("trace")["kind"], run.event("trace")["why"]) == ("window", "complete")
    assert "aten::mul" not in names_in(run.trace())


def test_a_time_window_ends_where_the_script_begins_to_profile_itself(record: Record) -> None:
    source = (
        OWN_PROFILER
        + """
work_until('"what": "window"')
for _ in range(30): torch.ones(4).mul(1)
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
events, limit = json.loads(os.environ["GPULENS_CONFIG"])["events"], time.monotonic() + 300
while '"no-step"' not in open(events).read() and time.monotonic() < limit: time.sleep(0.1)
time.sleep(1)
"""
    run = record(source, options=("--step-limit", "0.5"))
    assert run.event("no-step")["seconds"] == 0.5
