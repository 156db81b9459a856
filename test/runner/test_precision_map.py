"""The precision map: the data types that a person found by hand, and the casts of autocast."""

from __future__ import annotations

import pathlib
from typing import Any

import pytest
import torch
from bench_points import REFERENCE, run_point

TOY = """
import torch
from torch import nn

class Toy(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(8, 10, bias=False)
        self.ln = nn.LayerNorm(10)
        self.fc2 = nn.Linear(10, 4, bias=False)

    def forward(self, x):
        return self.fc2(self.ln(torch.relu(self.fc1(x))))

def make(point):
    model = Toy().to(point.torch_device)
    x = torch.randn(4, 8, device=point.torch_device)
    target = torch.tensor([0, 1, 2, 3], device=point.torch_device)

    def step():
        with point.autocast():
            logits = model(x)
            loss = torch.nn.functional.cross_entropy(logits, target)
        loss.backward()
        return loss

    return step, model
"""


def rows_of(folder: pathlib.Path, point: dict[str, Any]) -> dict[str, dict[str, Any]]:
    done = run_point(folder, point, "--precision-map")
    assert done.status == 0, done.output
    return {row["name"]: row for row in done.event("precision")["rows"]}


def toy(folder: pathlib.Path, **given: Any) -> dict[str, dict[str, Any]]:
    (folder / "toy.py").write_text(TOY)
    return rows_of(folder, {**REFERENCE, "target": "callable", "size": None, "function": "toy:make", **given})


def test_types_under_autocast_are_those_that_a_person_printed(tmp_path: pathlib.Path) -> None:
    rows = toy(tmp_path, precision="bf16")
    # FC1 weight, LayerNorm weight and bias, FC1 output, logits, loss, gradients, as the kept report has them.
    assert rows["fc1"]["parameters"] == ["float32"]
    assert rows["ln"]["parameters"] == ["float32"]
    assert rows["fc1"]["outputs"] == ["bfloat16"]
    assert rows["(model)"]["outputs"] == ["bfloat16"]
    assert rows["(result of the step)"]["outputs"] == ["float32"]
    assert [rows[name]["gradients"] for name in ("fc1", "ln", "fc2")] == [["float32"]] * 3


def test_casts_of_autocast_are_counted_where_they_happen(tmp_path: pathlib.Path) -> None:
    rows = toy(tmp_path, precision="bf16")
    # fc1 casts its input and its weight; fc2's input is bf16 on a CPU, which normalises in it, and its weight is cast.
    assert rows["fc1"]["casts"] == [{"from": "float32", "to": "bfloat16", "count": 2}]
    assert rows["fc2"]["casts"] == [{"from": "float32", "to": "bfloat16", "count": 1}]
    back = [cast for cast in rows["(outside modules)"]["casts"] if cast["to"] == "float32"]
    assert back and all(cast["from"] == "bfloat16" for cast in back)


@pytest.mark.skipif(not torch.cuda.is_available(), reason="no CUDA device here to see LayerNorm on")
def test_layer_norm_gives_fp32_on_a_gpu(tmp_path: pathlib.Path) -> None:
    assert toy(tmp_path, precision="bf16", device="cuda")["ln"]["outputs"] == ["float32"]


def test_without_autocast_all_is_fp32_and_nothing_is_cast(tmp_path: pathlib.Path) -> None:
    for row in toy(tmp_path, precision="fp32").values():
        assert row["casts"] == []
        assert {"bfloat16", "float16"}.isdisjoint(row["inputs"] + row["outputs"])


def test_layers_that_are_alike_are_one_row_and_ranges_have_their_types(tmp_path: pathlib.Path) -> None:
    rows = rows_of(tmp_path, {**REFERENCE, "precision": "bf16"})
    assert rows["layers.N.attention.query"]["count"] == 2
    # Input and weight of each of the two.
    assert rows["layers.N.attention.query"]["casts"] == [{"from": "float32", "to": "bfloat16", "count": 4}]
    assert rows["attention projections"]["count"] == 2
    assert rows["layers.N.attention.query"]["outputs"] == ["bfloat16"]
    assert rows["layers.N.attention_norm"]["outputs"] == ["float32"]
    softmax = rows["computing softmax"]
    assert softmax["kind"] == "range"
    assert softmax["inputs"]


def test_a_step_without_a_model_is_said(tmp_path: pathlib.Path) -> None:
    (tmp_path / "toy.py").write_text("def make(): return lambda: None")
    point = {**REFERENCE, "target": "callable", "size": None, "function": "toy:make"}
    done = run_point(tmp_path, point, "--precision-map")
    assert done.event("failed")["error"] == "unsupported"
