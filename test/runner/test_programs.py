"""The programs with `# figure:` marks: which of the marked lines have ranges, and that the output stays the same."""

from __future__ import annotations

import importlib.util
import os
import pathlib
import re
import subprocess
import sys
from typing import Any, Callable

import pytest
from conftest import PATIENCE_S, Run, read_trace

Record = Callable[..., Run]
PROGRAMS = pathlib.Path(__file__).parents[1] / "programs"
RANKS = ("-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2")


def marks(source: str) -> dict[int, str]:
    """The lines that a person marked before the program was run, and why."""
    found = ((at, re.search(r"# figure: (.+)", line)) for at, line in enumerate(source.splitlines(), 1))
    return {at: mark[1] for at, mark in found if mark is not None}


def lines_with_ranges(run: Run, name: str) -> set[int]:
    """The lines of the program that have ranges in any of the traces."""
    events = [event["name"] for path in run.traces for event in read_trace(path)["traceEvents"]]
    return {int(found[1]) for event in events if (found := re.fullmatch(re.escape(name) + r":(\d+)", event))}


def recorded_loop(run: Run) -> tuple[str, int]:
    """The kind of the recorded steps, and the line of their loop, of the process that told of it last."""
    loop = [event["loop"] for event in run.events if event["event"] == "trace" and event["steps"]][-1]
    return loop["what"], loop["line"]


def words(output: str) -> list[str]:
    """What is printed, whichever rank was first: two ranks may share a line, and leave another one empty."""
    return sorted(filter(None, re.split(r"\n|(?=rank \d)", output)))


def check(record: Record, name: str, kind: str, before: tuple[str, ...] = (), without: tuple[str, ...] = ()) -> None:
    """Compares a program with itself, and its ranges with its marks; `without` are the marked lines that have none."""
    path = PROGRAMS / name
    source, name = path.read_text(), path.name
    command = [sys.executable, *before, str(path)]
    plain = subprocess.run(command, capture_output=True, text=True, env=dict(os.environ), timeout=PATIENCE_S)
    # On a busy machine the first call of a model may take longer than what usually counts as one step.
    run = record(source, before=before, name=name, options=("--opening-seconds", "300"))
    assert (run.status, words(run.stdout)) == (plain.returncode, words(plain.stdout))
    assert plain.returncode == 0
    marked, text = marks(source), source.splitlines()
    missing = {text[at - 1].split("  #")[0].strip() for at in marked.keys() - lines_with_ranges(run, name)}
    assert missing == set(without)
    loops = [at for at, why in marked.items() if "loop" in why.split(", ")]
    what, line = recorded_loop(run)
    assert what == kind
    if kind == "train":
        assert [line] == loops


def test_callbacks_of_a_trainer(record: Record) -> None:
    check(record, "callbacks.py", "train")


def test_training_behind_an_evaluation(record: Record) -> None:
    check(record, "evaluation_first.py", "train")


def test_requests_of_a_server(record: Record) -> None:
    check(record, "http_requests.py", "infer")


def test_generation(record: Record) -> None:
    check(record, "generation.py", "infer")


@pytest.mark.parametrize("name", ["rollouts.py", "distillation.py"])
def test_training_among_calls_without_gradients(record: Record, name: str) -> None:
    check(record, name, "train")


@pytest.mark.parametrize("name", ["sampling.py", "queue_jobs.py"])
def test_models_that_are_only_called(record: Record, name: str) -> None:
    check(record, name, "infer")


@pytest.mark.parametrize("name", ["backward_hooks.py", "comprehension.py", "phases.py"])
def test_training_whose_steps_are_hard_to_tell(record: Record, name: str) -> None:
    check(record, name, "train")


LONG = """helper_accumulation training_generator alternated_models wrapper_engine curriculum event_handlers actor_critic
meta_learning async_trainer self_trained federated worker_thread decorated_steps""".split()


@pytest.mark.long
@pytest.mark.parametrize("name", LONG)
def test_training_in_other_shapes(record: Record, name: str) -> None:
    check(record, f"{name}.py", "train")


@pytest.mark.long
def test_training_without_an_optimizer_of_torch(record: Record) -> None:
    check(record, "own_optimizer.py", "forward")


@pytest.mark.long
def test_training_behind_the_inference_of_timms_benchmark(record: Record) -> None:
    if importlib.util.find_spec("timm") is None:
        pytest.skip("timm is not installed for this interpreter")
    check(record, "frameworks/timm_two_phases.py", "train")


def recorded(run: Run) -> dict[str, Any]:
    """The loop of the only trace, whose three steps are complete."""
    trace = run.event("trace")
    assert (trace["kind"], trace["why"], trace["steps"]) == ("steps", "complete", 3)
    return trace["loop"]


def test_a_call_of_generate_is_a_step_with_its_tokens_inside(record: Record) -> None:
    run = record((PROGRAMS / "generation.py").read_text())
    loop = recorded(run)
    assert (loop["unit"], loop["of"], loop["calls"], loop["line"]) == ("generate", "LanguageModel", 12, 28)
    names = [event["name"] for event in run.trace()["traceEvents"]]
    assert names.count("nn.Module: LanguageModel") == 3 * 12


def test_a_call_of_a_sampler_that_is_no_module_is_a_step(record: Record) -> None:
    loop = recorded(record((PROGRAMS / "sampling.py").read_text()))
    assert (loop["unit"], loop["of"], loop["calls"]) == ("p_sample_loop", "Denoiser", 20)


def test_the_loop_inside_of_generate_is_recorded_where_it_is_asked_for(record: Record) -> None:
    loop = recorded(record((PROGRAMS / "generation.py").read_text(), options=("--step", "train.py:20")))
    assert (loop["unit"], loop["line"], loop["calls"]) == (None, 20, 1)


COUNTS_ANSWERS = """
    def finish(self):
        super().finish()
        answered.release()
"""


@pytest.mark.parametrize("server", ["HTTPServer", "ThreadingHTTPServer"])
def test_a_request_is_a_step_also_in_a_thread_of_its_own(record: Record, server: str) -> None:
    source = (PROGRAMS / "http_requests.py").read_text().replace("HTTPServer((", f"{server}((")
    # Requests that overlap are one step: the client waits until the server has done with the one before.
    source = source.replace("connection.close()", "connection.close()\n        answered.acquire()")
    source = source.replace("    def log_message", f"{COUNTS_ANSWERS}\n    def log_message")
    # A model is often called once before a server starts.
    source = source.replace(
        "class Handler", "answered = threading.Semaphore(0)\ndecoder(encoder(torch.randn(1, 8)))\n\n\nclass Handler"
    )
    run = record(source)
    loop = recorded(run)
    (line,) = [at for at, text in enumerate(source.splitlines(), 1) if "def do_POST" in text]
    assert (loop["unit"], loop["line"]) == ("request", line)
    # Each request calls the encoder once and the decoder three times.
    assert sum(event["name"] == "nn.Module: Linear" for event in run.trace()["traceEvents"]) == 3 * 4


EVALUATES = """
import torch
class Net(torch.nn.Linear):
    @torch.no_grad()
    def evaluate(self, batches):
        for batch in batches:
            self(batch)
Net(8, 8).evaluate([torch.randn(2, 8) for _ in range(12)])
"""


def test_a_method_that_goes_over_a_data_set_is_no_step(record: Record) -> None:
    loop = recorded(record(EVALUATES))
    assert (loop["unit"], loop["line"]) == (None, 6)


def test_a_script_that_stops_with_its_recording_ends_between_calls_of_generate(record: Record) -> None:
    source = (PROGRAMS / "generation.py").read_text().replace("range(10)", "range(1000)")
    run = record(source, options=("--after", "stop", "--stop-wait", "0"))
    assert recorded(run)["unit"] == "generate"
    assert (run.status, 5 < len(run.stdout.splitlines()) < 20) == (0, True)


@pytest.mark.long
def test_processes_that_train_one_model(record: Record) -> None:
    check(record, "hogwild.py", "train")


@pytest.mark.long
def test_spawned_ranks(record: Record) -> None:
    check(record, "spawned_ranks.py", "train")


@pytest.mark.long
@pytest.mark.parametrize("name", ["torchrun_ranks.py", "sharded.py"])
def test_ranks_of_torchrun(record: Record, name: str) -> None:
    check(record, name, "train", before=RANKS)
