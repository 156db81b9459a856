"""Ranges of lines that are found fast are those that a look at the whole stack finds."""

from __future__ import annotations

import json
import pathlib
import subprocess
import sys
from typing import Any

import pytest
from conftest import RUNNER, other_python

LIBRARY = """
def calls(function, *arguments):
    function(*arguments)
    return [function(*arguments) for _ in range(2)]

def calls_torch(torch, function, *arguments):
    torch()
    calls(function, *arguments)
    [torch() for _ in range(2)]
    torch()

def generates(torch):
    for _ in range(2):
        torch()
        yield

def once(torch):
    torch()

def drains(torch, iterable):
    for _ in iterable:
        torch()
"""

# `torch` stands for a call of torch: it notes the range of the line that calls it, and those around it.
PROGRAM = """
import random
from lib import calls, calls_torch, drains, generates, once

def leaf(torch, chance, depth):
    torch(); torch()
    [torch() for _ in range(chance.randrange(3))]
    torch(
    )

def own_generator(torch):
    torch()
    yield torch()
    yield torch()

def through_library(torch):
    once(torch)
    torch.note()

def resumed_elsewhere(torch):
    one = own_generator(torch)
    next(one)
    next(one)
    once(lambda: next(one, None))

def silent(torch, chance, depth):
    branch(torch, chance, depth)

def branch(torch, chance, depth):
    if depth == 0:
        return leaf(torch, chance, depth)
    for _ in range(chance.randrange(1, 4)):
        what = chance.randrange(13)
        if what == 0:
            torch()
        elif what == 1:
            [torch() for _ in range(3)]
        elif what == 2:
            branch(torch, chance, depth - 1)
        elif what == 3:
            silent(torch, chance, depth - 1); torch()
        elif what == 4:
            calls(leaf, torch, chance, depth)
        elif what == 5:
            calls_torch(torch, branch, torch, chance, depth - 1)
        elif what == 6:
            calls(lambda: branch(torch, chance, depth - 1))
        elif what == 7:
            for _ in own_generator(torch): torch()
        elif what == 8:
            for _ in generates(torch): branch(torch, chance, depth - 1)
        elif what == 9:
            drains(torch, own_generator(torch))
        elif what == 10:
            through_library(torch)
        elif what == 11:
            resumed_elsewhere(torch)
        else:
            one = own_generator(torch)
            next(one); torch()
            next(one)
            torch()

def train(torch, step, seed):
    chance = random.Random(seed)
    for _ in generates(torch):
        branch(torch, chance, 3)
        torch()
        step()
    while chance.randrange(8) + 0 * len([torch()]):
        branch(torch, chance, 3)
        torch()
        step()
"""

DRIVER = """
import json, random, sys
runner, folder, fast = sys.argv[1], sys.argv[2], sys.argv[3] == "fast"
sys.path[:0] = [runner, folder + "/project", folder + "/site-packages"]
from gpulens_runner.labels import Labels
from gpulens_runner.line_names import LineNames
from gpulens_runner.own_code import OwnCode
from gpulens_runner.source_files import SourceFiles
from gpulens_runner.source_paths import SourcePaths
from gpulens_runner.stack_lines import StackLines
import own

class Whole(StackLines):
    def enter_line(self, frame):
        return self.enter(frame)
    def _enter_open(self, frame):
        return None

log, fails, looks = [], [], 0

class Range:
    def __init__(self, name):
        self.name = name
    def __enter__(self):
        log.append("+" + self.name)
    def __exit__(self, *error):
        log.append("-" + self.name)

paths = SourcePaths(folder + "/project", folder + "/torch")
names = LineNames(paths, SourceFiles(), Labels())
lines = (StackLines if fast else Whole)(OwnCode(paths), names, Range, fails.append)
wanted = lines._wanted
def looked(frame):
    global looks
    looks += 1
    return wanted(frame)
lines._wanted = looked
chance = random.Random(1)

def torch():
    by_mode = chance.random() < 0.7
    at = (lines.enter_line if by_mode else lines.enter)(sys._getframe(1))
    log.append("call")
    lines.close_from(at)

torch.note = lambda: log.append("no call of torch")

def step():
    lines.step_ends(sys._getframe(1))
    lines.step_begins()

for seed in range(30):
    own.train(torch, step, seed)
    lines.forget(sys._getframe())
print(json.dumps({"log": log, "fails": [str(one) for one in fails], "looks": looks}))
"""


@pytest.mark.parametrize("version", ["this", "python3.12"])
def test_the_fast_ways_open_and_close_what_a_look_at_the_whole_stack_does(tmp_path: pathlib.Path, version: str) -> None:
    python = sys.executable if version == "this" else other_python(version)
    for name, text in (("project/own.py", PROGRAM), ("site-packages/lib.py", LIBRARY), ("driver.py", DRIVER)):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)

    def run(way: str) -> dict[str, Any]:
        command = [python, str(tmp_path / "driver.py"), str(RUNNER), str(tmp_path), way]
        return json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)

    fast, whole = run("fast"), run("whole")
    assert fast["fails"] == whole["fails"] == []
    assert fast["log"] == whole["log"]
    assert len(fast["log"]) > 10_000
    # Most calls are no reason to look at the whole stack.
    assert fast["looks"] < whole["looks"] / 3
