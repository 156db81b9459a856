"""What the profiler costs a step, and each of its options."""

from __future__ import annotations

from typing import Callable

import pytest
from conftest import Run
from small_model import MODEL

Record = Callable[..., Run]


def test_overhead_is_measured_against_steps_without_the_profiler(record: Record) -> None:
    source = (
        MODEL
        + """
import time
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range({steps}):
    time.sleep(0.4 if 3 <= step < 6 else 0.1)
    optimizer.zero_grad(); net(data()).sum().backward(); optimizer.step()
"""
    )
    run = record(source.format(steps=11))
    overhead = run.event("overhead")
    assert (len(overhead["profiledNs"]), len(overhead["plainNs"])) == (3, 3)
    # The script makes the difference: sleeping takes what it is told, or longer.
    assert overhead["profiledStepNs"] >= 400_000_000
    assert overhead["plainStepNs"] >= 100_000_000
    assert run.sidecar()["overhead"] == {
        key: overhead[key] for key in ("profiledStepNs", "plainStepNs", "profiledNs", "plainNs")
    }


def test_what_options_cost_is_measured_by_more_steps(record: Record) -> None:
    source = (
        MODEL
        + """
import time
from torch.profiler import profile
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
options = []
start = profile.start
def noted(self):
    options.append((self.record_shapes, self.with_stack, self.profile_memory))
    start(self)
profile.start = noted
for step in range({steps}):
    if options:
        time.sleep(0.1 * sum((1, 2, 4)[at] for at in range(3) if options[-1][at]))
    optimizer.zero_grad(); net(data()).sum().backward(); optimizer.step()
print(options)
"""
    )
    options = ("--costs", "--active", "2", "--prewarm", "0", "--memory")
    run = record(source.format(steps=19), options=options)
    # What was asked for is recorded; then none, and each of them alone.
    none, shapes, stacks, memory = (False,) * 3, (True, False, False), (False, True, False), (False, False, True)
    assert run.stdout == f"{[(True, False, True)] * 2 + [none, shapes, stacks, memory]}\n"
    costs = run.event("costs")
    assert [len(costs[key]) for key in ("plainNs", "noneNs")] == [2, 2]
    # The script makes the difference: sleeping takes what it is told, or longer.
    for option, seconds in {"shapes": 0.1, "stacks": 0.2, "memory": 0.4}.items():
        assert len(costs["options"][option]) == 2
        assert min(costs["options"][option]) >= seconds * 1e9
    assert run.sidecar()["optionCosts"] == {key: costs[key] for key in ("plainNs", "noneNs", "options")}
    steps = [event for event in run.events if event["event"] == "step" and event["phase"] == "costs"]
    assert [(event["done"], event["total"]) for event in steps] == [(done, 12) for done in range(1, 13)]


@pytest.mark.parametrize(
    ("steps", "measured"), [(8, None), (12, []), (13, ["shapes"]), (20, ["shapes", "stacks", "memory"])]
)
def test_what_options_cost_is_told_as_far_as_the_script_went(
    record: Record, steps: int, measured: list[str] | None
) -> None:
    source = (
        MODEL
        + """
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range({steps}): optimizer.zero_grad(); net(data()).sum().backward(); optimizer.step()
print("the end")
"""
    )
    run = record(source.format(steps=steps), options=("--costs", "--active", "2", "--prewarm", "0", "--after", "stop"))
    costs = [event for event in run.events if event["event"] == "costs"]
    assert [list(event["options"]) for event in costs] == ([] if measured is None else [measured])
    # The script is ended when all is measured, and not before.
    assert run.stdout == ("" if steps == 20 else "the end\n")
    (trace,) = run.traces
    assert run.status == 0 and trace.exists()


def test_a_profiler_of_the_scripts_own_ends_the_measuring_of_costs(record: Record) -> None:
    source = (
        MODEL
        + """
from torch.profiler import profile
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
def steps(count):
    for step in range(count): optimizer.zero_grad(); net(data()).sum().backward(); optimizer.step()
steps(12)
with profile() as own:
    steps(3)
print(sum(event.name == "aten::linear" for event in own.events()) >= 3)
steps(12)
"""
    )
    run = record(source, options=("--costs", "--active", "2", "--prewarm", "0"))
    assert run.stdout == "True\n"
    assert [event["event"] for event in run.events if event["event"] in ("costs", "error")] == []


def test_a_slow_step_of_each_kind_is_not_in_the_overhead(record: Record) -> None:
    source = (
        MODEL
        + """
import time
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(12):
    # An evaluation in a recorded step, workers that start in a later one.
    if step in (4, 9): time.sleep(0.5)
    time.sleep(0.05)
    optimizer.zero_grad(); net(data()).sum().backward(); optimizer.step()
"""
    )
    overhead = record(source).event("overhead")
    assert max(overhead["profiledNs"]) >= 500_000_000
    assert max(overhead["plainNs"]) >= 500_000_000
    assert sorted(overhead["profiledNs"])[1] == overhead["profiledStepNs"] < max(overhead["profiledNs"])
    assert sorted(overhead["plainNs"])[1] == overhead["plainStepNs"] < max(overhead["plainNs"])


@pytest.mark.parametrize(("steps", "plain"), [(7, 0), (10, 2)])
def test_steps_of_the_warm_up_are_no_base(record: Record, steps: int, plain: int) -> None:
    source = (
        MODEL
        + f"""
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range({steps}): optimizer.zero_grad(); net(data()).sum().backward(); optimizer.step()
"""
    )
    # All that the shorter script took without the profiler was its cold beginning.
    run = record(source, options=("--warmup", "3"))
    counts = [(len(event["profiledNs"]), len(event["plainNs"])) for event in run.events if event["event"] == "overhead"]
    assert counts == ([(3, plain)] if plain else [])
    assert ("overhead" in run.sidecar()) == (plain > 0)
