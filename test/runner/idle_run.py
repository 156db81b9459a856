"""A run that records nothing until it is asked, and scripts for it."""

from __future__ import annotations

import json
import pathlib
import subprocess
import sys
import time
from typing import Any, Callable

import pytest
from conftest import PATIENCE_S, Run, runner_after, runner_command
from small_model import MODEL

# Each takes steps until the test has seen what it waits for, and makes the file END.
TRAINING = (
    MODEL
    + """
import os, time
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
step = 0
while not os.path.exists(END):
    optimizer.zero_grad(); net(data()).sum().backward(); optimizer.step(); step += 1
    time.sleep(0.005)
print("end")
"""
)
INFERENCE = (
    MODEL
    + """
import os, time
with torch.no_grad():
    while not os.path.exists(END): net(data()); time.sleep(0.005)
print("end")
"""
)


class Idle:
    """An idle run, which is asked and then ended."""

    def __init__(
        self, folder: pathlib.Path, source: str, *before: str, options: tuple[str, ...] = (), early: str = ""
    ) -> None:
        """Starts the run; `early` is code that runs first in the runner's process."""
        self.folder = folder
        self.control = folder / "control.jsonl"
        self._end = folder / "end"
        script = folder / "train.py"
        self._begun = folder / "begun"
        script.write_text(source.replace("END", repr(str(self._end))).replace("BEGUN", repr(str(self._begun))))
        options = ("--control", str(self.control), "--idle", *options)
        command = runner_command(folder, folder, sys.executable, *before, str(script), options=options)
        if early:
            command = runner_after(early, command)
        self._runner = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def ask(self, identifier: str, **what: Any) -> None:
        """Requests a recording."""
        with self.control.open("a") as file:
            file.write(json.dumps({"v": 1, "request": "record", "id": identifier, **what}) + "\n")

    def wait_for(self, event: str, times: int = 1, **fields: Any) -> None:
        """Waits for reports of a name that have these members."""
        self.wait_until(lambda: len(self.told(event, **fields)) >= times, event)

    def wait_until_begun(self) -> None:
        """Waits until the script has made the file BEGUN."""
        self.wait_until(self._begun.exists, "beginning")

    def wait_until(self, seen: Callable[[], bool], what: str) -> None:
        """Waits until something is seen; fails if the run ends before, or if it takes longer than `PATIENCE_S`."""
        end = time.monotonic() + PATIENCE_S
        while self._runner.poll() is None and time.monotonic() < end:
            if seen():
                return
            time.sleep(0.05)
        self._end.touch()
        pytest.fail(f"no {what}: {self._runner.communicate(timeout=PATIENCE_S)[1]}")

    def told(self, event: str, **fields: Any) -> list[dict[str, Any]]:
        """Returns the reports of a name that have these members."""
        path = self.folder / "events.jsonl"
        lines = path.read_text().splitlines() if path.exists() else []
        events = [json.loads(line) for line in lines if line.endswith("}")]
        return [one for one in events if {**fields, "event": event}.items() <= one.items()]

    def end(self) -> Run:
        """Ends the script, and returns its run."""
        self._end.touch()
        stdout, stderr = self._runner.communicate(timeout=PATIENCE_S)
        return Run(self._runner.returncode, stdout, stderr, self.folder)
