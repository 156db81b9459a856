"""Writes a stopped recording with its sidecar."""

from __future__ import annotations

import json
import os
import sys
import tempfile
from typing import Any, Callable

import torch

from .context import Context
from .devices import device_name
from .file_names import script_name
from .labels import Labels
from .loops import Loop
from .private_folder import make_private_folder
from .ranks import rank_and_world
from .recorder import Recording
from .room import check_room
from .trace_file import write_trace

TRACE_END = ".pt.trace.json.gz"
SIDECAR_END = ".meta.json"


def save(
    context: Context,
    recording: Recording,
    why: str,
    steps: int = 0,
    what: str | None = None,
    loop: Loop | None = None,
    first: int | None = None,
    left: int = 0,
) -> str | None:
    """Writes a stopped recording, and reports it; a failure is reported too, and never raised.

    If the run's folder has no room or cannot be written, tries the system's temporary folder.

    `first` is the number of the first step in it, counted from 1; `left` recordings of a schedule are still to come.

    Returns the trace's path; None if it could not be written.
    """
    if recording.results is None:
        context.tell("error", message="The profiler kept nothing of what it recorded.")
        return None
    context.tell("writing", kind=recording.kind)
    rank, _ = rank_and_world()
    meta = {
        "version": 1,
        "kind": recording.kind,
        "what": what,
        "why": why,
        "steps": steps,
        "firstStep": first,
        "rank": rank,
        "capture": _capture_of(context, recording),
        **_made_of(context, recording),
        "sites": [*context.sites.to_json(), *context.modules.sites()],
        "modules": context.modules.to_json(),
        "lines": context.lines.names.to_json(),
        "compiledKernels": context.kernels.to_json(),
        "compiledCalls": context.calls.to_json(),
        "files": _files(context),
    }
    reasons = []
    places = _folders(context)
    for folder, make in places:
        try:
            make(folder)
            if folder != places[-1][0]:
                check_room(folder, recording.results)
            trace = _write(
                recording, meta, _claim_name(folder, _name(context, what, first), rank, recording.kind), context.labels
            )
        except (OSError, RuntimeError) as error:
            reasons.append(f"{folder}: {getattr(error, 'strerror', None) or error}")
            continue
        if reasons:
            context.tell("error", message=f"The trace is in {folder}, since there was no writing to {reasons[0]}.")
        place = None if loop is None else loop.to_json()
        told = {
            "what": what,
            "why": why,
            "steps": steps,
            "first": first,
            "left": left,
            "trigger": context.config.trigger,
        }
        context.tell("trace", path=trace, kind=recording.kind, loop=place, **told)
        return trace
    context.tell("error", message=f"The trace could not be written to {', nor to '.join(reasons)}.")
    return None


def add_to_sidecar(trace: str, **members: Any) -> None:
    """Adds members to the sidecar of a trace that has been written."""
    sidecar = trace[: -len(TRACE_END)] + SIDECAR_END
    with open(sidecar, encoding="utf-8") as file:
        meta = json.load(file)
    _write_whole(sidecar, {**meta, **members})


def _folders(context: Context) -> list[tuple[str, Callable[[str], None]]]:
    """Returns the possible folders for a trace, in order, with the function that makes each."""
    elsewhere = os.path.join(tempfile.gettempdir(), f"gpu-lens-{context.config.run}")
    return [
        (context.config.out, lambda folder: os.makedirs(folder, 0o700, exist_ok=True)),
        (elsewhere, make_private_folder),
    ]


def _capture_of(context: Context, recording: Recording) -> str | None:
    """Returns the name of the file with the captures of the graphs that a recording may show."""
    is_none = context.capture is None or recording.kind == "capture"
    return None if is_none else os.path.basename(str(context.capture))


def _made_of(context: Context, recording: Recording) -> dict[str, Any]:
    return {
        "torch": torch.__version__,
        "cuda": torch.version.cuda,
        "python": ".".join(map(str, sys.version_info[:3])),
        "device": device_name(),
        "recordedAt": recording.recorded_at,
        "gitCommit": context.config.git_commit,
        "script": _script(context),
    }


def _script(context: Context) -> str | None:
    """Returns the program's file; None for one that was typed, or was read from a pipe."""
    path = getattr(sys.modules.get("__main__"), "__file__", None)
    return context.paths.relative(os.path.abspath(path)) if isinstance(path, str) and os.path.isfile(path) else None


def _files(context: Context) -> list[dict[str, Any]]:
    """Returns the contents, as far as known, that files with ranges or calls of compiled code had when they ran."""
    paths = dict.fromkeys(
        [
            *context.sites.files(),
            *context.modules.files(),
            *context.calls.files(),
            *context.lines.names.files(),
        ]
    )
    sources = [(path, context.sources.get(path)) for path in paths]
    return [
        {
            "file": context.paths.relative(path),
            "gitBlob": source.git_blob(),
            "lineCrc32": source.line_checksums(),
        }
        for path, source in sources
        if source is not None
    ]


def _name(context: Context, what: str | None, first: int | None) -> str:
    """Returns the name of a trace; if a run has several, the name contains the number of the trace's first step."""
    config = context.config
    name = config.name or script_name()
    return f"{name}.step{first}" if config.waits and what == "train" and first is not None else name


def _write(recording: Recording, meta: dict[str, Any], base: str, labels: Labels) -> str:
    try:
        # The sidecar is written first, so that it exists when the trace appears.
        _write_whole(base + SIDECAR_END, meta)
        write_trace(recording.results, base + TRACE_END, labels)
    except BaseException:
        os.remove(base + SIDECAR_END)
        raise
    return base + TRACE_END


def _write_whole(path: str, meta: dict[str, Any]) -> None:
    partial = path + ".tmp"
    try:
        with open(partial, "w", encoding="utf-8") as file:
            json.dump(meta, file)
        os.replace(partial, path)
    finally:
        if os.path.exists(partial):
            os.remove(partial)


def _claim_name(folder: str, program: str, rank: int | None, kind: str) -> str:
    """Returns an unused path for a trace, without its ending: `train`, `train.rank3`, `train.pid4711`,
    `train.lines`."""
    name = program if rank is None else f"{program}.rank{rank}"
    if kind in ("lines", "window", "capture"):
        name = f"{name}.{kind}"
    number = 1
    candidate = name
    while True:
        base = os.path.join(folder, candidate)
        try:
            os.close(os.open(base + SIDECAR_END, os.O_CREAT | os.O_EXCL))
            return base
        except FileExistsError:
            candidate = f"{name}.pid{os.getpid()}" + (f"-{number}" if number > 1 else "")
            number += 1
