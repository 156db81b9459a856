"""Measures one point, or records a profile of it, and reports in a file of events."""

from __future__ import annotations

import argparse
import functools
import sys
import traceback
from typing import Any

from gpulens_runner.events import emit

from .clock import Clock
from .failure import describe
from .measure import Report, measure
from .orphan import end_with_parent
from .point import Point
from .work import Work


def main(arguments: list[str] | None = None) -> int:
    """Runs the point on the standard input; returns 0, or 1 if the last event reports an error."""
    options = _parse(sys.argv[1:] if arguments is None else arguments)
    point = Point.from_json(sys.stdin.buffer.read())
    report = functools.partial(emit, options.events)
    end_with_parent()
    try:
        error = None
        if options.precision_map:
            _map(point, report)
        elif options.profile:
            _record(point, report, options.profile)
        else:
            error = _measure(point, report)
    except KeyboardInterrupt:
        return 130
    except BaseException as failure:
        if not isinstance(failure, (Exception, SystemExit)):
            raise
        kind, message = describe(failure)
        if kind == "crash":
            traceback.print_exc()
        report("failed", error=kind, message=message)
        return 1
    report("done", error=error)
    return 0


def _parse(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="gpulens_bench", description="Measures one point of a benchmark sweep: JSON on the standard input."
    )
    parser.add_argument("--events", required=True, help="file that progress is written to")
    parser.add_argument("--profile", help="file to record a profile into, instead of measuring")
    parser.add_argument("--precision-map", action="store_true", help="tell the data types of one step instead")
    return parser.parse_args(arguments)


def _measure(point: Point, report: Report) -> str | None:
    from .environment import environment, gpu
    from .memory import Memory, PeakMemory

    memory: Memory
    if point.target == "command":
        from .commands import Command

        report("environment", values=environment(None))
        command = Command(point)
        work, memory, device = Work(command.run, finish=command.finish), command, None
    else:
        work, device = _prepare(point, report)
        memory = PeakMemory(device)
    report(
        "work",
        parameters=work.parameters,
        parametersWithoutEmbedding=work.parameters_without_embedding,
        samples=work.samples,
        tokens=work.tokens,
        device=None if device is None else str(device),
    )
    error = measure(work, Clock(device), memory, report, point.warmup_steps, point.measured_steps)
    report("memory", **memory.read())
    if device is not None and device.type == "cuda":
        report("gpu", values=gpu(device))
    return error


def _prepare(point: Point, report: Report) -> tuple[Work, Any]:
    from .environment import environment
    from .precision import prepare

    device = point.torch_device
    prepare(point, device)
    report("environment", values=environment(device))
    if point.target == "callable":
        from .callables import callable_work

        return callable_work(point), device
    from .reference import reference_work

    return reference_work(point, device), device


def _record(point: Point, report: Report, path: str) -> None:
    from .profile import record

    work, device = _prepare(point, report)
    record(work, Clock(device), path)
    report("trace", path=path)


def _map(point: Point, report: Report) -> None:
    from .precision_map import precision_map

    work, _ = _prepare(point, report)
    report("precision", rows=precision_map(work))
