"""What the watch makes of events: processes of several hosts, which may have the same id, and of this one."""

from __future__ import annotations

import json
import os
import pathlib
import subprocess
import sys
from typing import Any, Callable

import pytest
from conftest import RUNNER, Run, runner_command

sys.path.insert(0, str(RUNNER))

from gpulens_runner import run_watch  # noqa: E402 -- the runner is no installed package.
from gpulens_runner.host import host_id  # noqa: E402
from gpulens_runner.options import parse  # noqa: E402
from gpulens_runner.run_watch import Limits, RunWatch  # noqa: E402
from gpulens_runner.supervisor import _limits  # noqa: E402

Record = Callable[..., Run]
FAR = "0123456789abcdef"


class Clock:
    """A clock that stands until it is moved."""

    now = 1000.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """The clock of the watch."""
    clock = Clock()
    monkeypatch.setattr(run_watch, "time", clock)
    return clock


class Told:
    """A watch and what it is told."""

    def __init__(self, folder: pathlib.Path) -> None:
        self.file = folder / "events.jsonl"
        self.watch = RunWatch(str(self.file), Limits(silence_seconds=60.0), lambda: None)

    def tell(self, name: str, host: str, pid: int, **fields: Any) -> None:
        with self.file.open("a") as file:
            file.write(json.dumps({"v": 1, "event": name, "pid": pid, "host": host, "world": 2, **fields}) + "\n")

    def last(self) -> dict[str, Any]:
        last: dict[str, Any] = json.loads(self.file.read_text().splitlines()[-1])
        return last


@pytest.fixture
def told(tmp_path: pathlib.Path) -> Told:
    """A watch."""
    return Told(tmp_path)


def ended_pid() -> int:
    with subprocess.Popen([sys.executable, "-c", ""]) as process:
        pass
    return process.pid


def test_two_hosts_may_give_the_same_id(told: Told) -> None:
    pid = ended_pid()
    for rank, host in enumerate((host_id(), FAR)):
        told.tell("step", host, pid, rank=rank)
    told.tell("trace", FAR, pid, rank=1, kind="steps")
    assert not told.watch.is_waiting()
    told.watch.finish()
    assert (told.last()["recorded"], told.last()["missing"]) == ([1], [0])
    assert told.last()["lost"] == [{"pid": pid, "rank": 0}]


def test_a_rank_of_another_host_is_waited_for_until_it_has_written(told: Told, clock: Clock) -> None:
    pid = ended_pid()
    told.tell("step", FAR, pid, rank=0)
    assert told.watch.is_waiting()
    clock.now += 59
    assert told.watch.is_waiting()
    told.tell("trace", FAR, pid, rank=0, kind="steps")
    assert not told.watch.is_waiting()


@pytest.mark.parametrize("host", [host_id(), FAR])
def test_a_silent_process_is_not_waited_for_for_ever(told: Told, clock: Clock, host: str) -> None:
    told.tell("step", host, os.getpid(), rank=0)
    assert told.watch.is_waiting()
    clock.now += 61
    assert not told.watch.is_waiting()


def test_a_process_that_writes_may_be_silent_for_longer(told: Told, clock: Clock) -> None:
    told.tell("writing", host_id(), os.getpid(), rank=0)
    assert told.watch.is_waiting()
    assert told.watch.is_writing()
    clock.now += 599
    assert told.watch.is_waiting()
    told.tell("trace", host_id(), os.getpid(), rank=0, kind="opening")
    assert not told.watch.is_waiting()
    assert not told.watch.is_writing()


def test_ranks_of_other_hosts_have_a_short_while_where_the_run_is_ended(told: Told, clock: Clock) -> None:
    told.tell("step", FAR, os.getpid(), rank=0)
    told.watch.ends()
    assert told.watch.is_waiting()
    clock.now += 11
    assert not told.watch.is_waiting()


def test_silent_ranks_of_all_hosts_are_named_once(told: Told, clock: Clock) -> None:
    pid = os.getpid()
    for rank, host in enumerate((host_id(), FAR)):
        told.tell("step", host, pid, rank=rank)
    told.tell("step", host_id(), ended_pid(), rank=2)
    told.watch.is_waiting()
    clock.now += 61
    for _ in range(2):
        told.watch._look(clock.now)
    (hanging,) = [line for line in told.file.read_text().splitlines() if '"hanging"' in line]
    assert json.loads(hanging)["ranks"] == [0, 1]
    assert json.loads(hanging)["pids"] == [pid, pid]


def test_ranks_that_fall_silent_one_after_another_are_named_together(told: Told, clock: Clock) -> None:
    for rank, pid in enumerate((os.getpid(), os.getppid())):
        told.tell("step", host_id(), pid, rank=rank)
        told.watch.is_waiting()
        clock.now += 3
    clock.now += 55
    told.watch._look(clock.now)
    assert '"hanging"' not in told.file.read_text()
    clock.now += 3
    told.watch._look(clock.now)
    assert told.last()["ranks"] == [0, 1]


def ending(told: Told, clock: Clock) -> str | None:
    """Looks as the watch does, and again when the script has had the time to end by itself."""
    told.watch.is_waiting()
    if told.watch._look(clock.now) is None:
        clock.now += 21
    return told.watch._look(clock.now)


@pytest.mark.parametrize(
    ("options", "waits"), [((), False), (("--costs",), True), (("--costs", "--profiler", "timer"), False)]
)
def test_a_run_is_ended_when_it_is_recorded_and_what_options_cost_is_told(
    tmp_path: pathlib.Path, clock: Clock, options: tuple[str, ...], waits: bool
) -> None:
    told = Told(tmp_path)
    limits = _limits(parse(["--out", "o", "--events", "e", "--after", "stop", *options, "--", "x"]))
    told.watch = RunWatch(str(told.file), limits, lambda: None)
    told.tell("step", host_id(), os.getpid(), world=None)
    assert ending(told, clock) is None
    told.tell("trace", host_id(), os.getpid(), world=None, kind="steps")
    assert ending(told, clock) == (None if waits else "recorded")
    told.tell("costs", host_id(), os.getpid(), world=None)
    assert ending(told, clock) == "recorded"


def test_a_run_whose_graph_captures_are_recorded_is_not_recorded_yet(tmp_path: pathlib.Path, clock: Clock) -> None:
    told = Told(tmp_path)
    told.watch = RunWatch(str(told.file), Limits(stops=True), lambda: None)
    told.tell("trace", host_id(), os.getpid(), world=None, kind="capture")
    assert ending(told, clock) is None
    told.tell("step", host_id(), os.getpid(), world=None)
    told.tell("trace", host_id(), os.getpid(), world=None, kind="capture")
    assert ending(told, clock) is None
    told.tell("trace", host_id(), os.getpid(), world=None, kind="steps")
    assert ending(told, clock) == "recorded"


def test_captures_leave_the_recordings_that_are_still_to_come(tmp_path: pathlib.Path, clock: Clock) -> None:
    told = Told(tmp_path)
    told.watch = RunWatch(str(told.file), Limits(stops=True), lambda: None)
    told.tell("step", host_id(), os.getpid(), world=None)
    told.tell("trace", host_id(), os.getpid(), world=None, kind="steps", left=1)
    told.tell("trace", host_id(), os.getpid(), world=None, kind="capture")
    assert ending(told, clock) is None


@pytest.mark.parametrize("last", ["user-profiler", "ended"])
def test_what_options_cost_is_not_waited_for_of_whoever_will_not_tell(
    tmp_path: pathlib.Path, clock: Clock, last: str
) -> None:
    told = Told(tmp_path)
    told.watch = RunWatch(str(told.file), Limits(stops=True, measures_costs=True), lambda: None)
    pid = ended_pid() if last == "ended" else os.getpid()
    for name in ("step", "trace", last):
        told.tell(name, host_id(), pid, world=None, kind="steps")
    assert ending(told, clock) == "recorded"


def test_every_process_of_a_run_tells_one_host_and_no_name_of_it(record: Record) -> None:
    run = record("import torch, os\nif os.fork() == 0: os._exit(0)\nos.wait()\ntorch.nn.Linear(2, 2)(torch.ones(2))\n")
    assert {event["host"] for event in run.events} == {host_id()}
    assert os.uname().nodename not in host_id()


@pytest.mark.skipif(
    subprocess.run(["unshare", "--pid", "--fork", "true"], capture_output=True).returncode != 0
    if sys.platform == "linux"
    else True,
    reason="this system lets no process have ids of its own",
)
def test_a_container_is_another_host(tmp_path: pathlib.Path) -> None:
    code = "import torch; torch.nn.Linear(2, 2)(torch.ones(2))"
    command = ["unshare", "--pid", "--fork", sys.executable, "-c", code]
    subprocess.run(runner_command(tmp_path, tmp_path, *command), check=True, capture_output=True)
    events = [json.loads(line) for line in (tmp_path / "events.jsonl").read_text().splitlines()]
    assert len({event["host"] for event in events}) == 2
