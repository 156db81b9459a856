"""Steps found by themselves, in scripts that nobody changed."""

from __future__ import annotations

import pathlib
from typing import Callable

import pytest
from conftest import Run, read_trace
from small_model import FORWARDS, MODEL, names_in

Record = Callable[..., Run]


def recorded(run: Run, what: str, steps: int = 3) -> list[str]:
    """The names in the trace of steps of a kind, which must be complete."""
    assert run.status == 0, run.stderr
    (event,) = [event for event in run.events if event["event"] == "trace" and event["what"] == what]
    assert (event["kind"], event["why"], event["steps"]) == ("steps", "complete", steps)
    names = names_in(read_trace(event["path"]))
    assert len([name for name in names if name.startswith("ProfilerStep#")]) == steps
    return names


def test_gradient_accumulation_is_one_step_of_many_calls(record: Record) -> None:
    run = record(
        MODEL
        + """
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(10):
    for _ in range(4):
        (net(data()).sum() / 4).backward()
    optimizer.step()
    optimizer.zero_grad()
"""
    )
    names = recorded(run, "train")
    assert names.count(FORWARDS) == 12
    assert names.count("Optimizer.step#SGD.step") == 3


GAN = """
G, D = Net(), Net()
a, b = torch.optim.Adam(D.parameters()), torch.optim.SGD(G.parameters(), lr=0.1)
for _ in range(12):
    for _ in range({discriminator}):
        a.zero_grad(); D(data()).sum().backward(); a.step()
    b.zero_grad(); G(data()).sum().backward(); b.step()
"""


@pytest.mark.parametrize("discriminator", [1, 2])
def test_of_several_optimizers_the_rarest_and_last_ends_a_step(record: Record, discriminator: int) -> None:
    names = recorded(record(MODEL + GAN.format(discriminator=discriminator)), "train")
    assert names.count("Optimizer.step#SGD.step") == 3
    assert names.count("Optimizer.step#Adam.step") == 3 * discriminator


def test_a_scaler_that_skips_steps_still_ends_them(record: Record) -> None:
    run = record(
        MODEL
        + """
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
scaler = torch.amp.GradScaler("cpu")
for step in range(10):
    optimizer.zero_grad()
    loss = net(data()).sum() * (float("inf") if step % 2 else 1.0)
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    scaler.update()
"""
    )
    names = recorded(run, "train")
    assert names.count(FORWARDS) == 3
    assert names.count("Optimizer.step#SGD.step") < 3


@pytest.mark.parametrize("mode", ["no_grad", "inference_mode"])
def test_calls_without_gradients_are_steps(record: Record, mode: str) -> None:
    run = record(MODEL + f"with torch.{mode}():\n    for _ in range(8): net(data())\n")
    assert recorded(run, "infer").count(FORWARDS) == 3


def test_the_last_of_modules_that_are_called_in_turn_ends_a_step(record: Record) -> None:
    run = record(
        MODEL
        + """
embedding, decoder = Net(), torch.nn.Linear(8, 3)
with torch.no_grad():
    start = embedding(data())
    for _ in range(12): decoder(net(start))
"""
    )
    names = recorded(run, "infer")
    assert names.count(FORWARDS) == 3
    assert names.count("nn.Module: Linear") == 3


def test_calls_with_gradients_are_steps_where_there_is_no_optimizer(record: Record) -> None:
    run = record(
        MODEL
        + """
for _ in range(9):
    with record_function("forward"):
        loss = net(data()).sum()
    with record_function("backward"):
        loss.backward()
"""
    )
    names = recorded(run, "forward")
    assert (names.count(FORWARDS), names.count("forward"), names.count("backward")) == (3, 3, 3)


def test_an_evaluation_before_the_training_is_dropped(record: Record) -> None:
    run = record(
        MODEL
        + """
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
with torch.no_grad():
    for _ in range(4): net(data())
for _ in range(8):
    optimizer.zero_grad(); net(data()).sum().backward(); optimizer.step()
    with torch.no_grad(): net(data())
"""
    )
    assert recorded(run, "train").count("Optimizer.step#SGD.step") == 3
    assert len(run.traces) == 1


def test_a_range_round_the_whole_training_is_no_step(record: Record) -> None:
    run = record(
        MODEL
        + """
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
with record_function("training"):
    for step in range(8):
        with record_function(f"step {step}"):
            optimizer.zero_grad(); net(data()).sum().backward(); optimizer.step()
"""
    )
    names = recorded(run, "train")
    assert [name for name in names if name.startswith("step ")] == ["step 3", "step 4", "step 5"]


EPOCHS = """
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(3):
    with record_function({epoch}):
        for _ in range(4):
            with record_function("step"):
                optimizer.zero_grad(); net(data()).sum().backward(); optimizer.step()
"""


def test_a_range_round_several_steps_is_no_step(record: Record) -> None:
    names = recorded(record(MODEL + EPOCHS.format(epoch='"epoch"')), "train")
    assert (names.count("step"), names.count("Optimizer.step#SGD.step")) == (3, 3)


def test_a_range_of_another_name_each_time_is_no_step_once_two_have_ended_in_it(record: Record) -> None:
    # The fifth optimizer step, in an epoch that may be one step, ends with the sixth.
    names = recorded(record(MODEL + EPOCHS.format(epoch='f"epoch {epoch}"')), "train")
    assert names.count("Optimizer.step#SGD.step") == 4


@pytest.mark.parametrize("name", ['"step"', 'f"step {step}"'])
def test_steps_end_though_a_range_is_never_closed(record: Record, name: str) -> None:
    run = record(
        MODEL
        + f"""
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(20):
    torch.cuda.nvtx.range_push({name})
    optimizer.zero_grad(); net(data()).sum().backward(); optimizer.step()
"""
    )
    recorded(run, "train")


def test_several_optimizers_in_one_range_are_one_step(record: Record) -> None:
    run = record(
        MODEL
        + """
G, D = Net(), Net()
a, b = torch.optim.Adam(D.parameters()), torch.optim.SGD(G.parameters(), lr=0.1)
for _ in range(12):
    with record_function("round"):
        for _ in range(2):
            for _ in range(2): D(data()).sum().backward()
            a.step(); a.zero_grad()
        G(data()).sum().backward(); b.step(); b.zero_grad()
"""
    )
    names = recorded(run, "train")
    assert names.count("Optimizer.step#SGD.step") == 3
    assert names.count("Optimizer.step#Adam.step") == 6
    assert names.count("round") == 3


def test_several_calls_of_a_model_in_one_range_are_one_step(record: Record) -> None:
    source = """
with torch.no_grad():
    for _ in range(9):
        with record_function("both"): net(data()); net(data())
"""
    names = recorded(record(MODEL + source), "infer")
    assert (names.count("both"), names.count(FORWARDS)) == (3, 6)


@pytest.mark.parametrize("tag", ['record_function("my step")', 'torch.cuda.nvtx.range("my step")'])
def test_a_named_range_is_a_step(record: Record, tag: str) -> None:
    source = f"""
for _ in range(8):
    with {tag}:
        net(data()).sum().backward()
        with torch.no_grad():
            for p in net.parameters(): p -= 0.01 * p.grad; p.grad = None
"""
    names = recorded(record(MODEL + source, options=("--step", "range:my step")), "range")
    assert (names.count("my step"), names.count(FORWARDS)) == (3, 3)


def test_training_in_another_thread_is_recorded(record: Record) -> None:
    run = record(
        MODEL
        + """
import glob, json, os, threading
net(data())
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
traces = json.loads(os.environ["GPULENS_CONFIG"])["out"] + "/train*.gz"
def train():
    while not glob.glob(traces): optimizer.zero_grad(); net(data()).sum().backward(); optimizer.step()
thread = threading.Thread(target=train)
thread.start()
while thread.is_alive():
    net(data())
"""
    )
    assert recorded(run, "train").count("Optimizer.step#SGD.step") == 3


def test_training_after_a_thread_that_has_called_a_model_and_ended_is_recorded(record: Record) -> None:
    run = record(
        MODEL
        + """
import threading
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
thread = threading.Thread(target=lambda: net(data()).sum().backward())
thread.start(); thread.join()
for _ in range(8): optimizer.zero_grad(); net(data()).sum().backward(); optimizer.step()
"""
    )
    assert recorded(run, "train").count("Optimizer.step#SGD.step") == 3


def test_training_on_what_a_pool_of_threads_has_prepared_is_recorded(record: Record) -> None:
    run = record(
        MODEL
        + """
import threading
from concurrent.futures import ThreadPoolExecutor
both = threading.Barrier(2)
@torch.no_grad()
def transform(_):
    both.wait()
    return net(data())
with ThreadPoolExecutor(2) as pool: prepared = list(pool.map(transform, range(4)))
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(8): optimizer.zero_grad(); net(prepared[0]).sum().backward(); optimizer.step()
"""
    )
    assert recorded(run, "train").count("Optimizer.step#SGD.step") == 3
    assert [event["what"] for event in run.events if event["event"] == "recording"].count("opening") == 1


def test_a_module_that_is_called_while_another_thread_begins_to_record_ends_as_ever(record: Record) -> None:
    run = record(
        MODEL
        + """
import sys, threading
opening = sys.modules["gpulens_runner.opening"]
real, begins, is_inside, is_recording = opening.Recording, *(threading.Event() for _ in range(3))
def starts(*arguments, **options):
    begins.set(); is_inside.wait()
    recording = real(*arguments, **options)
    is_recording.set()
    return recording
opening.Recording = starts
class Waits(torch.nn.Module):
    def forward(self, x):
        is_inside.set(); is_recording.wait()
        return x
records = threading.Thread(target=net, args=(data(),))
records.start(); begins.wait()
thread = threading.Thread(target=lambda: print(Waits()(1)))
thread.start(); thread.join(); records.join()
"""
    )
    assert (run.status, run.stdout) == (0, "1\n"), run.stderr


def test_calls_after_a_thread_that_has_called_a_model_and_ended_are_steps(record: Record) -> None:
    run = record(
        MODEL
        + """
import threading
def call():
    with torch.no_grad(): net(data())
thread = threading.Thread(target=call)
thread.start(); thread.join()
for _ in range(9): call()
"""
    )
    assert recorded(run, "infer").count(FORWARDS) == 3


def test_calls_after_one_that_was_interrupted_are_steps(record: Record) -> None:
    run = record(
        MODEL
        + """
def interrupts(*_): raise KeyboardInterrupt
hook = net.layers[1].register_forward_hook(interrupts)
with torch.no_grad():
    try: net(data())
    except KeyboardInterrupt: hook.remove()
    for _ in range(9): net(data())
"""
    )
    assert recorded(run, "infer").count(FORWARDS) == 3


def test_checkpointed_layers_are_called_twice(record: Record) -> None:
    run = record(
        MODEL
        + """
from torch.utils.checkpoint import checkpoint
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(8):
    x = data().requires_grad_()
    for layer in net.layers: x = checkpoint(layer, x, use_reentrant=False)
    x.sum().backward(); optimizer.step(); optimizer.zero_grad()
"""
    )
    assert recorded(run, "train").count("nn.Module: Linear") == 2 * 2 * 3


@pytest.mark.parametrize("warmup", ["1", "0"])
def test_as_many_steps_are_recorded_as_asked_for_even_without_warm_up(record: Record, warmup: str) -> None:
    # The first step has begun before anything was hooked, so that it is never one of them.
    options = ("--warmup", warmup, "--prewarm", "0", "--active", "2")
    run = record(MODEL + "with torch.no_grad():\n    for _ in range(9): net(data())\n", options=options)
    assert recorded(run, "infer", 2).count(FORWARDS) == 2
    steps = [(event["phase"], event["done"]) for event in run.events if event["event"] == "step"]
    assert steps == [("recording", 0), ("recording", 1), ("recording", 2)]


def test_the_script_goes_on_or_stops_when_it_is_recorded(record: Record, tmp_path: pathlib.Path) -> None:
    source = MODEL + (
        "optimizer = torch.optim.SGD(net.parameters(), lr=0.1)\n"
        "try:\n"
        "    for step in range(30): optimizer.zero_grad(); net(data()).sum().backward(); optimizer.step()\n"
        "finally: print('step', step)\n"
        "print('saved')\n"
    )
    run = record(source, options=("--after", "stop"))
    recorded(run, "train")
    assert run.stdout == "step 5\n"
    for path in tmp_path.glob("out/*"):
        path.unlink()
    (tmp_path / "out").rmdir()
    run = record(source)
    recorded(run, "train")
    assert run.stdout == "step 29\nsaved\n"


@pytest.mark.parametrize(("grad", "what"), [("no_grad", "infer"), ("enable_grad", "forward")])
def test_a_script_without_optimizer_can_be_stopped_too(record: Record, grad: str, what: str) -> None:
    source = MODEL + f"with torch.{grad}():\n    for step in range(50): net(data())\nprint('went on')\n"
    run = record(source, options=("--after", "stop", "--stop-wait", "0"))
    assert recorded(run, what).count(FORWARDS) == 3
    assert run.stdout == ""
    # It ended before it took a step without the profiler: there is nothing to compare with.
    assert [event for event in run.events if event["event"] == "overhead"] == []


def test_the_trace_is_there_before_the_script_ends(record: Record) -> None:
    run = record(
        MODEL
        + """
import os, json
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(8): optimizer.zero_grad(); net(data()).sum().backward(); optimizer.step()
folder = json.loads(os.environ["GPULENS_CONFIG"])["out"]
print(sorted(os.listdir(folder)))
"""
    )
    assert run.stdout == "['events.jsonl', 'train.meta.json', 'train.pt.trace.json.gz']\n"
