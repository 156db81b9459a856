"""Counts the GPU work of the modules of a Kineto trace with Python stacks, in the plainest way.

Prints a JSON object: name of a module -> [forward ns, backward ns, calls, CPU ns]. What autograd launched is backward work
of the modules around the forward operator that has the sequence number of the innermost backward one around the launch.
"""

from __future__ import annotations

import gzip
import json
import sys
from typing import Any

PREFIX = "nn.Module: "
GPU = ("kernel", "gpu_memcpy", "gpu_memset")
CALLS = ("cuda_runtime", "cuda_driver")


def nanoseconds(event: dict[str, Any]) -> int:
    return round((event["ts"] + event["dur"]) * 1000) - round(event["ts"] * 1000)


def around(slices: list[dict[str, Any]], inner: dict[str, Any]) -> list[dict[str, Any]]:
    start, end = inner["ts"], inner["ts"] + inner["dur"]
    same = [one for one in slices if one["tid"] == inner["tid"]]
    return [one for one in same if one["ts"] <= start and end <= one["ts"] + one["dur"]]


def names_around(modules: list[dict[str, Any]], inner: dict[str, Any]) -> set[str]:
    return {one["name"].removeprefix(PREFIX) for one in around(modules, inner)}


def main(path: str) -> None:
    with gzip.open(path) as file:
        slices = [
            event for event in json.load(file)["traceEvents"] if event.get("ph") == "X"
        ]
    modules = [one for one in slices if one["name"].startswith(PREFIX)]
    numbered = [
        one
        for one in slices
        if one.get("cat") == "cpu_op" and "Sequence number" in one["args"]
    ]
    forward = [one for one in numbered if one["args"].get("Fwd thread id") == 0]
    backward = [one for one in numbered if one["args"].get("Fwd thread id", 0) > 0]
    calls = {
        one["args"]["correlation"]: one for one in slices if one.get("cat") in CALLS
    }
    totals: dict[str, list[int]] = {}
    for one in modules:
        row = totals.setdefault(one["name"].removeprefix(PREFIX), [0, 0, 0, 0])
        row[2] += 1
        row[3] += nanoseconds(one)
    for one in slices:
        call = calls.get(one["args"]["correlation"]) if one.get("cat") in GPU else None
        if call is None:
            continue
        for name in names_around(modules, call):
            totals[name][0] += nanoseconds(one)
        nodes = around(backward, call)
        if not nodes:
            continue
        node = min(nodes, key=lambda other: other["dur"])
        number = node["args"]["Sequence number"]
        before = [
            other
            for other in forward
            if other["args"]["Sequence number"] == number and other["ts"] < node["ts"]
        ]
        for name in (
            names_around(modules, max(before, key=lambda other: other["ts"]))
            if before
            else ()
        ):
            totals[name][1] += nanoseconds(one)
    print(json.dumps(totals))


main(sys.argv[1])
