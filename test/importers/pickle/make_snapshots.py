"""Makes memory snapshots by simulating an allocator forwards, and writes down what it held at every moment.

Usage: make_snapshots.py FOLDER SEED. Writes FOLDER/*.pickle; prints {name: truth} as one JSON object. A truth has, by
device, the allocated and reserved bytes at every moment of the history that the snapshot kept, and the bytes by line at
its end. Nothing here replays backwards: it is an oracle for what does.
"""

import gzip
import json
import pickle
import random
import sys

OWN = "/home/me/train.py"
LIBRARY = "/opt/venv/lib/python3.12/site-packages/torch/nn/modules/linear.py"


def frames_of(kind, line):
    """Returns a stack of one of the kinds that snapshots have."""
    own = {"filename": OWN, "line": line, "name": "step"}
    library = {"filename": LIBRARY, "line": 134, "name": "forward"}
    return {
        "own": [library, own],
        "compiled": [
            {"filename": "/tmp/torchinductor_me/ab/cab.py", "line": 7, "name": "call", "fx_node_op": "call_function"},
            library,
            own,
        ],
        "c++": [{"filename": "CUDACachingAllocator.cpp", "line": 0, "name": "c10::alloc"}, library, own],
        "library": [library],
        "none": [],
    }[kind]


class Device:
    """An allocator that is simulated: segments of a fixed size, or one that grows in place."""

    def __init__(self, number, rng, is_expandable, kept):
        self.number, self.rng, self.is_expandable, self.kept = number, rng, is_expandable, kept
        self.segments, self.trace, self.history = {}, [], [(0, 0)]
        self.live, self.pending, self.lines = {}, {}, {}
        self.next = 0x7F0000000000 + (number << 36)
        self.reserved = 0
        self.time = 1_700_000_000_000_000

    def record(self, action, addr, size, frames, **more):
        self.time += self.rng.randrange(1, 50)
        entry = {"action": action, "size": size, "stream": self.rng.choice([0, 0, 94_000_000_512])}
        entry |= {"time_us": self.time, "compile_context": "N/A", "user_metadata": self.rng.choice(["", "epoch 1"])}
        entry |= {"frames": frames} | more
        if action == "oom":
            entry["device_free"] = 1 << 20
        else:
            entry["addr"] = addr
        self.trace.append(entry)
        self.history.append((sum(size for size, _, _ in self.live.values()), self.reserved))

    def alloc(self):
        size = self.rng.choice([4, 512, 700, 1 << 20, 3 << 20])
        line = self.rng.randrange(1, 9)
        frames = frames_of(self.rng.choice(["own", "own", "compiled", "c++", "library", "none"]), line)
        room = -(-size // 512) * 512
        addr = self.next
        self.next += room
        self.reserved += room
        self.segments[addr] = room
        self.record("segment_map" if self.is_expandable else "segment_alloc", addr, room, frames)
        self.live[addr] = (size, room, frames)
        self.record("alloc", addr, size, frames, category=self.rng.choice(["parameter", "activation"]))

    def free(self):
        addr = self.rng.choice(list(self.live))
        size, room, _ = self.live.pop(addr)
        free_frames = frames_of("own", 99)
        self.record("free_requested", addr, size, free_frames)
        if self.rng.random() < 0.2:
            self.pending[addr] = size
            return
        self.complete(addr, size, free_frames)
        if self.rng.random() < 0.5:
            self.reserved -= self.segments.pop(addr)
            self.record("segment_unmap" if self.is_expandable else "segment_free", addr, room, free_frames)

    def complete(self, addr, size, frames):
        self.record("free_completed", addr, size, frames)

    def step(self):
        roll = self.rng.random()
        if self.pending and roll < 0.1:
            addr = self.rng.choice(list(self.pending))
            self.complete(addr, self.pending.pop(addr), [])
        elif self.live and roll < 0.5:
            self.free()
        elif roll > 0.98:
            self.record("oom", None, 1 << 34, frames_of("own", 5))
        elif roll > 0.96:
            self.record("snapshot", 0, 0, [])
        else:
            self.alloc()

    def blocks(self, has_frames, address_key):
        """Returns the segments: each has one block here, or one and the room that is left of it."""
        segments = []
        for addr, room in self.segments.items():
            state = "inactive"
            if addr in self.live:
                state = "active_allocated"
            elif addr in self.pending:
                state = self.rng.choice(["active_pending_free", "active_awaiting_free"])
            size, _, frames = self.live.get(addr, (self.pending.get(addr, 0), room, []))
            block = {"size": room, "requested_size": size, "state": state, "frames": frames if has_frames else []}
            segments.append(
                {
                    "device": self.number,
                    "address": addr,
                    "total_size": room,
                    "allocated_size": room if addr in self.live else 0,
                    "active_size": 0 if state == "inactive" else room,
                    "requested_size": size,
                    "stream": 0,
                    "segment_type": "small" if room < 1 << 20 else "large",
                    "segment_pool_id": (0, 0),
                    "is_expandable": self.is_expandable,
                    "frames": [],
                    "blocks": [block | ({"address": addr} if address_key else {})],
                }
            )
        return segments

    def truth(self, has_history, has_frames):
        kept = self.trace[len(self.trace) - self.kept :] if has_history else []
        history = self.history[len(self.history) - len(kept) - 1 :]
        allocated_in = {entry["addr"] for entry in kept if entry["action"] == "alloc"}
        lines = {}
        for addr, (size, _, frames) in self.live.items():
            own = next((frame["line"] for frame in frames if frame["filename"] == OWN), None)
            if not has_frames and addr not in allocated_in:
                own = None
            lines[own] = lines.get(own, 0) + size
        return kept, {
            "allocated": [allocated for allocated, _ in history],
            "reserved": [reserved for _, reserved in history],
            "lines": sorted(([line, size] for line, size in lines.items()), key=str),
        }


def make(folder, seed):
    """Writes every variant; returns their truths."""
    truths = {}
    variants = [
        # name, history?, blocks with frames?, with addresses?, as what, protocol, gzip?
        ("whole-2", True, True, True, "dump", 2, False),
        ("whole-3", True, True, True, "dump", 3, False),
        ("whole-4", True, True, True, "dump", 4, True),
        ("whole-5", True, True, True, "live", 5, False),
        ("no-frames", True, False, True, "dump", 4, False),
        ("no-addresses", True, True, False, "dump", 4, False),
        ("no-history", False, True, True, "dump", 4, False),
        ("no-traces", False, True, True, "segments-key", 4, False),
        ("segments-alone", False, True, True, "list", 4, False),
    ]
    for index, (name, has_history, has_frames, has_addresses, shape, protocol, is_gzip) in enumerate(variants):
        rng = random.Random(seed * 100 + index)
        devices = [Device(number, rng, number == 1, kept=150) for number in range(3)]
        for device in devices[:2]:
            for _ in range(400):
                device.step()
        devices[2].kept = 0
        kept, truth = zip(*(device.truth(has_history, has_frames) for device in devices), strict=True)
        segments = [segment for device in devices for segment in device.blocks(has_frames, has_addresses)]
        rng.shuffle(segments)
        traces = [list(trace) for trace in kept]
        data = {
            "dump": {"segments": segments, "device_traces": traces},
            "live": {
                "segments": segments,
                "device_traces": traces,
                "allocator_settings": {"PYTORCH_CUDA_ALLOC_CONF": "", "expandable_segments": True, "roundup": {"[": 1}},
                "external_annotations": [{"name": "step", "stage": "START", "device": 0, "time_us": 5}],
            },
            "segments-key": {"segments": segments},
            "list": segments,
        }[shape]
        content = pickle.dumps(data, protocol)
        with open(f"{folder}/{name}.pickle", "wb") as file:
            file.write(gzip.compress(content) if is_gzip else content)
        truths[name] = list(truth[:2])
    return truths


if __name__ == "__main__":
    print(json.dumps(make(sys.argv[1], int(sys.argv[2]))))
