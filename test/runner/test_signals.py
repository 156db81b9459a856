"""Signals that are sent to the processes of a run."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Iterator

import pytest
from conftest import RUNNER

sys.path.insert(0, str(RUNNER))

from gpulens_runner.process_tree import send  # noqa: E402 -- it is not installed.

pytestmark = pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="only Linux tells which thread blocks a signal")

# A thread that unblocks a signal takes what is pending for the process, as one does that is just being created.
# faulthandler prints the stack of the thread that a signal interrupts.
BESIDE_A_THREAD = """
import faulthandler, signal, sys, threading, time
def take():
    while True:
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGUSR1})
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGUSR1})
def rest():
    while True:
        time.sleep(60)
faulthandler.register(signal.SIGUSR1, file=sys.stdout, all_threads=False)
threading.Thread(target=take, daemon=True).start()
print("ready", flush=True)
rest()
"""

IN_A_THREAD = """
import signal, threading, time
signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGUSR1})
def wait():
    while True:
        signal.sigwait({signal.SIGUSR1})
        print("heard", flush=True)
threading.Thread(target=wait, daemon=True).start()
print("ready", flush=True)
while True:
    time.sleep(60)
"""


@contextlib.contextmanager
def started(code: str) -> Iterator[subprocess.Popen[str]]:
    """Runs a process that says when it is ready."""
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n"
            yield process
        finally:
            process.kill()


def test_the_main_thread_hears_what_another_thread_would_take() -> None:
    with started(BESIDE_A_THREAD) as process:
        for _ in range(50):
            send(process.pid, signal.SIGUSR1)
            stack = [next(process.stdout)]
            while not stack[-1].endswith((" in <module>\n", " in _bootstrap\n")):
                stack.append(next(process.stdout))
            assert stack[-1].endswith(" in <module>\n"), "".join(stack)


def test_a_thread_for_signals_hears_what_the_main_thread_blocks() -> None:
    with started(IN_A_THREAD) as process:
        for _ in range(5):
            send(process.pid, signal.SIGUSR1)
            assert next(process.stdout) == "heard\n"


def test_a_process_that_has_ended_is_no_error() -> None:
    with subprocess.Popen([sys.executable, "-c", ""]) as child:
        pass
    send(child.pid, signal.SIGTERM)
