"""Module calls as ranges by their qualified names, and where their forward is."""

from __future__ import annotations

from typing import Any, Callable

import pytest
from conftest import Run, read_trace

Record = Callable[..., Run]

MODEL = """\
import functools, torch
from torch import nn

class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.attention = nn.Linear(8, 8)

    def forward(self, x):
        # its body

        return self.attention(x)

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList(Block() for _ in range(2))

    @torch.autocast("cpu", enabled=False)
    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x

net = Net()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
def train(model):
    for _ in range(8):
        optimizer.zero_grad(); model(torch.randn(2, 8)).sum().backward(); optimizer.step()
"""

NAMES = {
    "nn.Module: Net": 3,
    "nn.Module: Net.layers.0": 3,
    "nn.Module: Net.layers.0.attention": 3,
    "nn.Module: Net.layers.1": 3,
    "nn.Module: Net.layers.1.attention": 3,
}


def modules(run: Run) -> dict[str, int]:
    counts: dict[str, int] = {}
    for event in run.trace()["traceEvents"]:
        if str(event.get("name")).startswith("nn.Module: "):
            counts[event["name"]] = counts.get(event["name"], 0) + 1
    return counts


def test_each_call_has_the_modules_qualified_name_and_the_place_of_its_forward(record: Record) -> None:
    run = record(MODEL + "train(net)\n")
    assert modules(run) == NAMES
    sites = {site["name"]: site for site in run.sidecar()["sites"]}
    block = {"file": "train.py", "line": 9, "endLine": 12}
    assert sites["nn.Module: Net.layers.1"].items() >= block.items()
    assert sites["nn.Module: Net"].items() >= {"file": "train.py", "line": 19, "endLine": 23}.items()
    # torch's own are no place to look at.
    assert "nn.Module: Net.layers.1.attention" not in sites
    classes = {module["name"]: module["class"] for module in run.sidecar()["modules"]}
    assert classes["nn.Module: Net.layers.1"] == "__main__.Block"
    assert classes["nn.Module: Net.layers.1.attention"] == "torch.nn.modules.linear.Linear"
    assert [file["file"] for file in run.sidecar()["files"]] == ["train.py"]
    assert run.sidecar()["script"] == "train.py"


def test_calls_lie_inside_one_another(record: Record) -> None:
    events = record(MODEL + "train(net)\n").trace()["traceEvents"]

    def spans(name: str) -> list[tuple[float, float]]:
        found = [(event["ts"], event["ts"] + event["dur"]) for event in events if event.get("name") == name]
        return sorted(found)

    for outer, inner in zip(spans("nn.Module: Net"), spans("nn.Module: Net.layers.1.attention")):
        assert outer[0] <= inner[0] and inner[1] <= outer[1]
    linears = spans("aten::linear")
    assert len(linears) == 6


def test_modules_and_sites_can_be_left_out(record: Record) -> None:
    source = MODEL + "with torch.profiler.record_function('all'): train(net)\n"
    run = record(source, options=("--no-modules", "--no-sites"))
    assert modules(run) == {}
    assert (run.sidecar()["sites"], run.sidecar()["modules"], run.sidecar()["files"]) == ([], [], [])


def test_a_wrapper_has_no_part_in_the_names(record: Record) -> None:
    run = record(MODEL + "train(nn.DataParallel(net))\n")
    assert modules(run) == {**NAMES, "nn.Module: DataParallel": 3}


def test_a_module_that_raises_leaves_the_others_in_order(record: Record) -> None:
    run = record(
        MODEL
        + """
class Raises(nn.Module):
    def forward(self, x): raise ValueError
class Outer(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner, self.net = Raises(), net
    def forward(self, x):
        try: self.inner(x)
        except ValueError: pass
        return self.net(x)
train(Outer())
"""
    )
    assert run.status == 0, run.stderr
    assert modules(run)["nn.Module: Outer.inner"] == 3
    assert modules(run)["nn.Module: Outer.net.layers.0"] == 3
    spans = {
        event["name"]: event["ts"] + event["dur"]
        for event in run.trace()["traceEvents"]
        if str(event.get("name")).startswith("nn.Module: Outer.") and event["name"].count(".") == 2
    }
    assert spans["nn.Module: Outer.inner"] <= spans["nn.Module: Outer.net"]


def test_a_model_that_is_pickled_or_copied_has_nothing_of_ours(record: Record) -> None:
    run = record(
        MODEL
        + """
import copy, io, sys
train(net)
buffer = io.BytesIO()
torch.save(net, buffer)
assert b"gpulens" not in buffer.getvalue()
assert copy.deepcopy(net)(torch.ones(1, 8)).shape == (1, 8)
"""
    )
    assert run.status == 0, run.stderr


def has(module: str) -> Any:
    """Skips a test where a library is not installed."""
    return pytest.importorskip(module, reason=f"{module} is not installed for this interpreter")


HF = """
import sys, torch, transformers as tr
config = tr.GPT2Config(n_layer=2, n_head=2, n_embd=64, vocab_size=200, n_positions=64, bos_token_id=0, eos_token_id=1)
net = tr.GPT2LMHeadModel(config)
"""


def test_the_trainer_of_transformers_is_recorded(record: Record) -> None:
    has("transformers")
    has("accelerate")
    run = record(
        HF
        + """
ids = lambda: torch.randint(0, 200, (32,))
data = [dict(input_ids=ids(), labels=ids()) for _ in range(96)]
arguments = tr.TrainingArguments("out", per_device_train_batch_size=4, gradient_accumulation_steps=2,
    num_train_epochs=1, report_to=[], use_cpu=True, save_strategy="no", disable_tqdm=True)
tr.Trainer(net, arguments, train_dataset=data).train()
"""
    )
    assert run.status == 0, run.stderr
    (event,) = [event for event in run.events if event["event"] == "trace"]
    assert (event["what"], event["why"], event["steps"]) == ("train", "complete", 3)
    assert modules(run)["nn.Module: GPT2LMHeadModel"] == 6
    assert modules(run)["nn.Module: GPT2LMHeadModel.transformer.h.0.attn"] == 6


def test_each_token_that_transformers_generates_is_a_step(record: Record) -> None:
    has("transformers")
    run = record(
        HF
        + """
net.eval()
for _ in range(2): net.generate(torch.randint(2, 200, (1, 8)), max_new_tokens=8, min_new_tokens=8, do_sample=False)
"""
    )
    assert run.status == 0, run.stderr
    (event,) = [event for event in run.events if event["event"] == "trace"]
    assert (event["what"], event["why"], event["steps"]) == ("infer", "complete", 3)
    assert modules(run)["nn.Module: GPT2LMHeadModel"] == 3


LIGHTNING = """
import sys, torch, lightning.pytorch as pl
from torch.utils.data import DataLoader, TensorDataset
class Lit(pl.LightningModule):
    def __init__(self): super().__init__(); self.net = torch.nn.Linear(64, 10)
    def training_step(self, b, i): return torch.nn.functional.cross_entropy(self.net(b[0]), b[1])
    def validation_step(self, b, i): self.log("v", torch.nn.functional.cross_entropy(self.net(b[0]), b[1]))
    def configure_optimizers(self): return torch.optim.AdamW(self.parameters())
def loader(data): return DataLoader(data, batch_size=16)
def main():
    data = TensorDataset(torch.randn(320, 64), torch.randint(0, 10, (320,)))
    pl.Trainer(max_epochs=1, accelerator="cpu", logger=False, enable_checkpointing=False, enable_progress_bar=False,
        enable_model_summary=False, OPTIONS).fit(Lit(), loader(data), loader(data))
if __name__ == "__main__": main()
"""


@pytest.mark.parametrize(
    ("options", "ranks"),
    [
        ("devices=1", [None]),
        ('strategy="ddp", devices=2', [0, 1]),
        ('strategy="ddp_spawn", devices=2', [0, 1]),
    ],
)
def test_lightning_is_recorded_with_each_of_its_ranks(record: Record, options: str, ranks: list[int | None]) -> None:
    has("lightning")
    run = record(LIGHTNING.replace("OPTIONS", options))
    assert run.status == 0, run.stderr
    traces = [event for event in run.events if event["event"] == "trace"]
    complete = ("train", "complete", 3)
    assert [(event["what"], event["why"], event["steps"]) for event in traces] == [complete] * len(ranks)
    assert {event["rank"] for event in traces} == set(ranks)
    names = [event["name"] for event in read_trace(traces[0]["path"])["traceEvents"] if "name" in event]
    assert names.count("Optimizer.step#AdamW.step") == 3


def test_a_module_that_cannot_be_asked_has_its_classs_name(record: Record) -> None:
    hostile = """\
class Closed(Net):
    def named_modules(self, *arguments, **options):
        raise RuntimeError("no")
net = Closed()
optimizer = torch.optim.SGD(net.layers.parameters(), lr=0.1)
train(net)
"""
    run = record(MODEL + hostile)
    assert run.status == 0, run.stderr
    assert modules(run)["nn.Module: Closed"] == 3
