"""The counts that formulas of operators are tested against are those of torch's own counter."""

from __future__ import annotations

import importlib.util
import pathlib

import pytest
import torch

FIXTURE = pathlib.Path(__file__).parents[1] / "fixtures" / "flop-counter"


def test_the_kept_counts_are_those_of_torch() -> None:
    if not torch.__version__.startswith("2.13."):
        pytest.skip("the counts are of torch 2.13")
    spec = importlib.util.spec_from_file_location("count", FIXTURE / "count.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert module.as_json() == (FIXTURE / "torch-2.13.json").read_text()
