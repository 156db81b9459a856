"""Libraries that train for the user: transformers, accelerate and Lightning, where they are installed."""

from __future__ import annotations

import importlib.util
from typing import Callable

import pytest
from conftest import Run, read_trace
from small_model import modules_in, names_in

Record = Callable[..., Run]


def has(module: str) -> None:
    """Skips a test where a library is not installed."""
    if importlib.util.find_spec(module) is None:
        pytest.skip(f"{module} is not installed for this interpreter")


HF = """
import sys, torch, transformers as tr
config = tr.GPT2Config(n_layer=2, n_head=2, n_embd=64, vocab_size=200, n_positions=64, bos_token_id=0, eos_token_id=1)
net = tr.GPT2LMHeadModel(config)
"""


@pytest.mark.long
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
    assert modules_in(run.trace())["nn.Module: GPT2LMHeadModel"] == 6
    assert modules_in(run.trace())["nn.Module: GPT2LMHeadModel.transformer.h.0.attn"] == 6


BY_HAND = """
ids = lambda: torch.randint(0, 200, (4, 32))
optimizer = torch.optim.AdamW(net.parameters())
for _ in range(9):
    x = ids()
    net(input_ids=x, labels=x).loss.backward(); optimizer.step(); optimizer.zero_grad()
"""

BY_ACCELERATE = """
from accelerate import Accelerator
accelerator = Accelerator(cpu=True, gradient_accumulation_steps=2)
net, optimizer = accelerator.prepare(net, torch.optim.AdamW(net.parameters()))
for _ in range(18):
    x = torch.randint(0, 200, (4, 32))
    with accelerator.accumulate(net):
        accelerator.backward(net(input_ids=x, labels=x).loss); optimizer.step(); optimizer.zero_grad()
"""


@pytest.mark.parametrize(
    ("loop", "needs", "calls"), [(BY_HAND, (), 3), (BY_ACCELERATE, ("accelerate",), 6)], ids=["alone", "accelerate"]
)
@pytest.mark.long
def test_a_loop_that_is_written_by_hand_round_a_model_of_transformers_is_recorded(
    record: Record, loop: str, needs: tuple[str, ...], calls: int
) -> None:
    for module in ("transformers", *needs):
        has(module)
    run = record(HF + loop)
    assert run.status == 0, run.stderr
    (event,) = [event for event in run.events if event["event"] == "trace"]
    assert (event["what"], event["why"], event["steps"]) == ("train", "complete", 3)
    assert modules_in(run.trace())["nn.Module: GPT2LMHeadModel.transformer.h.1.mlp"] == calls
    assert names_in(run.trace()).count("Optimizer.step#AdamW.step") == 3


@pytest.mark.long
def test_a_text_that_transformers_generates_is_a_step(record: Record) -> None:
    has("transformers")
    run = record(
        HF
        + """
net.eval()
for _ in range(9): net.generate(torch.randint(2, 200, (1, 8)), max_new_tokens=8, min_new_tokens=8, do_sample=False)
"""
    )
    assert run.status == 0, run.stderr
    (event,) = [event for event in run.events if event["event"] == "trace"]
    assert (event["what"], event["why"], event["steps"]) == ("infer", "complete", 3)
    assert (event["loop"]["unit"], event["loop"]["calls"]) == ("generate", 8)
    assert modules_in(run.trace())["nn.Module: GPT2LMHeadModel"] == 3 * 8


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
@pytest.mark.long
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
