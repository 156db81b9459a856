"""Every process of a command: one trace per rank, whatever starts them, and nothing left running."""

from __future__ import annotations

import os
import pathlib
import signal
import subprocess
import sys
import time
from typing import Callable

import pytest
from conftest import GRACE, PATIENCE_S, Run, ends, runner_after, runner_command

Record = Callable[..., Run]

# A DDP model that goes out of scope ends the gloo group's thread and waits for it while it holds the GIL; that thread
# may need the GIL to free the context of the last reduction (torch 2.13). `kept` lets it live as long as its process.
WORK = """\
import os, sys, time, torch, torch.distributed as dist, torch.multiprocessing as mp

kept = []

def work(rank, world, folder, steps=9):
    if world is not None:
        dist.init_process_group("gloo", init_method=f"file://{folder}/store", rank=rank, world_size=world)
    net = torch.nn.Linear(8, 8)
    if world is not None:
        net = torch.nn.parallel.DistributedDataParallel(net)
    kept.append(net)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for step in range(steps):
        leave(rank, step)
        optimizer.zero_grad(); net(torch.randn(2, 8)).sum().backward(); optimizer.step()
    if world is not None:
        dist.destroy_process_group()

def leave(rank, step): pass
"""

START = """
if __name__ == "__main__":
    mp.start_processes(work, args=({world}, {folder!r}), nprocs=2, start_method={method!r})
"""


def steps_of(run: Run) -> list[tuple[int | None, int | None, str, int]]:
    return sorted(
        (event["rank"], event["world"], event["why"], event["steps"])
        for event in run.events
        if event["event"] == "trace" and event["kind"] == "steps"
    )


@pytest.mark.parametrize("method", ["spawn", "fork", pytest.param("forkserver", marks=pytest.mark.long)])
def test_each_rank_of_a_job_writes_one_trace_named_by_it(record: Record, tmp_path: pathlib.Path, method: str) -> None:
    run = record(WORK + START.format(world=2, folder=str(tmp_path), method=method))
    assert run.status == 0, run.stderr
    assert steps_of(run) == [(0, 2, "complete", 3), (1, 2, "complete", 3)]
    assert sorted(path.name for path in run.traces) == [
        "train.rank0.pt.trace.json.gz",
        "train.rank1.pt.trace.json.gz",
    ]
    ranks = run.event("ranks")
    assert (ranks["world"], ranks["recorded"], ranks["missing"], ranks["lost"]) == (2, [0, 1], [], [])


def test_a_helper_without_steps_writes_nothing(record: Record, tmp_path: pathlib.Path) -> None:
    helper = "\nif __name__ == '__main__':\n    torch.nn.Linear(8, 8)(torch.randn(2, 8))\n"
    run = record(WORK + helper + START.format(world=2, folder=str(tmp_path), method="spawn"))
    assert run.status == 0, run.stderr
    assert {event["kind"] for event in run.events if event["event"] == "trace"} == {"steps"}
    assert len(run.traces) == 2


def test_processes_without_ranks_are_named_by_their_ids(record: Record, tmp_path: pathlib.Path) -> None:
    run = record(WORK + START.format(world=None, folder=str(tmp_path), method="spawn"))
    names = sorted(path.name for path in run.traces)
    assert len(names) == 2
    assert names[1] == "train.pt.trace.json.gz"
    assert names[0].startswith("train.pid")


TORCHRUN = (
    WORK
    + """
if __name__ == "__main__":
    dist.init_process_group("gloo")
    work(dist.get_rank(), None, None)
    dist.destroy_process_group()
"""
)


def torchrun(*options: str) -> list[str]:
    return ["-m", "torch.distributed.run", "--standalone", "--nproc_per_node", "2", *options]


def test_torchrun_gives_a_trace_per_rank_and_none_of_its_own(record: Record, tmp_path: pathlib.Path) -> None:
    run = record(TORCHRUN, before=torchrun(), name="mein Skript é.py")
    assert run.status == 0, run.stderr
    assert steps_of(run) == [(0, 2, "complete", 3), (1, 2, "complete", 3)]
    assert sorted(path.name for path in run.traces) == [
        "mein Skript é.rank0.pt.trace.json.gz",
        "mein Skript é.rank1.pt.trace.json.gz",
    ]
    # The launcher imports torch, too.
    assert len({event["pid"] for event in run.events if event["event"] == "armed"}) == 3


def test_torchrun_ends_well_where_the_script_stops_when_it_is_recorded(record: Record) -> None:
    run = record(TORCHRUN, before=torchrun(), options=("--after", "stop"))
    assert run.status == 0, run.stderr
    assert steps_of(run) == [(0, 2, "complete", 3), (1, 2, "complete", 3)]


def test_a_shell_script_and_the_processes_that_it_starts_are_recorded(record: Record, tmp_path: pathlib.Path) -> None:
    source = """
import subprocess, sys
open("run.sh", "w").write('exec "$1" inner.py')
open("inner.py", "w").write(INNER)
subprocess.check_call(["bash", "run.sh", sys.executable])
"""
    inner = WORK + "work(0, None, None)\n"
    run = record(source.replace("INNER", repr(inner)))
    assert run.status == 0, run.stderr
    assert [path.name for path in run.traces] == ["inner.pt.trace.json.gz"]


@pytest.mark.parametrize(
    "how",
    ["env={'PATH': os.environ['PATH']}", "flag='-E'", "flag='-I'", "env={**os.environ, 'PYTHONPATH': 'src'}"],
)
def test_a_process_that_takes_no_environment_runs_as_ever(record: Record, how: str) -> None:
    source = f"""
import os, subprocess, sys
def run(env=None, flag='-u'): subprocess.check_call([sys.executable, flag, '-c', INNER], env=env)
run({how})
"""
    run = record(source.replace("INNER", repr(WORK + "work(0, None, None)\nprint('ran')\n")))
    assert (run.status, run.stdout, run.traces) == (0, "ran\n", [])


LEAVING = {
    "raises": "raise ValueError('boom')",
    "os._exit": "os._exit(3)",
    "sys.exit": "sys.exit(4)",
    "is killed": "os.kill(os.getpid(), 9)",
    "aborts": "os.abort()",
}


ENDS = [
    *(("spawn", how) for how in LEAVING),
    *((method, how) for method in ("fork", "forkserver") for how in ("raises", "os._exit", "sys.exit")),
]
# Each way to start a process and one way to end; the long suite takes all of them.
EVERYDAY_ENDS = [("spawn", "is killed"), ("fork", "raises"), ("forkserver", "os._exit")]


@pytest.mark.parametrize(
    ("method", "how"),
    [pytest.param(*end, marks=[] if end in EVERYDAY_ENDS else pytest.mark.long) for end in ENDS],
)
def test_steps_that_were_recorded_are_kept_however_a_process_ends(
    record: Record, tmp_path: pathlib.Path, method: str, how: str
) -> None:
    leave = f"""
def leave(rank, step):
    if step == 7: dist.barrier()
    if rank == 1 and step == 7: {LEAVING[how]}
"""
    run = record(WORK + leave + START.format(world=2, folder=str(tmp_path), method=method))
    assert run.status != 0
    assert steps_of(run) == [(0, 2, "complete", 3), (1, 2, "complete", 3)]


def test_a_rank_that_dies_while_it_is_recorded_is_named(record: Record, tmp_path: pathlib.Path) -> None:
    ends = "if step == 5: dist.barrier(); rank == 1 and os.kill(os.getpid(), 9)"
    leave = f"\ndef leave(rank, step):\n    {ends}\n"
    run = record(WORK + leave + START.format(world=2, folder=str(tmp_path), method="spawn"))
    assert run.status != 0
    ranks = run.event("ranks")
    assert ranks["missing"] == [1]
    assert [lost["rank"] for lost in ranks["lost"]] == [1]
    # The other one was told to end by torch, and has written what it had.
    assert [(rank, steps) for rank, _, _, steps in steps_of(run)] in ([(0, 2)], [(0, 3)])


HANGING = (
    WORK
    + """
def leave(rank, step):
    if rank == 1 and step == 4:
        open(os.environ["HANGS"], "w").write(str(os.getpid()))
        while True: time.sleep(1)
"""
)


def test_a_rank_that_hangs_is_named_and_ended_where_that_is_wished(record: Record, tmp_path: pathlib.Path) -> None:
    run = record(
        HANGING + START.format(world=2, folder=str(tmp_path), method="spawn"),
        options=("--silence", "10", "--end-hanging", *GRACE),
        env={"HANGS": str(tmp_path / "pid")},
    )
    assert run.status == 128 + signal.SIGTERM
    assert 1 in run.event("hanging")["ranks"]
    assert run.event("stopping")["why"] == "hanging"
    assert ends(int((tmp_path / "pid").read_text()))
    # It was asked to end before it was made to: by the runner, or by torch, which interrupts workers without a parent.
    assert {why for rank, _, why, _ in steps_of(run) if rank == 1} in ({"SIGTERM"}, {"exit"})


def test_a_launchers_workers_end_with_it_although_they_have_sessions_of_their_own(tmp_path: pathlib.Path) -> None:
    script = tmp_path / "train.py"
    # In one piece: torchrun's workers do not buffer what they print.
    tell = "os.write(1, f'at {os.getpid()}\\n'.encode())"
    hang = f"\ndef leave(rank, step):\n    if step == 4: {tell}; time.sleep(600)\n"
    script.write_text(TORCHRUN.replace("\nif __name__", hang + "\nif __name__"))
    command = runner_command(tmp_path, tmp_path, sys.executable, *torchrun(), str(script), options=GRACE)
    runner = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert runner.stdout is not None
    pids = [int(runner.stdout.readline().split()[1]) for _ in range(2)]
    assert all(os.getsid(pid) == pid for pid in pids)
    runner.send_signal(signal.SIGTERM)
    runner.wait(timeout=PATIENCE_S)
    assert all(ends(pid) for pid in pids)
    assert len(list(tmp_path.glob("*.pt.trace.json.gz"))) == 2


def test_a_run_ends_with_the_process_that_asked_for_it_and_keeps_what_was_recorded(tmp_path: pathlib.Path) -> None:
    script = tmp_path / "train.py"
    child = "import subprocess; print(subprocess.Popen(['sleep', '600'], start_new_session=True).pid, flush=True)"
    hang = f"\ndef leave(rank, step):\n    if step == 4: {child}; time.sleep(600)\n"
    script.write_text(WORK + hang + "work(0, None, None)\n")
    with subprocess.Popen(["sleep", "600"]) as asker:
        options = ("--parent", str(asker.pid), *GRACE)
        runner = subprocess.Popen(
            runner_command(tmp_path, tmp_path, sys.executable, str(script), options=options),
            stdout=subprocess.PIPE,
            text=True,
        )
        assert runner.stdout is not None
        left = int(runner.stdout.readline())
        assert runner.poll() is None
        asker.kill()
    assert runner.wait(timeout=PATIENCE_S) == 128 + signal.SIGTERM
    assert ends(left)
    run = Run(runner.returncode, "", "", tmp_path)
    assert run.event("stopping")["why"] == "parent"
    assert steps_of(run) == [(None, None, "SIGTERM", 1)]


WAITS = """\
import os, signal, sys, time

print(signal.getsignal(signal.SIGHUP) is signal.SIG_DFL, flush=True)
while not os.path.exists(sys.argv[1]): time.sleep(0.01)
"""


@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="this system ends what runs in a terminal with it")
def test_a_run_that_is_to_go_on_outlives_its_terminal(tmp_path: pathlib.Path) -> None:
    (tmp_path / "waits.py").write_text(WAITS)
    command = [sys.executable, str(tmp_path / "waits.py"), str(tmp_path / "go")]
    options = ("--keep-running",)
    with subprocess.Popen(
        runner_command(tmp_path / "out", tmp_path, *command, options=options), stdout=subprocess.PIPE, text=True
    ) as runner:
        assert runner.stdout is not None
        # What the command does when its own terminal is closed stays as it is.
        assert runner.stdout.readline() == "True\n"
        runner.send_signal(signal.SIGHUP)
        (tmp_path / "go").touch()
        assert runner.wait(timeout=PATIENCE_S) == 0
    names = [event["event"] for event in Run(0, "", "", tmp_path / "out").events]
    assert "stopping" not in names
    assert "exit" in names


DEAF = """\
import ctypes, os, signal, sys, time
import torch

child = os.fork()
if child:
    while not os.path.exists(sys.argv[1]): time.sleep(0.05)
    sys.exit(0)
os.setsid()
signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
# As programs do that write a title over their environment.
variables = ctypes.POINTER(ctypes.c_void_p).in_dll(ctypes.CDLL(None), "environ")
at = 0
while variables[at]:
    ctypes.memset(variables[at], 0, len(ctypes.string_at(variables[at])))
    at += 1
weight = torch.nn.Parameter(torch.ones(2))
optimizer = torch.optim.SGD([weight], lr=0.1)
for step in range(2):
    weight.sum().backward(); optimizer.step()
with open(sys.argv[1] + "~", "w") as file: file.write(f"{os.getpid()} {os.getppid()}")
os.rename(sys.argv[1] + "~", sys.argv[1])
time.sleep(300)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="finds the environment that the system shows of a process")
def test_a_rank_that_hears_no_signal_ends_with_its_run_when_its_launcher_is_gone(tmp_path: pathlib.Path) -> None:
    (tmp_path / "deaf.py").write_text(DEAF)
    place = tmp_path / "pid"
    command = [sys.executable, str(tmp_path / "deaf.py"), str(place)]
    runner = subprocess.Popen(runner_command(tmp_path / "out", tmp_path, *command, options=("--grace", "1")))
    for _ in range(10 * PATIENCE_S):
        if place.exists():
            break
        time.sleep(0.1)
    rank, launcher = map(int, place.read_text().split())
    assert ends(launcher)
    assert b"GPULENS" not in pathlib.Path(f"/proc/{rank}/environ").read_bytes()
    runner.send_signal(signal.SIGTERM)
    try:
        assert runner.wait(timeout=PATIENCE_S) == 0
        assert ends(rank)
    finally:
        if not ends(rank):
            os.kill(rank, signal.SIGKILL)


def test_a_process_that_does_not_listen_is_ended_all_the_same(tmp_path: pathlib.Path) -> None:
    code = """
import os, signal, subprocess, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
signal.signal(signal.SIGINT, signal.SIG_IGN)
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        print(os.getpid(), flush=True)
        time.sleep(600)
    os._exit(0)
time.sleep(600)
"""
    runner = subprocess.Popen(
        runner_command(tmp_path, tmp_path, sys.executable, "-c", code),
        stdout=subprocess.PIPE,
        text=True,
        # A shell starts background jobs with SIGINT ignored, and tests inherit that.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    assert runner.stdout is not None
    orphan = int(runner.stdout.readline())
    runner.send_signal(signal.SIGINT)
    assert runner.wait(timeout=PATIENCE_S) == 128 + signal.SIGKILL
    assert ends(orphan)


def test_processes_that_outlive_the_command_are_waited_for_until_they_are_recorded(
    record: Record, tmp_path: pathlib.Path
) -> None:
    slow = "\ndef leave(rank, step): time.sleep(0.3)\n"
    source = f"""
import subprocess, sys, time
child = subprocess.Popen([sys.executable, '-c', {WORK + slow + "work(0, None, None)"!r}], stdout=subprocess.DEVNULL)
while 'warm-up' not in open({str(tmp_path / "out" / "events.jsonl")!r}).read(): time.sleep(0.05)
"""
    run = record(source)
    assert run.status == 0, run.stderr
    assert steps_of(run) == [(None, None, "complete", 3)]
    # The process may tell of its loops later, when it ends.
    assert [event["event"] for event in run.events if event["event"] in ("trace", "exit")] == ["trace", "exit"]


def test_two_runs_at_once_into_one_folder_keep_their_traces_apart(tmp_path: pathlib.Path) -> None:
    script = tmp_path / "train.py"
    script.write_text(WORK + "work(0, None, None)\n")
    command = runner_command(tmp_path, tmp_path, sys.executable, str(script))
    runs = [subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.DEVNULL) for _ in range(2)]
    assert [run.wait(timeout=PATIENCE_S) for run in runs] == [0, 0]
    assert len(list(tmp_path.glob("train*.pt.trace.json.gz"))) == 2
    assert len(list(tmp_path.glob("train*.meta.json"))) == 2


def test_a_data_loaders_workers_have_no_profiler_running(record: Record) -> None:
    source = """
import torch
class Data(torch.utils.data.Dataset):
    def __len__(self): return 24
    def __getitem__(self, i):
        assert not torch.autograd._profiler_enabled()
        return torch.randn(8)
if __name__ == "__main__":
    net = torch.nn.Linear(8, 8)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for epoch in range(4):
        for batch in torch.utils.data.DataLoader(Data(), batch_size=12, num_workers=2):
            optimizer.zero_grad(); net(batch).sum().backward(); optimizer.step()
"""
    run = record(source)
    assert run.status == 0, run.stderr
    assert steps_of(run) == [(None, None, "complete", 3)]


def test_a_rank_takes_no_step_and_is_named(record: Record) -> None:
    source = """
import os, subprocess, sys
for rank in "01":
    env = {**os.environ, "RANK": rank, "WORLD_SIZE": "2"}
    subprocess.check_call([sys.executable, '-c', INNER if rank == "0" else "import torch"], env=env)
"""
    run = record(source.replace("INNER", repr(WORK + "work(0, None, None)")))
    assert run.status == 0, run.stderr
    assert (run.event("ranks")["recorded"], run.event("ranks")["missing"]) == ([0], [1])


def test_a_run_that_is_ended_as_it_begins_is_ended_in_good_order(tmp_path: pathlib.Path) -> None:
    # The signal comes when the command has been started, and nothing watches it yet.
    early = """
import os, signal
# A shell starts background jobs with SIGINT ignored, and tests inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)
from gpulens_runner.run_watch import RunWatch
start = RunWatch.start
def start_late(watch):
    os.kill(os.getpid(), signal.SIGINT)
    start(watch)
RunWatch.start = start_late
"""
    command = runner_after(early, runner_command(tmp_path, tmp_path, "sleep", "600"))
    run = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S)
    assert run.returncode == 128 + signal.SIGINT, run.stderr
    assert Run(run.returncode, run.stdout, run.stderr, tmp_path).event("stopping")["why"] == "signal"
