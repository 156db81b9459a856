"""Which calls of modules end a step."""

from __future__ import annotations

import sys

import pytest
from conftest import RUNNER

sys.path.insert(0, str(RUNNER))

from gpulens_runner.step_finder import CallCycle  # noqa: E402 -- the runner is no installed package.


@pytest.mark.parametrize(
    "calls",
    [
        "AAAA",  # one module
        "AbaBaBaB",  # an encoder and a decoder: no step is one of them alone, but the first
        "AbcabCabC",
        "BaaAAA",  # one that is called before the loop
        "AAAbAAABaaaB",  # several calls of one for each of the other
    ],
)
def test_the_calls_in_capitals_end_a_step(calls: str) -> None:
    cycle = CallCycle()
    assert "".join(name.upper() if cycle.calls(ord(name)) else name for name in calls.lower()) == calls
