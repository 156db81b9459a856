"""Runs points of a sweep, as the extension does."""

from __future__ import annotations

import dataclasses
import json
import os
import pathlib
import subprocess
import sys
from collections.abc import Mapping
from typing import Any

from conftest import PATIENCE_S

RUNNER = pathlib.Path(__file__).parents[2] / "src" / "runner"
# Tests of the parts import them as the package itself does.
sys.path.insert(0, str(RUNNER))
TINY = {"name": "tiny", "d_model": 32, "d_ff": 128, "layers": 2, "heads": 2}
REFERENCE: dict[str, Any] = {
    "target": "reference",
    "size": TINY,
    "context_length": 16,
    "batch": 2,
    "vocabulary": 100,
    "pass_name": "train",
    "precision": "fp32",
    "device": "cpu",
    "threads": 1,
    "warmup_steps": 2,
    "measured_steps": 3,
}


@dataclasses.dataclass
class Measured:
    """The events of a point."""

    status: int
    events: list[dict[str, Any]]
    output: str

    def event(self, name: str) -> dict[str, Any]:
        """The only event of a name."""
        (event,) = [event for event in self.events if event["event"] == name]
        return event

    def steps(self, phase: str) -> list[int]:
        """The ns of the steps of a phase."""
        return [event["ns"] for event in self.events if event["event"] == "step" and event["phase"] == phase]


def bench_command(folder: pathlib.Path, *options: str) -> list[str]:
    """The command that measures the point on its input and writes to `events.jsonl`."""
    return [sys.executable, str(RUNNER / "bench.py"), "--events", str(folder / "events.jsonl"), *options]


def read_events(folder: pathlib.Path) -> list[dict[str, Any]]:
    """The events so far."""
    file = folder / "events.jsonl"
    return [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []


def run_point(
    folder: pathlib.Path,
    point: dict[str, Any],
    *options: str,
    env: Mapping[str, str] | None = None,
    seconds: float = PATIENCE_S,
) -> Measured:
    """Measures a point in a folder to its end, with further variables and a time limit in seconds."""
    done = subprocess.run(
        bench_command(folder, *options),
        cwd=folder,
        input=json.dumps(point),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ, **(env or {})},
        timeout=seconds,
    )
    return Measured(done.returncode, read_events(folder), done.stdout)
