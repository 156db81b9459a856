"""The innermost loop round a frame, on this Python and on the first one whose comprehensions have no frame."""

from __future__ import annotations

import json
import pathlib
import subprocess
import sys

import pytest
from conftest import RUNNER, other_python

# Each call of `here` keeps the loop that it sees under the name that it is given.
PROGRAM = """
import json, sys
sys.path.insert(0, sys.argv[1])
from gpulens_runner.loop_of_frame import loop_of_frame
from gpulens_runner.source_files import SourceFile
with open(__file__, "rb") as file: source = SourceFile(file.read())
seen = {}
def here(name):
    seen[name] = loop_of_frame(sys._getframe(1), source)
def run():
    here("function")
    for epoch in range(1):
        here("statement")
        [here("list") for _ in range(1)]
        here([each for each in ("beside a list",)][0])
        sum(0 for _ in [
            here("what is gone through")
        ])
        list(
            here("generator") for _ in "a"
        )
        {"a": [
            here("inner") for _ in "a"
        ] for _ in "b"}
        [lambda: here("lambda") for _ in "a"][0]()
    while len(seen) < 9:
        here("while")
        break
run()
print(json.dumps(seen))
"""


@pytest.mark.parametrize("name", ["this", "python3.12"])
def test_the_innermost_loop_is_a_statement_or_a_comprehension(tmp_path: pathlib.Path, name: str) -> None:
    script = tmp_path / "loops.py"
    script.write_text(PROGRAM)
    python = sys.executable if name == "this" else other_python(name)
    done = subprocess.run([python, "-B", str(script), str(RUNNER)], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    lines = {at: text.strip() for at, text in enumerate(PROGRAM.splitlines(), 1)}
    seen = {name: None if line is None else lines[line] for name, line in json.loads(done.stdout).items()}
    assert seen == {
        "function": None,
        "statement": "for epoch in range(1):",
        "list": '[here("list") for _ in range(1)]',
        "beside a list": "for epoch in range(1):",
        "what is gone through": "for epoch in range(1):",
        "generator": "list(",
        "inner": '{"a": [',
        "lambda": None,
        "while": "while len(seen) < 9:",
    }
