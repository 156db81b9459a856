"""What an idle recorder costs a program: two numbers that noise hardly moves, and steps side by side.

    python test/bench/idle.py

Prints JSON: what the recorder adds to an optimizer step, what it uses of a core while the script sleeps, and the median
of a step of 100 Linear modules without it and with it, in turn in processes of their own.
"""

from __future__ import annotations

import json
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

RUNNER = pathlib.Path(__file__).parents[2] / "src" / "runner"
PAIRS = 5


def main() -> None:
    """Prints the figures."""
    plain, idle = [], []
    for _ in range(PAIRS):
        plain.append(measured(is_idle=False))
        idle.append(measured(is_idle=True))
    middle = {
        key: [statistics.median(run[key] for run in runs) for runs in (plain, idle)]
        for key in ("emptyStepNs", "restNs", "stepNs")
    }
    changes = [100 * (b["stepNs"] / a["stepNs"] - 1) for a, b in zip(plain, idle)]
    print(
        json.dumps(
            {
                "addedStepNs": middle["emptyStepNs"][1] - middle["emptyStepNs"][0],
                "restPercent": 100 * (middle["restNs"][1] - middle["restNs"][0]) / 1e9,
                "plainStepNs": middle["stepNs"][0],
                "idleStepNs": middle["stepNs"][1],
                "changePercent": statistics.median(changes),
                "changesPercent": sorted(changes),
            }
        )
    )


def measured(is_idle: bool) -> dict[str, float]:
    """Returns the figures of one process."""
    command = [sys.executable, __file__, "measure"]
    with tempfile.TemporaryDirectory() as folder:
        files = ["--out", folder, "--events", f"{folder}/events.jsonl", "--control", f"{folder}/control.jsonl"]
        if is_idle:
            command = [sys.executable, str(RUNNER), *files, "--idle", "--", *command]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def measure() -> None:
    """Prints the figures of this process."""
    import torch
    from torch import nn

    torch.set_num_threads(1)

    class Nothing(torch.optim.SGD):
        def step(self, closure=None):
            return None

    weights = [nn.Parameter(torch.zeros(1))]
    nothing = Nothing(weights, lr=0.1)
    empty = []
    for _ in range(7):
        begin = time.perf_counter_ns()
        for _ in range(2000):
            nothing.step()
        empty.append((time.perf_counter_ns() - begin) / 2000)
    begin = time.process_time_ns()
    time.sleep(1.0)
    rest = time.process_time_ns() - begin
    model = nn.Sequential(*[nn.Linear(64, 64) for _ in range(100)])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    x = torch.randn(32, 64)
    steps = []
    for _ in range(150):
        begin = time.perf_counter_ns()
        optimizer.zero_grad()
        model(x).sum().backward()
        optimizer.step()
        steps.append(time.perf_counter_ns() - begin)
    figures = {"emptyStepNs": min(empty), "restNs": rest, "stepNs": statistics.median(steps[20:])}
    print(json.dumps(figures))


if __name__ == "__main__":
    measure() if sys.argv[1:] == ["measure"] else main()
