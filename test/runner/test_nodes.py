"""Jobs of several nodes: started by `srun`, collected by a shared folder, one trace a rank.

There is no Slurm here. A stand-in starts the processes and tells them what srun does; where this system lets a process
have ids of its own, the second one is on another host as far as the runner can see.
"""

from __future__ import annotations

import json
import os
import pathlib
import subprocess
import sys
from typing import Any

import pytest
from conftest import PATIENCE_S, RUNNER, Run, runner_command

sys.path.insert(0, str(RUNNER))

from gpulens_runner import ranks  # noqa: E402 -- the runner is no installed package.
from gpulens_runner.far_events import FarEvents, events_file  # noqa: E402
from gpulens_runner.host import host_id  # noqa: E402

HAS_HOSTS = sys.platform == "linux" and (
    subprocess.run(["unshare", "--pid", "--fork", "true"], capture_output=True).returncode == 0
)

SRUN = f"""#!{sys.executable}
import os, subprocess, sys
arguments = sys.argv[1:]
count = int(arguments[arguments.index("--ntasks") + 1])
command = arguments[arguments.index("--export=ALL") + 1 :]
def task(rank):
    told = {{"SLURM_PROCID": rank, "SLURM_NODEID": rank, "SLURM_LOCALID": 0, "SLURM_STEP_NUM_TASKS": count}}
    environment = {{**os.environ, **{{name: str(value) for name, value in told.items()}}}}
    other = ["unshare", "--pid", "--fork"] if rank > 0 and {HAS_HOSTS!r} else []
    return subprocess.Popen([*other, *command], env=environment)
sys.exit(max(task.wait() for task in [task(rank) for rank in range(count)]))
"""

TRAINING = """
import os, torch, torch.distributed as dist
net = torch.nn.Linear(8, 8)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(9):
    optimizer.zero_grad(); net(torch.randn(2, 8)).sum().backward(); optimizer.step()
"""

MEETING = """
import os, torch.distributed as dist
rank, world = int(os.environ["SLURM_PROCID"]), int(os.environ["SLURM_STEP_NUM_TASKS"])
dist.init_process_group("gloo", init_method="file://" + os.environ["STORE"], rank=rank, world_size=world)
"""


def srun(folder: pathlib.Path, script: str, count: int = 2, program: str = sys.executable) -> Run:
    """Runs a script as srun starts it."""
    stand_in = folder / "bin" / "srun"
    stand_in.parent.mkdir()
    stand_in.write_text(SRUN)
    stand_in.chmod(0o755)
    (folder / "train.py").write_text(script)
    options = ["--nodes", str(count), "--ntasks", str(count), "--kill-on-bad-exit=1", "--export=ALL"]
    path = f"{stand_in.parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        runner_command(folder, folder, "srun", *options, program, str(folder / "train.py")),
        env={**os.environ, "PATH": path, "STORE": str(folder / "store")},
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
    )
    return Run(done.returncode, done.stdout, done.stderr, folder)


def steps_of(run: Run) -> list[tuple[int, int, str]]:
    traces = [event for event in run.events if event["event"] == "trace"]
    return sorted((event["rank"], event["world"], pathlib.Path(event["path"]).name) for event in traces)


BOTH = [(0, 2, "train.rank0.pt.trace.json.gz"), (1, 2, "train.rank1.pt.trace.json.gz")]


@pytest.mark.parametrize(
    "script",
    [
        pytest.param(TRAINING, marks=pytest.mark.long, id="each alone"),
        pytest.param(MEETING + TRAINING, id="as one job"),
    ],
)
def test_each_task_of_srun_is_a_rank(tmp_path: pathlib.Path, script: str) -> None:
    run = srun(tmp_path, script)
    assert run.status == 0, run.stderr
    assert steps_of(run) == BOTH
    assert (run.event("ranks")["recorded"], run.event("ranks")["missing"]) == ([0, 1], [])
    assert len({event["host"] for event in run.events}) == (2 if HAS_HOSTS else 1)
    assert run.events[-1]["event"] == "exit"


def test_a_task_that_takes_no_step_is_named(tmp_path: pathlib.Path) -> None:
    run = srun(tmp_path, "import os, torch\nif os.environ['SLURM_PROCID'] == '1': os._exit(0)\n" + TRAINING)
    assert run.status == 0, run.stderr
    assert (run.event("ranks")["recorded"], run.event("ranks")["missing"]) == ([0], [1])


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        ({}, (None, None)),
        ({"SLURM_PROCID": "3", "SLURM_STEP_NUM_TASKS": "4"}, (3, 4)),
        ({"OMPI_COMM_WORLD_RANK": "1", "OMPI_COMM_WORLD_SIZE": "2"}, (1, 2)),
        # What torchrun tells counts more than the node that it runs on.
        ({"RANK": "5", "WORLD_SIZE": "8", "SLURM_PROCID": "1", "SLURM_STEP_NUM_TASKS": "2"}, (5, 8)),
        # A batch script is the first task of its job, and none of a step.
        ({"SLURM_PROCID": "0", "SLURM_NTASKS": "4"}, (None, None)),
        ({"SLURM_PROCID": "0", "SLURM_STEP_NUM_TASKS": "1"}, (None, None)),
        ({"SLURM_PROCID": "9", "SLURM_STEP_NUM_TASKS": "4"}, (None, None)),
        ({"SLURM_PROCID": "one", "SLURM_STEP_NUM_TASKS": "²"}, (None, None)),
    ],
)
def test_a_rank_is_what_the_launcher_says(
    monkeypatch: pytest.MonkeyPatch, told: dict[str, str], expected: tuple[Any, Any]
) -> None:
    for name in [name for name in os.environ if name.startswith(("SLURM_", "OMPI_")) or name in ("RANK", "WORLD_SIZE")]:
        monkeypatch.delenv(name)
    for name, value in told.items():
        monkeypatch.setenv(name, value)
    assert ranks.rank_and_world() == expected


def test_a_process_of_another_host_has_a_file_of_its_own() -> None:
    assert events_file("/run/events.jsonl", "") == "/run/events.jsonl"
    assert events_file("/run/events.jsonl", host_id()) == "/run/events.jsonl"
    assert events_file("/run/events.jsonl", "0123456789abcdef") == f"/run/events.jsonl.{host_id()}"


def test_what_other_hosts_tell_is_brought_together_in_whole_lines(tmp_path: pathlib.Path) -> None:
    events = tmp_path / "a [run]" / "events.jsonl"
    events.parent.mkdir()
    events.write_text('{"own": 0}\n')
    far = [events.with_name(f"events.jsonl.{host}") for host in ("0" * 16, "1" * 16)]
    events.with_name("events.jsonl.of-somebody").write_text('{"other": 0}\n')
    relay = FarEvents(str(events))
    far[0].write_text('{"far": 1}\n{"far"')
    relay.relay(at_once=True)
    with far[0].open("a") as file:
        file.write(": 2}\n")
    far[1].write_text('{"far": 3}\n')
    for _ in range(2):
        relay.relay(at_once=True)
    lines = [json.loads(line) for line in events.read_text().splitlines()]
    assert lines == [{"own": 0}, {"far": 1}, {"far": 2}, {"far": 3}]
