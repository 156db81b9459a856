"""Which of a script's loops is recorded, and what is said of the others, in scripts in the shape of public programs."""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys
from typing import Any, Callable

import pytest
from conftest import PATIENCE_S, RUNNER, Run, runner_command
from small_model import MODEL

sys.path.insert(0, str(RUNNER))

from gpulens_runner.options import parse  # noqa: E402 -- the runner is no installed package.

Record = Callable[..., Run]

OPTIMIZER = "optimizer = torch.optim.SGD(net.parameters(), lr=0.1)\n"
TRAIN = "optimizer.zero_grad(); net(data()).sum().backward(); optimizer.step()"


def kept(run: Run) -> list[tuple[str, int]]:
    """What the traces of a run that went well are of, and how many steps each has."""
    assert run.status == 0, run.stderr
    return [(event["what"] or event["kind"], event["steps"]) for event in run.events if event["event"] == "trace"]


def seen(run: Run) -> dict[str, dict[str, Any]]:
    """The loops that were told of last, by what their steps are."""
    told = [event["loops"] for event in run.events if event["event"] == "loops"]
    return {loop["what"]: loop for loop in told[-1]}


def line_of(source: str, text: str) -> int:
    """The line that begins with a text."""
    (line,) = [number for number, line in enumerate(source.splitlines(), 1) if line.strip().startswith(text)]
    return line


NANO = (
    MODEL
    + OPTIMIZER
    + """
@torch.no_grad()
def estimate_loss():
    net.eval()
    for split in ("train", "val"):
        for k in range(20):
            net(data())
    net.train()

step = 0
while step < 12:
    if step % 4 == 0:
        estimate_loss()
    for micro_step in range(4):
        (net(data()).sum() / 4).backward()
    optimizer.step()
    optimizer.zero_grad()
    step += 1
print("end", step)
"""
)


def test_training_that_follows_a_long_evaluation_is_recorded(record: Record) -> None:
    run = record(NANO)
    assert kept(run) == [("infer", 3), ("train", 3)]
    train, infer = seen(run)["train"], seen(run)["infer"]
    assert (train["file"], train["line"], train["of"], train["calls"]) == (
        "train.py",
        line_of(NANO, "while step"),
        "Net",
        4,
    )
    assert (infer["file"], infer["line"]) == ("train.py", line_of(NANO, "for k"))
    assert infer["count"] >= 20


def test_a_script_outside_of_the_working_folder_has_its_loop_told(tmp_path: pathlib.Path) -> None:
    # An installed library takes the step, as accelerate's optimizer does.
    library = tmp_path / "venv" / "site-packages" / "helper.py"
    library.parent.mkdir(parents=True)
    library.write_text("def take(optimizer):\n    optimizer.step()\n")
    source = (
        MODEL
        + OPTIMIZER
        + ("import helper\nfor epoch in range(8):\n    net(data()).sum().backward()\n    helper.take(optimizer)\n")
    )
    script = tmp_path / "elsewhere" / "train.py"
    script.parent.mkdir()
    script.write_text(source)
    project, out = tmp_path / "project", tmp_path / "out"
    project.mkdir()
    out.mkdir()
    command = runner_command(out, project, sys.executable, str(script))
    env = {**os.environ, "PYTHONPATH": str(library.parent)}
    done = subprocess.run(command, cwd=project, env=env, capture_output=True, text=True, timeout=PATIENCE_S)
    train = seen(Run(done.returncode, done.stdout, done.stderr, out))["train"]
    assert train["file"].endswith("elsewhere/train.py")
    assert train["line"] == line_of(source, "for epoch")


def test_training_is_waited_for_half_a_minute(tmp_path: pathlib.Path) -> None:
    _python, _supervisor, *arguments = runner_command(tmp_path, tmp_path, "true")
    assert parse(arguments).stop_wait == 30


def test_a_script_that_is_to_stop_goes_on_to_its_training(record: Record) -> None:
    run = record(NANO, options=("--after", "stop", "--stop-wait", "300"))
    assert kept(run) == [("infer", 3), ("train", 3)]
    assert run.stdout == ""
    assert run.event("waiting")["seconds"] == 300


def test_a_script_that_is_to_stop_and_never_trains_ends_when_training_was_waited_for(record: Record) -> None:
    source = MODEL + "with torch.no_grad():\n    while True: net(data())\n"
    run = record(source, options=("--after", "stop", "--stop-wait", "0.5"))
    assert kept(run) == [("infer", 3)]
    assert run.event("waiting")["seconds"] == 0.5


def test_another_loop_can_be_chosen_by_its_line(record: Record) -> None:
    place = f"train.py:{line_of(NANO, 'for k')}"
    assert kept(record(NANO, options=("--step", place))) == [("infer", 3)]


def test_a_step_can_be_chosen_by_its_own_line(record: Record) -> None:
    place = f"train.py:{line_of(NANO, 'optimizer.step()')}"
    assert kept(record(NANO, options=("--step", place))) == [("train", 3)]


LIGHTNING = (
    MODEL
    + """
class Trainer:
    def validate(self):
        with torch.no_grad():
            for _ in range(20): net(data())
    def fit(self):
        self.optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
        self.validate()
        for batch in range(10):
            self.optimizer.step(self.closure)
        self.validate()
    def closure(self):
        self.optimizer.zero_grad(); loss = net(data()).sum(); loss.backward(); return loss
Trainer().fit()
"""
)
TWO_PHASES = (
    MODEL
    + """
def infer():
    with torch.inference_mode():
        for _ in range(15): net(data())
def train():
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for _ in range(10): optimizer.zero_grad(); net(data()).sum().backward(); optimizer.step()
infer(); train()
"""
)
REINFORCE = (
    MODEL
    + OPTIMIZER
    + """
for episode in range(8):
    rewards = []
    with torch.no_grad():
        for t in range(15): net(data())
    for t in range(5 + episode): rewards.append(net(data()).sum())
    optimizer.zero_grad(); torch.stack(rewards).sum().backward(); optimizer.step()
"""
)


@pytest.mark.parametrize("source", [LIGHTNING, TWO_PHASES, REINFORCE], ids=["sanity steps", "two phases", "episodes"])
def test_training_supersedes_inference(record: Record, source: str) -> None:
    assert kept(record(source)) == [("infer", 3), ("train", 3)]


def test_a_step_of_lbfgs_is_one_with_all_its_closures(record: Record) -> None:
    source = (
        MODEL
        + """
optimizer = torch.optim.LBFGS(net.parameters(), max_iter=4)
def closure():
    optimizer.zero_grad(); loss = (net(data()) ** 2).sum(); loss.backward(); return loss
for epoch in range(8):
    optimizer.step(closure)
"""
    )
    run = record(source)
    assert kept(run) == [("train", 3)]
    assert run.ranges()["Optimizer.step#LBFGS.step"] == 3
    assert seen(run)["train"]["line"] == line_of(source, "for epoch")


def test_of_a_gan_both_models_are_named(record: Record) -> None:
    source = (
        MODEL
        + """
class D(Net): pass
d = D()
a, b = torch.optim.Adam(d.parameters()), torch.optim.SGD(net.parameters(), lr=0.1)
for batch in range(8):
    a.zero_grad(); d(net(data()).detach()).sum().backward(); a.step()
    b.zero_grad(); d(net(data())).sum().backward(); b.step()
"""
    )
    run = record(source)
    assert kept(run) == [("train", 3)]
    assert seen(run)["train"]["of"] == "Net and D"


def test_an_evaluation_alone_is_recorded(record: Record) -> None:
    run = record(MODEL + "with torch.no_grad():\n    for batch in range(12): net(data())\n")
    assert kept(run) == [("infer", 3)]
    assert list(seen(run)) == ["infer"]


def test_a_single_step_leaves_the_beginning_and_is_told(record: Record) -> None:
    run = record(MODEL + OPTIMIZER + TRAIN + "\n")
    assert kept(run) == [("opening", 0)]
    assert (seen(run)["train"]["count"], seen(run)["train"]["of"]) == (1, "Net")


def test_training_that_supersedes_inference_computes_the_same(record: Record) -> None:
    source = "import torch\ntorch.manual_seed(1)\n" + NANO + "print([p.sum().item() for p in net.parameters()])\n"
    first = record(source).stdout
    plain = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True, check=True)
    assert first == plain.stdout


def test_all_loops_are_counted_to_the_end_where_nothing_is_recorded(record: Record) -> None:
    source = (
        MODEL
        + OPTIMIZER
        + f"""
def evaluate():
    with torch.no_grad():
        for batch in range(7):
            net(data())

evaluate()
for step in range(20):
    {TRAIN}
    if step % 10 == 9:
        evaluate()
"""
    )
    run = record(source, options=("--profiler", "loops", "--step-limit", "0"))
    assert (run.status, run.traces) == (0, [])
    # Evaluations behind the training are counted, too: nothing has ended the counting.
    loops = {what: (loop["count"], loop["is_more"], loop["line"]) for what, loop in seen(run).items()}
    evaluation, training = (line_of(source, text) for text in ("for batch", "for step"))
    assert loops == {"infer": (21, False, evaluation), "train": (20, False, training)}
    assert {event["event"] for event in run.events} == {"started", "armed", "loops", "exit"}
