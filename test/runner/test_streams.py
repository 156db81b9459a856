"""What a command writes: its standard output is ours, and the profiler's marks tear no line of its standard error."""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys

import pytest
from conftest import RUNNER, runner_command

sys.path.insert(0, str(RUNNER))
from gpulens_runner.stream_copy import MarkFilter

MARK = b"USDT:2026-11-23 16:48:12 22974:22974 SyncActivityProfilerHandler.cpp:52] profiler_start\n"


@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
def test_marks_are_taken_out_of_lines_however_the_stream_is_cut(size: int) -> None:
    data = b"loss 1.2" + MARK + b"5\n" + MARK + b"USD\nUSDT: mine\nU"
    marks = MarkFilter()
    shown = b"".join(marks.feed(data[at : at + size]) for at in range(0, len(data), size)) + marks.rest()
    assert shown == b"loss 1.25\nUSD\nUSDT: mine\nU"


def test_a_stream_that_holds_no_beginning_of_a_mark_is_passed_on_at_once() -> None:
    marks = MarkFilter()
    assert (marks.feed(b"100%|###"), marks.holds) == (b"100%|###", False)


def test_standard_output_is_the_one_that_the_command_was_given(tmp_path: pathlib.Path) -> None:
    file = tmp_path / "output.txt"
    code = "import os; print(os.fstat(1).st_ino)"
    with open(file, "wb") as output:
        subprocess.run(runner_command(tmp_path, tmp_path, sys.executable, "-c", code), stdout=output, check=True)
    assert file.read_text() == f"{os.stat(file).st_ino}\n"


@pytest.mark.skipif(os.name != "posix", reason="Windows has no such terminals")
def test_standard_error_is_a_terminal_where_ours_is_one(tmp_path: pathlib.Path) -> None:
    import pty

    source, target = pty.openpty()
    code = "import sys; print(sys.stdout.isatty(), sys.stderr.isatty()); print('a\\nb', file=sys.stderr)"
    command = runner_command(tmp_path, tmp_path, sys.executable, "-c", code)
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=target, check=True)
    assert done.stdout == b"False True\n"
    assert os.read(source, 100) == b"a\r\nb\r\n"
    os.close(source)
    os.close(target)
