"""The folder of a recording started from Python code, which is like that of a run (`src/launch/run/run-folder.ts`)."""

from __future__ import annotations

import contextlib
import datetime
import json
import os
from typing import Any

USUAL_OUTPUT = ".gpu-lens"
EVENTS = "events.jsonl"


def make_folder(output: str, kind: str) -> str:
    """Makes a folder for this recording. The usual output folder, and one that is new, are ignored by git."""
    is_ours = not os.path.isdir(output) or os.path.basename(os.path.abspath(output)) == USUAL_OUTPUT
    runs = os.path.join(os.path.abspath(output), "runs")
    os.makedirs(runs, mode=0o700, exist_ok=True)
    if is_ours:
        ignored = os.path.join(output, ".gitignore")
        # Other ranks make the folder at the same time.
        with contextlib.suppress(FileExistsError), open(ignored, "x", encoding="ascii") as file:
            file.write("*\n!/rules/\n!/rules/*.sql\n")
    stamp = datetime.datetime.now(datetime.timezone.utc).strftime("%Y%m%d-%H%M%S")
    number = 1
    while True:
        folder = os.path.join(runs, f"{stamp}-{kind}" + (f"-{number}" if number > 1 else ""))
        try:
            os.mkdir(folder, mode=0o700)
            return folder
        except FileExistsError:
            number += 1


def read_events(folder: str) -> list[dict[str, Any]]:
    """Returns the recorder's reports, in order."""
    try:
        with open(os.path.join(folder, EVENTS), encoding="utf-8") as file:
            return [json.loads(line) for line in file]
    except FileNotFoundError:
        return []
