"""A script with a small model, and the names in a trace of it."""

from __future__ import annotations

import collections
from typing import Any

MODEL = """\
import torch
from torch.profiler import record_function

class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = torch.nn.ModuleList(torch.nn.Linear(8, 8) for _ in range(2))
    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x

def data():
    return torch.randn(4, 8)

net = Net()
"""

FORWARDS = "nn.Module: Net"


def names_in(trace: dict[str, Any]) -> list[str]:
    """The names of everything in a trace that has a duration."""
    return [event["name"] for event in trace["traceEvents"] if event.get("ph") == "X"]


def modules_in(trace: dict[str, Any]) -> dict[str, int]:
    """The number of calls of each module, by the names of the ranges."""
    return collections.Counter(name for name in names_in(trace) if name.startswith("nn.Module: "))
