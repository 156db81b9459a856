"""What lines without tags cost a step: steps with and without them in one process, in the order ABBA.

    python test/bench/automatic.py

Times are processor time of the process, which has one thread that computes: other programs hardly move them.
Prints JSON: for each program, and for steps that are recorded and others, the median of what a step takes without
automatic lines, the median of what they add to it in percent, and the quartiles of that over the groups of ABBA.
"""

from __future__ import annotations

import gc
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time
from typing import Any, Callable

RUNNER = pathlib.Path(__file__).parents[2] / "src" / "runner"
WARM = 12
GROUPS = 40
"""Of four steps each."""
PROGRAMS = ("100 Linear modules", "nanoGPT")
KINDS = ("recorded", "other")


def main() -> None:
    """Prints the figures."""
    print(json.dumps([measured(program, kind) for program in PROGRAMS for kind in KINDS]))


def measured(program: str, kind: str) -> dict[str, Any]:
    """Returns the figures of one process."""
    steps = WARM + 4 * GROUPS
    phases = ["--warmup", "1", "--active", str(steps)] if kind == "recorded" else ["--warmup", str(steps + 1)]
    with tempfile.TemporaryDirectory() as folder:
        files = ["--out", folder, "--events", f"{folder}/events.jsonl", "--control", f"{folder}/control.jsonl"]
        command = [sys.executable, str(RUNNER), *files, *phases, "--prewarm", "0", "--automatic", "on", "--"]
        measure = [sys.executable, __file__, "measure", program, kind]
        done = subprocess.run([*command, *measure], capture_output=True, text=True, check=True)
    return {"program": program, "kind": kind, **json.loads(done.stdout)}


def measure(program: str, kind: str) -> None:
    """Prints the figures of this process."""
    import torch

    torch.set_num_threads(1)
    torch.manual_seed(1337)
    step = (linear_step if program == PROGRAMS[0] else nano_gpt_step)()
    switch = Switch(kind == "recorded")
    times: dict[bool, list[int]] = {True: [], False: []}
    for at in range(2 + WARM + 4 * GROUPS):
        is_on = at % 4 in (1, 2)
        switch.turn(is_on)
        begin = time.process_time_ns()
        step()
        if at >= 2 + WARM:
            times[is_on].append(time.process_time_ns() - begin)
        if at == 2 + WARM:
            gc.collect()
            gc.freeze()
    switch.check()
    # Two steps of either kind make a group.
    changes = sorted(100 * (sum(on) / sum(off) - 1) for on, off in zip(pairs(times[True]), pairs(times[False])))
    figures = {
        "stepNs": statistics.median(times[False]),
        "addedPercent": statistics.median(changes),
        "quartilesPercent": [changes[len(changes) // 4], changes[-1 - len(changes) // 4]],
    }
    print(json.dumps(figures))


def pairs(values: list[int]) -> list[tuple[int, int]]:
    """Returns the values two by two."""
    return list(zip(values[::2], values[1::2]))


class Switch:
    """Turns the automatic lines of the recorder in this process on and off, between two steps."""

    def __init__(self, is_recorded: bool) -> None:
        self._is_recorded = is_recorded
        self._lines: Any = None

    def turn(self, is_on: bool) -> None:
        """Has the next step run with or without automatic lines."""
        lines = self._lines = self._lines or next(
            one for one in gc.get_objects() if type(one).__name__ == "AutomaticLines"
        )
        if lines.is_on:
            # As `end`, but the frame that takes the steps stays known.
            main = lines._main
            main.unwatch()
            main._stack.close_from(0)
            main.thread = None
            lines._unhook_engine()
        lines._is_wanted = is_on
        if is_on and self._is_recorded:
            lines.begin()
            lines.step_begins()

    def check(self) -> None:
        """Fails where no line had a range: nothing would have been measured."""
        assert bool(self._lines.names.to_json()) is self._is_recorded


def linear_step() -> Callable[[], None]:
    """Returns a step of 100 Linear modules."""
    import torch
    from torch import nn

    model = nn.Sequential(*[nn.Linear(64, 64) for _ in range(100)])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    x = torch.randn(32, 64)

    def step() -> None:
        optimizer.zero_grad()
        model(x).sum().backward()
        optimizer.step()

    return step


def nano_gpt_step() -> Callable[[], None]:
    """Returns a step in the shape of nanoGPT's: what its README trains on a CPU, 4 layers of 128."""
    import torch
    from nano_gpt import GPT, Shape

    shape = Shape()
    model = GPT(shape)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    data = torch.randint(0, shape.vocabulary, (10_000,))

    def get_batch() -> tuple[torch.Tensor, torch.Tensor]:
        starts = torch.randint(len(data) - shape.context, (12,))
        x = torch.stack([data[at : at + shape.context] for at in starts])
        y = torch.stack([data[at + 1 : at + 1 + shape.context] for at in starts])
        return x, y

    def step() -> None:
        x, y = get_batch()
        _, loss = model(x, y)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)

    return step


if __name__ == "__main__":
    measure(*sys.argv[2:]) if sys.argv[1:2] == ["measure"] else main()
