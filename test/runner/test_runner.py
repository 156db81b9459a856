"""The runner on a real torch: what is recorded of which script, and that the script itself is left alone."""

from __future__ import annotations

import json
import os
import pathlib
import pty
import re
import select
import signal
import subprocess
import sys
import time
from typing import Callable

import pytest
from conftest import GRACE, PATIENCE_S, Run, ends, record_in, runner_command

Record = Callable[..., Run]

TRAINING = """\
import sys, torch
from torch.profiler import record_function

net = torch.nn.Linear(8, 8)
optimizer = torch.optim.AdamW(net.parameters())

@record_function("batch")
def batch():
    return torch.randn(4, 8)

for step in range(int(sys.argv[1])):
    with record_function("train_step"):
        with record_function(f"forward_{step % 2}"):
            loss = net(batch()).sum()
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
print("finished", step, sys.argv[2:])
"""


@pytest.fixture(scope="module")
def training(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """What most tests look at: one run of nine steps."""
    return record_in(tmp_path_factory.mktemp("training"), TRAINING, "9", starts="python")


def test_three_steps_after_the_warm_up_are_recorded(training: Run) -> None:
    run = training
    assert run.status == 0
    assert "finished 8 []" in run.stdout
    ranges = run.ranges()
    assert ranges["train_step"] == 3
    assert ranges["batch"] == 3
    assert ranges["forward_0"] + ranges["forward_1"] == 3
    assert sorted(name for name in ranges if name.startswith("ProfilerStep")) == [
        "ProfilerStep#1",
        "ProfilerStep#2",
        "ProfilerStep#3",
    ]
    event = run.event("trace")
    assert (event["kind"], event["why"], event["steps"], event["rank"]) == ("steps", "complete", 3, None)


def test_a_step_lies_wholly_inside_its_profiler_step(training: Run) -> None:
    events = training.trace()["traceEvents"]
    spans = {
        name: sorted(
            (event["ts"], event["ts"] + event["dur"])
            for event in events
            if event.get("cat") == "user_annotation" and event["name"].startswith(name)
        )
        for name in ("ProfilerStep#", "train_step")
    }
    for (outer_from, outer_to), (inner_from, inner_to) in zip(spans["ProfilerStep#"], spans["train_step"]):
        assert outer_from <= inner_from and inner_to <= outer_to


def test_the_sidecar_has_the_line_of_every_range(training: Run) -> None:
    assert training.sites() == {
        ("batch", "train.py", 7),
        ("train_step", "train.py", 12),
        ("forward_0", "train.py", 13),
        ("forward_1", "train.py", 13),
    }


def test_progress_is_reported_in_order(training: Run) -> None:
    events = [event for event in training.events if event["event"] != "started"]
    steps = [(event["phase"], event["done"], event["total"]) for event in events if event["event"] == "step"]
    assert steps == [
        ("warm-up", 1, 2),
        ("warm-up", 2, 2),
        ("recording", 0, 3),
        ("recording", 1, 3),
        ("recording", 2, 3),
        ("recording", 3, 3),
    ]
    assert {event["what"] for event in events if event["event"] == "step"} == {"train"}
    ends = ["writing", "trace", "loops", "overhead", "loops", "ranks", "exit"]
    assert [event["event"] for event in events[-7:]] == ends
    assert {event["v"] for event in events} == {1}


def test_warm_up_and_steps_can_be_chosen(record: Record) -> None:
    run = record(TRAINING, "9", options=("--warmup", "1", "--active", "2"))
    assert run.ranges()["train_step"] == 2


def test_a_script_that_ends_early_gives_the_steps_that_were_recorded(record: Record) -> None:
    run = record(TRAINING, "5", starts="python")
    assert run.status == 0
    assert (run.event("trace")["kind"], run.event("trace")["steps"]) == ("steps", 2)
    assert run.ranges()["train_step"] == 2


@pytest.mark.parametrize("steps", ["1", "2", "3"])
def test_a_script_with_few_steps_gives_its_opening(record: Record, steps: str) -> None:
    run = record(TRAINING, steps)
    assert run.event("trace")["kind"] == "opening"
    assert run.ranges()["train_step"] == 1


def test_few_calls_give_the_opening_until_steps_are_recorded(record: Record) -> None:
    run = record("import torch\nnet = torch.nn.Linear(8, 8)\nfor _ in range(4): net(torch.randn(2, 8))\n")
    assert run.event("trace")["kind"] == "opening"
    names = [event["name"] for event in run.trace()["traceEvents"] if event.get("cat") == "cpu_op"]
    assert names.count("aten::linear") == 2


def test_the_opening_is_limited_in_time(record: Record) -> None:
    source = """\
import json, os, time, torch
from torch.profiler import record_function
events = json.loads(os.environ["GPULENS_CONFIG"])["events"]
while '"opening-full"' not in open(events).read():
    with record_function("slow"):
        time.sleep(0.1)
for i in range(10):
    with record_function("slow"):
        time.sleep(0.1)
"""
    run = record(source, options=("--opening-seconds", "1"))
    assert run.event("opening-full")["seconds"] == 1.0
    # No more than fit into a second.
    assert 1 <= run.ranges()["slow"] <= 11


def test_nothing_is_recorded_of_a_script_without_ranges_modules_or_steps(record: Record) -> None:
    run = record("import torch\nprint(torch.ones(2).sum().item())\n")
    assert (run.status, run.traces) == (0, [])
    assert run.event("armed")["torch"]


def test_a_script_without_torch_is_left_alone(record: Record) -> None:
    run = record("import sys\nprint('torch' in sys.modules, 'gpulens_runner' in sys.modules)\n")
    assert (run.status, run.stdout, run.stderr) == (0, "False False\n", "")
    assert [event["event"] for event in run.events] == ["started", "exit"]


def test_the_script_is_the_main_module_with_its_own_arguments_and_folder(record: Record) -> None:
    source = """\
import os, sys, torch
print(__name__, sys.argv[1:], os.path.basename(os.getcwd()), sys.path[0] == os.getcwd())
"""
    run = record(source, "--name", "two words", "é; rm", name="mein Skript é.py")
    assert run.stdout == "__main__ ['--name', 'two words', 'é; rm'] project True\n"


def test_arguments_are_not_kept_and_messages_are_private(record: Record, tmp_path: pathlib.Path) -> None:
    before = os.umask(0)
    try:
        run = record("import torch\nprint('done')\n", "--api-key", "not-for-others")
    finally:
        os.umask(before)
    assert run.status == 0
    kept = [path for path in tmp_path.rglob("events*") if path.is_file()]
    assert kept
    for path in kept:
        assert "not-for-others" not in path.read_text(errors="replace")
        assert path.stat().st_mode & 0o077 == 0


def test_an_exception_keeps_its_status_and_message_and_what_was_recorded(record: Record) -> None:
    source = TRAINING.replace(
        '    with record_function("train_step"):',
        "    if step == 5: raise ValueError('boom')\n    with record_function(\"train_step\"):",
    )
    run = record(source, "9", starts="python")
    assert run.status == 1
    assert "ValueError: boom" in run.stderr
    assert run.event("exit")["status"] == 1
    assert run.event("exit")["tail"][-1] == "ValueError: boom"
    assert run.event("trace")["why"] == "exit"
    assert run.ranges()["train_step"] == 2


@pytest.mark.parametrize("leave", ["sys.exit(3)", "import os; os._exit(3)"])
def test_every_way_to_leave_keeps_the_status_and_the_trace(record: Record, leave: str) -> None:
    run = record(TRAINING + leave, "2", starts="python")
    assert run.status == 3
    assert run.event("trace")["kind"] == "opening"


def test_a_script_that_profiles_itself_is_left_alone_and_its_trace_picked_up(record: Record) -> None:
    source = """\
import torch
from torch.profiler import profile, record_function
net = torch.nn.Linear(8, 8)
net(torch.randn(2, 8))
with profile() as prof:
    with record_function("mine"):
        net(torch.randn(2, 8))
prof.export_chrome_trace("mine.json")
"""
    run = record(source)
    assert run.status == 0
    assert run.event("user-profiler")
    assert (run.event("trace")["kind"], run.traces[0].name) == ("own", "mine.json")
    assert '"mine"' in run.traces[0].read_text()


def test_the_users_own_sitecustomize_still_runs(record: Record, tmp_path: pathlib.Path) -> None:
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "sitecustomize.py").write_text("import builtins\nbuiltins.greeting = 'hello'\n")
    run = record(
        "import torch, sitecustomize\nprint(greeting, sitecustomize.__file__)\n", env={"PYTHONPATH": str(mine)}
    )
    assert run.stdout == f"hello {mine / 'sitecustomize.py'}\n"
    assert run.event("armed")


def test_data_loader_workers_write_no_traces(record: Record) -> None:
    source = """\
import torch
from torch.profiler import record_function
class Data(torch.utils.data.Dataset):
    def __len__(self): return 8
    def __getitem__(self, i):
        with record_function("load"):
            return torch.randn(8)
net = torch.nn.Linear(8, 8)
for batch in torch.utils.data.DataLoader(Data(), batch_size=2, num_workers=2):
    net(batch)
"""
    run = record(source)
    assert run.status == 0, run.stderr
    assert len(run.traces) == 1


def test_each_process_that_steps_writes_its_own_trace(record: Record) -> None:
    source = (
        "import torch, torch.multiprocessing as mp\n"
        + """
def work(rank):
    net = torch.nn.Linear(8, 8)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for _ in range(7):
        net(torch.randn(2, 8)).sum().backward()
        optimizer.step()
if __name__ == "__main__":
    mp.spawn(work, nprocs=2)
"""
    )
    run = record(source)
    assert run.status == 0, run.stderr
    assert len(run.traces) == 2
    assert all(path.exists() for path in run.traces)


def test_the_trace_names_neither_the_machine_nor_the_folder(training: Run) -> None:
    trace = training.trace()
    assert "host_name" not in trace
    assert trace["traceName"] == "train.pt.trace.json.gz"
    assert str(training.out.parent) not in json.dumps(trace)


def test_a_failure_of_ours_leaves_the_script_alone(record: Record, tmp_path: pathlib.Path) -> None:
    # A full disk, as the runner meets it: the folder for traces is a file.
    source = TRAINING.replace("net = ", "import os, shutil; shutil.rmtree(OUT); open(OUT, 'w').close()\nnet = ", 1)
    source = f"OUT = {str(tmp_path / 'out')!r}\n" + source
    run = record(source, "9")
    assert run.status == 0
    assert "finished 8" in run.stdout


def test_a_command_that_does_not_exist_is_said(tmp_path: pathlib.Path) -> None:
    done = subprocess.run(runner_command(tmp_path, tmp_path, "/no/such/program"), capture_output=True, text=True)
    assert done.returncode == 127
    assert done.stderr == "/no/such/program: No such file or directory\n"


def test_ending_the_runner_ends_all_processes_and_keeps_what_was_recorded(tmp_path: pathlib.Path) -> None:
    script = tmp_path / "train.py"
    script.write_text(
        "import subprocess, sys, time, torch\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])\n"
        "torch.nn.Linear(2, 2)(torch.randn(1, 2))\n"
        "print(child.pid, flush=True)\n"
        "time.sleep(600)\n"
    )
    command = runner_command(tmp_path, tmp_path, sys.executable, str(script), options=GRACE)
    runner = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert runner.stdout is not None
    child = int(runner.stdout.readline())
    runner.send_signal(signal.SIGTERM)
    assert runner.wait(timeout=PATIENCE_S) == 128 + signal.SIGTERM
    assert ends(child)
    assert list(tmp_path.glob("*.pt.trace.json.gz"))


def test_a_command_in_a_terminal_has_a_terminal(tmp_path: pathlib.Path) -> None:
    code = "import os, sys; print(sys.stdin.isatty(), sys.stdout.isatty(), os.get_terminal_size().columns); sys.exit(4)"
    pid, terminal = pty.fork()
    if pid == 0:
        os.execv(sys.executable, runner_command(tmp_path, tmp_path, sys.executable, "-c", code))
    output = b""
    try:
        while data := os.read(terminal, 1024):
            output += data
    except OSError:
        pass
    _, status = os.waitpid(pid, 0)
    assert output.startswith(b"True True")
    assert os.waitstatus_to_exitcode(status) == 4
    events = [json.loads(line) for line in (tmp_path / "events.jsonl").read_text().splitlines()]
    assert events[-1]["status"] == 4
    assert events[-1]["tail"][0].startswith("True True")


BACKGROUND = """
import os, signal, sys
pid = os.fork()
if pid == 0:
    os.setpgid(0, 0)
    os.execv(sys.argv[1], sys.argv[1:])
_, status = os.waitpid(pid, os.WUNTRACED)
if os.WIFSTOPPED(status):
    os.kill(pid, signal.SIGKILL)
    sys.exit(f"stopped by signal {os.WSTOPSIG(status)}")
sys.exit(os.waitstatus_to_exitcode(status))
"""
"""Runs a command as a shell does before `&`, and ends it if it is stopped."""


def test_a_run_in_the_background_of_a_terminal_is_not_stopped(tmp_path: pathlib.Path) -> None:
    command = runner_command(
        tmp_path, tmp_path, sys.executable, "-c", "import sys; print('passed', repr(sys.stdin.read())); sys.exit(4)"
    )
    pid, terminal = pty.fork()
    if pid == 0:
        os.execv(sys.executable, [sys.executable, "-c", BACKGROUND, *command])
    output = b""
    try:
        while select.select([terminal], [], [], 60)[0] and (data := os.read(terminal, 1024)):
            output += data
    except OSError:
        pass
    os.close(terminal)
    assert output == b"passed ''\r\n"
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 4


def test_a_run_with_a_closed_standard_input_runs(tmp_path: pathlib.Path) -> None:
    command = runner_command(tmp_path, tmp_path, sys.executable, "-c", "print('passed')")
    done = subprocess.run(
        ["sh", "-c", 'exec "$@" <&-', "sh", *command], capture_output=True, text=True, timeout=PATIENCE_S
    )
    assert (done.returncode, done.stdout) == (0, "passed\n"), done.stderr


@pytest.mark.parametrize("service", ["sleep 600", "while true; do echo busy; sleep 0.01; done"])
def test_a_service_that_keeps_the_terminal_is_not_waited_for(tmp_path: pathlib.Path, service: str) -> None:
    code = (
        f"import subprocess; print(subprocess.Popen(['sh', '-c', {service!r}], start_new_session=True).pid, flush=True)"
    )
    pid, terminal = pty.fork()
    if pid == 0:
        os.execv(sys.executable, runner_command(tmp_path, tmp_path, sys.executable, "-c", code))
    begin, output = time.monotonic(), b""
    try:
        while os.waitpid(pid, os.WNOHANG)[0] == 0 and time.monotonic() < begin + 120:
            output += os.read(terminal, 1024) if select.select([terminal], [], [], 0.05)[0] else b""
        while data := os.read(terminal, 1024):
            output += data
    except OSError:
        pass
    assert time.monotonic() - begin < 120
    # What two processes write may stand on one line.
    (service_pid,) = [int(word) for word in re.findall(rb"\d+", output)]
    os.killpg(service_pid, signal.SIGKILL)
    events = [json.loads(line) for line in (tmp_path / "events.jsonl").read_text().splitlines()]
    assert events[-1]["status"] == 0


def test_the_last_lines_are_what_a_person_saw(tmp_path: pathlib.Path) -> None:
    begin = "import sys; sys.stdout = sys.stderr; "
    code = (
        begin
        + r"print('\x1b[31mred\x1b[0m'); print('10%\r50%\r100%'); [print(i) for i in range(100)]; print('é', end='')"
    )
    subprocess.run(runner_command(tmp_path, tmp_path, sys.executable, "-c", code), check=True, capture_output=True)
    (event,) = [json.loads(line) for line in (tmp_path / "events.jsonl").read_text().splitlines()][-1:]
    assert len(event["tail"]) == 80
    assert event["tail"][-2:] == ["99", "é"]
    code = begin + r"print('\x1b[31mred\x1b[0m'); print('10%\r50%\r100%')"
    subprocess.run(runner_command(tmp_path, tmp_path, sys.executable, "-c", code), check=True, capture_output=True)
    event = [json.loads(line) for line in (tmp_path / "events.jsonl").read_text().splitlines()][-1]
    assert event["tail"] == ["red", "100%"]
