"""Calls of modules from before the hooks."""

from __future__ import annotations

import sys
import threading
from typing import Any

import torch
from conftest import RUNNER

sys.path.insert(0, str(RUNNER))

from gpulens_runner.earlier_calls import EarlierCalls  # noqa: E402 -- the runner is no installed package.


class Asks(torch.nn.Module):
    def forward(self, earlier: EarlierCalls, reported: int) -> bool:
        return earlier.are_around(sys._getframe(), reported)


def call(earlier: EarlierCalls, reported: int) -> Any:
    return Asks()(earlier, reported)


def test_calls_on_the_stack_that_were_not_reported_are_earlier_ones() -> None:
    assert call(EarlierCalls(60.0), 0)
    assert not call(EarlierCalls(60.0), 1)


def test_a_call_that_takes_too_long_is_none() -> None:
    assert not call(EarlierCalls(-1.0), 0)


def test_a_thread_that_was_outside_of_earlier_calls_has_none_until_the_hooks_begin_anew() -> None:
    earlier = EarlierCalls(60.0)
    assert not earlier.are_around(sys._getframe(), 0)
    assert not call(earlier, 0)
    found: list[bool] = []
    thread = threading.Thread(target=lambda: found.append(call(earlier, 0)))
    thread.start()
    thread.join()
    assert found == [True]
    earlier.begin()
    assert call(earlier, 0)
