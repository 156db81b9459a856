"""Module calls as ranges by their qualified names, and where their forward is."""

from __future__ import annotations

from typing import Callable

from conftest import Run
from small_model import modules_in

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


def test_each_call_has_the_modules_qualified_name_and_the_place_of_its_forward(record: Record) -> None:
    run = record(MODEL + "train(net)\n")
    assert modules_in(run.trace()) == NAMES
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
    assert modules_in(run.trace()) == {}
    assert (run.sidecar()["sites"], run.sidecar()["modules"], run.sidecar()["files"]) == ([], [], [])


def test_a_wrapper_has_no_part_in_the_names(record: Record) -> None:
    run = record(MODEL + "train(nn.DataParallel(net))\n")
    assert modules_in(run.trace()) == {**NAMES, "nn.Module: DataParallel": 3}


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
    assert modules_in(run.trace())["nn.Module: Outer.inner"] == 3
    assert modules_in(run.trace())["nn.Module: Outer.net.layers.0"] == 3
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
    assert modules_in(run.trace())["nn.Module: Closed"] == 3
