"""What goes wrong: each is told in a sentence, nothing is left running, and what was recorded is kept."""

from __future__ import annotations

import json
import os
import pathlib
import signal
import stat
import subprocess
import sys
from typing import Callable

import pytest
from conftest import Run, read_trace, runner_command, tag_sites

Record = Callable[..., Run]

TRAINING = """\
import os, sys, torch
from torch.profiler import record_function
net = torch.nn.Linear(8, 8)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
def train(steps, label="train_step"):
    for step in range(steps):
        with record_function(label):
            optimizer.zero_grad(); net(torch.randn(2, 8)).sum().backward(); optimizer.step()
"""

LABELS = [
    'a "quoted" one',
    "C:\\temp\\new",
    "Größe 日本 😀",
    "two\nlines\tand a tab",
    "\x01 \x7f \u2028",
    '{"json": [1]}',
    "gpulens-label-1;",
    "",
]


def test_labels_of_any_letters_come_back_as_they_were(record: Record) -> None:
    source = (
        TRAINING
        + f"""
class Odd(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.add_module('a "b" é', torch.nn.Linear(8, 8))
    def forward(self, x): return self._modules['a "b" é'](x)
odd = Odd()
for step in range(9):
    for label in {LABELS!r}:
        with record_function(label): odd(torch.randn(2, 8))
    train(1)
"""
    )
    run = record(source)
    assert run.status == 0, run.stderr
    ranges = run.ranges()
    assert {label: ranges.get(label) for label in LABELS} == dict.fromkeys(LABELS, 3)
    assert {site["name"] for site in tag_sites(run.sidecar())} == {*LABELS, "train_step"}
    assert 'nn.Module: Odd.a "b" é' in {event["name"] for event in run.trace()["traceEvents"]}


def test_a_label_that_is_read_inside_its_range_is_the_scripts_own(record: Record) -> None:
    run = record(
        TRAINING
        + """
for step in range(9):
    with record_function('a "b"') as r: train(1)
    assert r.name == 'a "b"'
"""
    )
    assert run.status == 0, run.stderr
    assert run.ranges()['a "b"'] == 3


def test_paths_may_have_blanks_quotes_and_letters_of_any_alphabet(tmp_path: pathlib.Path) -> None:
    project, out = tmp_path / 'mein "Projekt" é 日本', tmp_path / 'out "put" é'
    project.mkdir()
    (project / "ein Skript é.py").write_text(TRAINING + "train(9)\n")
    done = subprocess.run(
        runner_command(out, project, sys.executable, "ein Skript é.py"), cwd=project, capture_output=True, text=True
    )
    run = Run(done.returncode, done.stdout, done.stderr, out)
    assert run.status == 0, run.stderr
    assert run.traces == [out / "ein Skript é.pt.trace.json.gz"]
    assert run.ranges()["train_step"] == 3
    assert run.sites() == {("train_step", "ein Skript é.py", 7)}


def test_an_interpreter_without_torch_is_told(tmp_path: pathlib.Path) -> None:
    # -S leaves out site-packages, and with them torch; the agent comes by sitecustomize, which -S leaves out, too.
    code = "import sys; sys.path[:] = [p for p in sys.path if 'site-packages' not in p]; import torch"
    done = subprocess.run(
        runner_command(tmp_path, tmp_path, sys.executable, "-c", code), capture_output=True, text=True
    )
    run = Run(done.returncode, done.stdout, done.stderr, tmp_path)
    assert run.status == 1
    assert run.event("no-torch")["python"] == sys.executable
    assert run.event("exit")["tail"][-1] == "ModuleNotFoundError: No module named 'torch'"


def test_the_sidecar_names_the_package_that_was_run(tmp_path: pathlib.Path) -> None:
    package = tmp_path / "zoo" / "mnist"
    package.mkdir(parents=True)
    (package / "__main__.py").write_text(TRAINING + "import os; os.chdir('/')\ntrain(9)\n")
    command = runner_command(tmp_path / "out", tmp_path, sys.executable, "-m", "zoo.mnist")
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    run = Run(done.returncode, done.stdout, done.stderr, tmp_path / "out")
    assert run.sidecar()["script"] == "zoo/mnist/__main__.py"


def test_a_torch_without_cuda_is_told_and_recorded_on_the_cpu(record: Record) -> None:
    run = record(TRAINING + "train(9)\nprint(torch.version.cuda, torch.cuda.is_available())\n")
    built_for, has_gpu = run.stdout.split()
    assert str(run.event("armed")["cuda"]) == built_for
    assert str(run.sidecar()["cuda"]) == built_for
    assert (run.sidecar()["device"] == "cpu") or has_gpu == "True"


def test_a_full_disk_is_told_and_the_trace_goes_elsewhere(record: Record, tmp_path: pathlib.Path) -> None:
    # As the runner meets it: no file in its folder may grow.
    other = tmp_path / "other"
    other.mkdir()
    source = (
        TRAINING
        + """
import json
out = json.loads(os.environ["GPULENS_CONFIG"])["out"]
os.rename(out, out + ".away"); open(out, "w").close()
train(9)
os.remove(out); os.rename(out + ".away", out)
print("finished")
"""
    )
    run = record(source, env={"TMPDIR": str(other)})
    assert (run.status, run.stdout) == (0, "finished\n")
    (folder,) = other.glob("gpu-lens-*")
    # Others may open the system's folder for temporary files, and must not read what a script is made of.
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert sorted(path.suffix for path in folder.iterdir()) == [".gz", ".json"]
    assert read_trace(next(path for path in folder.iterdir() if path.suffix == ".gz"))["traceEvents"]


def test_a_trace_that_was_cut_off_is_not_taken_for_a_whole_one(record: Record, tmp_path: pathlib.Path) -> None:
    limit = TRAINING + "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))\n"
    run = record(limit + "train(9)\nprint('finished')\n", env={"TMPDIR": str(tmp_path)})
    assert (run.status, run.stdout) == (0, "finished\n")
    assert run.traces == []
    assert run.event("error")["message"].startswith("The trace could not be written to ")
    assert "File too large" in run.event("error")["message"]
    assert [path for path in tmp_path.rglob("*") if ".tmp" in path.name or path.name.endswith(".gz")] == []


def test_memory_that_is_not_there_is_told_and_the_steps_before_are_kept(record: Record) -> None:
    run = record(TRAINING + "train(5)\ntorch.empty(1 << 60)\n")
    assert run.status == 1
    assert "can't allocate memory" in run.event("exit")["tail"][-1]
    assert (run.event("trace")["why"], run.event("trace")["steps"]) == ("exit", 2)


def test_a_process_that_is_killed_is_told_by_its_signal(record: Record) -> None:
    run = record(TRAINING + "train(4)\nos.kill(os.getpid(), 9)\n")
    assert run.status == 137
    assert (run.event("exit")["signal"], run.event("exit")["outOfMemory"]) == ("SIGKILL", False)
    assert [lost["rank"] for lost in run.event("ranks")["lost"]] == [None]


def test_much_output_is_passed_on_and_not_kept(tmp_path: pathlib.Path) -> None:
    code = "import sys\nfor _ in range(100): sys.stderr.write('x' * (1 << 20))\nsys.stderr.write('\\nlast\\n')"
    with subprocess.Popen(
        runner_command(tmp_path, tmp_path, sys.executable, "-c", code), stderr=subprocess.PIPE
    ) as runner:
        assert runner.stderr is not None
        count = 0
        while data := runner.stderr.read(1 << 20):
            count += len(data)
    assert runner.returncode == 0
    assert count == (100 << 20) + len("\nlast\n")
    event = [json.loads(line) for line in (tmp_path / "events.jsonl").read_text().splitlines()][-1]
    assert event["tail"][-1] == "last"
    assert sum(map(len, event["tail"])) < 10_000


def test_a_script_that_profiles_itself_late_is_left_alone_from_then_on(record: Record) -> None:
    run = record(
        TRAINING
        + """
from torch.profiler import profile
train(4)
with profile() as mine: train(2)
mine.export_chrome_trace("mine.json.gz")
train(9)
"""
    )
    assert run.status == 0, run.stderr
    assert (run.event("trace")["kind"], run.traces[0].name) == ("own", "mine.json.gz")
    assert run.ranges()["train_step"] == 2


def test_the_older_profiler_is_one_of_the_scripts_own_too(record: Record) -> None:
    run = record(
        TRAINING
        + """
with torch.autograd.profiler.profile() as mine: train(9)
mine.export_chrome_trace("mine.json")
print(len(mine.function_events) > 9)
"""
    )
    assert (run.status, run.stdout) == (0, "True\n"), run.stderr
    assert run.event("user-profiler")
    assert (run.event("trace")["kind"], run.traces[0].name) == ("own", "mine.json")


# PyTorch's own example, with the emitter that needs no CUDA.
EMITTING = """
with torch.autograd.profiler.emit_itt(): train(9)
with torch.autograd.profiler.emit_itt(enabled=False): train(1)
print("finished")
"""


def test_what_emits_ranges_for_another_profiler_runs_torchs_own(record: Record) -> None:
    run = record(TRAINING + "net(torch.randn(2, 8))" + EMITTING)
    assert (run.status, run.stdout) == (0, "finished\n"), run.stderr
    assert run.event("user-profiler")
    assert [event["event"] for event in run.events if event["event"] in ("error", "trace")] == []


def test_ranges_for_another_profiler_are_in_no_timers_way(record: Record) -> None:
    run = record(TRAINING + EMITTING, options=("--profiler", "timer", "--times"))
    assert (run.status, run.stdout) == (0, "finished\n"), run.stderr
    assert len(run.event("times")["stepNs"]) == 3


def test_a_schedule_with_a_handler_is_picked_up(record: Record) -> None:
    run = record(
        TRAINING
        + """
from torch.profiler import profile, schedule, tensorboard_trace_handler
with profile(schedule=schedule(wait=4, warmup=1, active=2), on_trace_ready=tensorboard_trace_handler("tb")) as mine:
    for _ in range(9): train(1); mine.step()
"""
    )
    assert run.status == 0, run.stderr
    assert [event["kind"] for event in run.events if event["event"] == "trace"] == ["own"]


def test_ranges_that_a_compiled_model_opens_break_no_graph(record: Record) -> None:
    if subprocess.run(["sh", "-c", "command -v g++"], capture_output=True).returncode != 0:
        pytest.skip("torch.compile needs a C++ compiler")
    run = record(
        TRAINING
        + """
compiled = torch.compile(net)
for _ in range(12):
    optimizer.zero_grad(); compiled(torch.randn(2, 8)).sum().backward(); optimizer.step()
from torch._dynamo.utils import counters
print(counters["stats"]["unique_graphs"], dict(counters["graph_break"]))
""",
        env={"TORCHINDUCTOR_CACHE_DIR": os.path.join(os.environ.get("TMPDIR", "/tmp"), "gpu-lens-inductor")},
    )
    assert (run.status, run.stdout) == (0, "1 {}\n"), run.stderr
    assert "global hooks" not in run.stderr
    assert run.event("trace")["steps"] == 3


SCRIPTED = """
def double(x: torch.Tensor) -> torch.Tensor:
    with record_function("double"):
        return x * 2
doubled = torch.jit.script(double)
for _ in range(9):
    optimizer.zero_grad(); net(doubled(torch.ones(2, 8))).sum().backward(); optimizer.step()
print(doubled(torch.ones(1)).item())
"""


def test_torchscript_compiles_ranges(record: Record) -> None:
    run = record(TRAINING + SCRIPTED)
    assert (run.status, run.stdout) == (0, "2.0\n"), run.stderr
    assert run.event("trace")["steps"] == 3
    assert "double" in run.ranges()


def test_an_agent_that_fails_leaves_the_script_alone(record: Record) -> None:
    damage = "import os; os.environ['GPULENS_CONFIG'] = '{not json'\n"
    run = record(damage + TRAINING + "train(9)\nprint('finished')\n")
    assert (run.status, run.stdout) == (0, "finished\n")
    assert "GPU Lens: profiling is off, the agent failed to start: JSONDecodeError" in run.stderr


@pytest.mark.parametrize("options", [("--active", "0"), ("--warmup", "-1"), ("--step", "range:"), ("--step", "often")])
def test_options_that_make_no_sense_are_refused(tmp_path: pathlib.Path, options: tuple[str, ...]) -> None:
    done = subprocess.run(runner_command(tmp_path, tmp_path, "true", options=options), capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1].startswith("gpulens_runner: error: argument ")


def test_an_opening_that_is_over_in_the_midst_of_backward_does_no_harm(record: Record) -> None:
    run = record(
        TRAINING
        + """
import time
class Slow(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x): return x.clone()
    @staticmethod
    def backward(ctx, g):
        time.sleep(0.5)
        with record_function("in backward"): net(torch.randn(2, 8))
        return g
for _ in range(9):
    optimizer.zero_grad(); Slow.apply(net(torch.randn(2, 8))).sum().backward(); optimizer.step()
""",
        options=("--opening-seconds", "0.2"),
    )
    assert run.status == 0, run.stderr
    assert (run.event("trace")["kind"], run.event("trace")["steps"]) == ("steps", 3)
    assert run.ranges()["in backward"] == 3


ENDED_WHILE_WRITING = """
import gzip, os, signal, time
def asks(*arguments, **options):
    gzip.open = real
    for _ in range(2): os.kill(os.getpid(), signal.SIGTERM)
    return real(*arguments, **options)
real, gzip.open = gzip.open, asks
"""


@pytest.mark.parametrize(
    ("options", "work", "kind", "why"),
    [
        ((), "train(9)", "steps", "complete"),
        ((), "train(5); os.kill(os.getpid(), signal.SIGTERM)", "steps", "SIGTERM"),
        ((), "train(5)", "steps", "exit"),
        (
            ("--step", "window", "--window-delay", "0", "--window", "2"),
            "while True: train(1); time.sleep(0.01)",
            "window",
            "complete",
        ),
    ],
)
def test_a_process_that_is_asked_to_end_while_it_writes_writes_on(
    record: Record, options: tuple[str, ...], work: str, kind: str, why: str
) -> None:
    run = record(ENDED_WHILE_WRITING + TRAINING + work + "\n", options=options)
    assert run.status == 128 + signal.SIGTERM
    assert (run.event("trace")["kind"], run.event("trace")["why"]) == (kind, why)
    assert run.trace()["traceEvents"]
    assert [path for path in run.out.iterdir() if ".tmp" in path.name] == []


INTERRUPTED = """
import signal, gzip
def interrupts(*arguments, **options):
    gzip.open = real
    os.kill(os.getpid(), {number})
    return real(*arguments, **options)
real, gzip.open = gzip.open, interrupts
"""


@pytest.mark.parametrize(
    ("number", "handler", "error"),
    [
        # Python's own handler, which a process that a shell started behind itself does not have.
        ("signal.SIGINT", "signal.signal(signal.SIGINT, signal.default_int_handler)", "KeyboardInterrupt"),
        ("signal.SIGTERM", "signal.signal(signal.SIGTERM, lambda *_: sys.exit(9))", "SystemExit"),
    ],
)
def test_what_interrupts_the_script_waits_until_the_trace_is_written(
    record: Record, number: str, handler: str, error: str
) -> None:
    source = f"""
{handler}
before = signal.getsignal({number})
try:
    train(9)
except {error}:
    print("interrupted", signal.getsignal({number}) is before)
"""
    run = record(TRAINING + INTERRUPTED.format(number=number) + source)
    assert (run.status, run.stdout) == (0, "interrupted True\n"), run.stderr
    assert (run.event("trace")["kind"], run.event("trace")["why"]) == ("steps", "complete")
    assert run.trace()["traceEvents"]


def test_a_child_that_is_forked_while_a_trace_is_written_can_be_ended(record: Record) -> None:
    source = """
import threading, gzip, signal
def forks(*arguments, **options):
    gzip.open = real
    writes.set(); forked.wait()
    return real(*arguments, **options)
real, gzip.open = gzip.open, forks
writes, forked = threading.Event(), threading.Event()
thread = threading.Thread(target=train, args=(9,))
thread.start(); writes.wait()
child = os.fork()
if child == 0:
    signal.alarm(60)
    while True: signal.pause()
forked.set(); thread.join()
os.kill(child, signal.SIGTERM)
print(os.waitpid(child, 0)[1])
"""
    run = record(TRAINING + source)
    assert (run.status, run.stdout) == (0, f"{int(signal.SIGTERM)}\n"), run.stderr
    assert (run.event("trace")["kind"], run.event("trace")["why"]) == ("steps", "complete")
