"""`%%gpulens` in notebooks: runs a cell, and records its steps, or the beginning of the cell if it takes too few.

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
        """Records the steps of a cell, or its beginning if it takes too few. `%%gpulens -h` lists the options."""
        options = _parse(line)
        if options is None:
            return
        folder = make_folder(options.output, "cell")
        # The comment replaces the magic's line, so that line numbers stay the same; IPython drops empty lines. But
        # another magic must come first.
        source = cell if cell.lstrip().startswith("%%") else "#\n" + cell
        try:
            with RECORDER.records(_config(options, folder)):
                result = shell.run_cell(source)
        except KeyboardInterrupt:
            # It came while the recording was written, which went on.
            _tell(folder)
            raise
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
    traces = sorted((event for event in events if event.get("event") == "trace"), key=_rank)
    for event in events:
        if event.get("event") == "error":
            print(f"GPU Lens: {event['message']}", file=sys.stderr)
    for trace in traces:
        print(f"GPU Lens recorded {_what(trace, events)}: {os.path.relpath(trace['path'])}")
    if not traces:
        print("GPU Lens recorded nothing: the cell did nothing with PyTorch.", file=sys.stderr)
    partial = os.path.join(folder, MARK + ".tmp")
    with open(partial, "w", encoding="utf-8") as file:
        json.dump({"version": 1, "profiles": [trace["path"] for trace in traces]}, file)
    os.replace(partial, os.path.join(folder, MARK))


def _rank(trace: dict[str, Any]) -> int:
    """Returns the place of a trace among those of a cell: an editor opens the first one."""
    if trace["kind"] != "steps":
        return 2
    return 0 if trace["what"] == "train" else 1


def _what(trace: dict[str, Any], events: list[dict[str, Any]]) -> str:
    steps, kind = trace["steps"], trace["kind"]
    if kind == "opening":
        return _part_of_cell(events)
    if kind != "steps":
        return {"own": "what the cell profiled itself", "capture": "the capture of a CUDA graph"}.get(kind, kind)
    words = {"train": "training step", "infer": "inference step", "forward": "forward call"}
    return f"{steps} {words.get(trace['what'], 'step')}{'' if steps == 1 else 's'}"


def _part_of_cell(events: list[dict[str, Any]]) -> str:
    """Returns what the recording of a cell with too few steps holds."""
    for event in events:
        if event.get("event") == "opening-full":
            return f"the first {event['seconds']:.0f} seconds of the cell"
        if event.get("event") == "loops":
            return "the beginning of the cell, because it took too few steps"
    return "the whole cell"
