"""Lines that call what torch.compile makes."""

from __future__ import annotations

from typing import Callable

from conftest import Run

Record = Callable[..., Run]

# The compiler itself is not needed: Dynamo alone says what is a region.
SCRIPT = """\
import torch

class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(16, 16)
    def forward(self, x):
        y = self.layer(x)
        torch._dynamo.graph_break()
        return torch.relu(y).sum()

class Small(torch.nn.Module):
    def forward(self, x):
        return x.sum()

@torch.compile(backend="eager")
def scale(x):
    return x * 2

def step(x):
    loss = model(
        scale(x)
    )
    loss.backward()
    return in_place(x)

model = torch.compile(Net(), backend="eager")
in_place = Small()
in_place.compile(backend="eager")
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for _ in range(4):
    step(torch.randn(8, 16))
    optimizer.step()
"""


def test_the_sidecar_has_the_line_of_the_call_of_each_region(record: Record) -> None:
    run = record(SCRIPT, options=("--active", "1"))
    assert run.status == 0, run.stderr
    calls = run.sidecar()["compiledCalls"]
    assert {call["file"] for call in calls} == {"train.py"}
    lines = {call["name"]: call["line"] for call in calls}
    # Two calls of one region each, and one that a graph break parts in two.
    assert sorted(lines.values()) == [21, 21, 22, 25]
    ran = {event["name"] for event in run.trace()["traceEvents"] if event["name"].startswith("Torch-Compiled")}
    # Behind a graph break Dynamo compiles the runner's own hooks, too, into nothing.
    assert set(lines) <= ran
    assert [file["file"] for file in run.sidecar()["files"]] == ["train.py"]


def test_a_call_has_its_line_after_dynamo_was_reset(record: Record) -> None:
    script = SCRIPT.replace("for _ in", "torch._dynamo.reset()\nfor _ in")
    lines = [call["line"] for call in record(script, options=("--active", "1")).sidecar()["compiledCalls"]]
    assert sorted(lines) == [21, 21, 22, 25]


def test_no_lines_are_kept_where_none_are_asked_for(record: Record) -> None:
    run = record(SCRIPT, options=("--active", "1", "--no-sites"))
    assert run.sidecar()["compiledCalls"] == []
