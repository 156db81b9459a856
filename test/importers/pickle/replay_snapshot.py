"""Replays memory snapshots backwards from their segments, by dictionaries and nothing else: an oracle for the tests.

Reads a JSON object from standard input, {"moments": N, "seed": N}, and the snapshots' paths from the command line;
writes one JSON object a line.
"""

import contextlib
import io
import json
import pickle
import random
import re
import sys

from torch.cuda import _memory_viz

OWN = re.compile(r"site-packages|dist-packages|/lib/python\d|^<|^$|^\?\?$|\.(cpp|c|h|S|so[.\d]*)$|/torchinductor_")


def own_line(frames):
    """Returns the innermost frame of the person's own code as [file, line, function]."""
    for frame in frames or []:
        if not OWN.search(frame["filename"].replace("\\", "/")):
            return [frame["filename"], frame["line"], frame["name"]]
    return [None, None, None]


def states(snapshot, device):
    """Yields (moment, live blocks by address, reserved bytes) from the end to the beginning."""
    segments = [segment for segment in snapshot["segments"] if segment["device"] == device]
    trace = snapshot["device_traces"][device]
    # What the trace frees has no stack but that of its allocation, if the trace has it: looked up forwards.
    stacks, open_allocations = {}, {}
    for index, event in enumerate(trace):
        if event["action"] == "alloc":
            open_allocations[event["addr"]] = event["frames"]
        elif event["action"] == "free_requested":
            stacks[index] = open_allocations.pop(event["addr"], None)
    live = {
        block["address"]: (block["requested_size"], block["frames"] or open_allocations.get(block["address"]))
        for segment in segments
        for block in segment["blocks"]
        if block["state"] == "active_allocated"
    }
    reserved = sum(segment["total_size"] for segment in segments)
    yield len(trace), live, reserved
    for index in range(len(trace) - 1, -1, -1):
        event = trace[index]
        if event["action"] == "alloc":
            del live[event["addr"]]
        elif event["action"] == "free_requested":
            assert event["addr"] not in live
            live[event["addr"]] = (event["size"], stacks[index])
        elif event["action"] in ("segment_alloc", "segment_map"):
            reserved -= event["size"]
        elif event["action"] in ("segment_free", "segment_unmap"):
            reserved += event["size"]
        yield index, live, reserved


def rows_of(live):
    """Returns [file, line, function, bytes, blocks] of live blocks, sorted."""
    sums = {}
    for size, frames in live.values():
        row = sums.setdefault(tuple(own_line(frames)), [0, 0])
        row[0] += size
        row[1] += 1
    return sorted(([*place, *counts] for place, counts in sums.items()), key=json.dumps)


def replay(path, moments, seed):
    """Returns the peak, the end and the rows of random moments of a snapshot."""
    with open(path, "rb") as file:
        snapshot = pickle.load(file)
    device = next(number for number, trace in enumerate(snapshot["device_traces"]) if trace)
    count = len(snapshot["device_traces"][device])
    wanted = {*random.Random(seed).sample(range(count + 1), min(moments, count)), count}
    totals, shown = {}, []
    for moment, live, reserved in states(snapshot, device):
        totals[moment] = [sum(size for size, _ in live.values()), reserved]
        if moment in wanted:
            shown.append({"moment": moment, "totals": totals[moment], "rows": rows_of(live)})
    peak = max(totals, key=lambda moment: (totals[moment][0], -moment))
    return {
        "events": count,
        "peak": [peak, *totals[peak]],
        "end": totals[count],
        "moments": shown,
        "viz": viz(snapshot),
    }


def viz(snapshot):
    """Returns what torch's own viewer counts at the end: its stacks' bytes, and its summary's last lines."""
    lines = _memory_viz.memory(snapshot, format_flamegraph=lambda text: text).splitlines()
    allocated = sum(
        int(line.rsplit(" ", 1)[1]) for line in lines if ";active_allocated;" in line and ";<gaps> " not in line
    )
    with contextlib.redirect_stdout(io.StringIO()):
        summary = _memory_viz.segsum(snapshot)
    totals = [line for line in summary.splitlines() if line.startswith("total_")]
    return {"allocatedBytes": allocated, "summary": totals[:2]}


if __name__ == "__main__":
    options = json.load(sys.stdin)
    for snapshot_path in sys.argv[1:]:
        print(json.dumps(replay(snapshot_path, options["moments"], options["seed"])))
