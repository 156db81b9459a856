"""The end of a command's output, which the message of a failure shows."""

from __future__ import annotations

import sys

import pytest
from conftest import RUNNER

sys.path.insert(0, str(RUNNER))
from gpulens_runner.tail import Tail


@pytest.mark.parametrize("size", [1, 7, 4096])
def test_the_last_80_lines_of_a_command_are_kept_however_its_output_is_cut(size: int) -> None:
    tail = Tail()
    data = b"".join(b"line %d\n" % number for number in range(200)) + b"the end"
    for at in range(0, len(data), size):
        tail.feed(data[at : at + size])
    assert tail.lines() == [f"line {number}" for number in range(121, 200)] + ["the end"]


def test_the_last_2000_letters_of_a_long_line_are_kept() -> None:
    tail = Tail()
    tail.feed(b"a" * 5000 + b"z\n" + b"b" * 5000)
    assert tail.lines() == ["a" * 1999 + "z", "b" * 2000]
