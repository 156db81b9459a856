"""Signals that arrive while a trace is written, in a process and in its forked children."""

from __future__ import annotations

import os
import signal
import sys

import pytest
from conftest import RUNNER

sys.path.insert(0, str(RUNNER))

from gpulens_runner.uninterrupted import Uninterrupted  # noqa: E402 -- the runner is no installed package.


@pytest.mark.parametrize(("receives", "status"), [("child", -signal.SIGTERM), ("parent", 0)])
def test_a_forked_child_keeps_a_signal_of_its_own_and_none_of_its_parents(receives: str, status: int) -> None:
    writing = Uninterrupted()
    with writing:
        if receives == "parent":
            assert writing.defers(signal.SIGCONT)
        child = os.fork()
        if child == 0:
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            signal.signal(signal.SIGCONT, lambda _number, _frame: os._exit(1))
            # The signal comes before the child knows that it writes nothing.
            if receives == "child":
                writing.defers(signal.SIGTERM)
            writing.forget()
            os._exit(0)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == status
