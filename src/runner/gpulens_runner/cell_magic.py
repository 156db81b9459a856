"""`%%gpulens` in notebooks: runs a cell, and records its steps, or the whole cell if it takes too few.

The folder of a recording is like that of a run (`src/launch/run/run-folder.ts`). Once it is complete, it has a
`cell.json`, by which an editor finds it.
"""

from __future__ import annotations

import argparse
import json
import os
import shlex
import sys
from typing import Any

from .cell_recorder import RECORDER
from .config import Config
from .recording_folder import EVENTS, USUAL_OUTPUT, make_folder, read_events

MARK = "cell.json"


class CellFailed(Exception):
    """The cell raised an error, which IPython has shown; a run of the whole notebook must stop here."""

    def _render_traceback_(self) -> list[str]:
        return [str(self)]


def load_ipython_extension(shell: Any) -> None:
    """Registers the magic; IPython calls this for `%load_ext gpulens`."""

    def gpulens(line: str, cell: str) -> None:
        """Records the steps of a cell, or the whole cell if it takes too few. `%%gpulens -h` lists the options."""
        options = _parse(line)
        if options is None:
            return
        folder = make_folder(options.output, "cell")
        with RECORDER.records(_config(options, folder)):
            # The comment replaces the magic's line, so that line numbers stay the same; IPython drops empty lines.
            result = shell.run_cell("#\n" + cell)
        _tell(folder)
        if not result.success:
            raise CellFailed("The cell failed.")

    shell.register_magic_function(gpulens, "cell", "gpulens")


def _parse(line: str) -> argparse.Namespace | None:
    """Returns the options; None if they are invalid, or if help was requested, which argparse has printed."""
    parser = argparse.ArgumentParser(prog="%%gpulens", description="Records the steps of a cell.")
    add = parser.add_argument
    add("--warmup", type=int, default=Config.warmup, help="steps that run unobserved (%(default)s)")
    add("--prewarm", type=int, default=Config.prewarm, help="steps with the profiler not recording (%(default)s)")
    add("--active", type=int, default=Config.active, help="steps to record (%(default)s)")
    add("--no-shapes", action="store_true", help="do not record tensor shapes")
    add("--stack", action="store_true", help="record Python stacks")
    add("--memory", action="store_true", help="record allocations")
    add("--output", default=USUAL_OUTPUT, help="folder that recordings are kept in (%(default)s)")
    try:
        return parser.parse_args(shlex.split(line))
    except SystemExit:
        return None
    except ValueError as error:
        print(f"%%gpulens: {error}.", file=sys.stderr)
        return None


def _config(options: argparse.Namespace, folder: str) -> Config:
    return Config(
        out=folder,
        events=os.path.join(folder, EVENTS),
        root=os.getcwd(),
        run=os.path.basename(folder),
        name="cell",
        warmup=max(1, options.warmup),
        prewarm=max(0, options.prewarm),
        active=max(1, options.active),
        shapes=not options.no_shapes,
        stack=options.stack,
        memory=options.memory,
    )


def _tell(folder: str) -> None:
    """Reports what was recorded, to the user and to an editor."""
    events = read_events(folder)
    traces = [event for event in events if event.get("event") == "trace"]
    for event in events:
        if event.get("event") == "error":
            print(f"GPU Lens: {event['message']}", file=sys.stderr)
    for trace in traces:
        print(f"GPU Lens recorded {_what(trace)}: {os.path.relpath(trace['path'])}")
    if not traces:
        print("GPU Lens recorded nothing: the cell did nothing with PyTorch.", file=sys.stderr)
    partial = os.path.join(folder, MARK + ".tmp")
    with open(partial, "w", encoding="utf-8") as file:
        json.dump({"version": 1, "profiles": [trace["path"] for trace in traces]}, file)
    os.replace(partial, os.path.join(folder, MARK))


def _what(trace: dict[str, Any]) -> str:
    steps, kind = trace["steps"], trace["kind"]
    if kind != "steps":
        return "the whole cell"
    words = {"train": "training step", "infer": "inference step", "forward": "forward call"}
    return f"{steps} {words.get(trace['what'], 'step')}{'' if steps == 1 else 's'}"
