"""Signals that are sent to the processes of a run."""

from __future__ import annotations

import contextlib
import platform
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator

import pytest
from conftest import PATIENCE_S, RUNNER

sys.path.insert(0, str(RUNNER))

from gpulens_runner import signals  # noqa: E402 -- it is not installed.
from gpulens_runner.own_thread import start_without_signals  # noqa: E402
from gpulens_runner.signals import send_signal  # noqa: E402

pytestmark = pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="only Linux tells which thread blocks a signal"
)

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
        # A signal that is lost ends the test, not its wait.
        limit = threading.Timer(PATIENCE_S, process.kill)
        limit.start()
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n"
            yield process
        finally:
            limit.cancel()
            process.kill()


def wait_until_unblocked(pid: int) -> None:
    """Waits until the main thread has left its handler, in which the signal is blocked."""
    ends = time.monotonic() + PATIENCE_S
    while not signals._main_thread_takes(pid, signal.SIGUSR1):
        assert time.monotonic() < ends
        time.sleep(0.001)


@pytest.mark.skipif(platform.machine() not in signals._TGKILL, reason="the system call is not known here")
def test_the_main_thread_hears_what_another_thread_would_take() -> None:
    with started(BESIDE_A_THREAD) as process:
        for _ in range(50):
            wait_until_unblocked(process.pid)
            send_signal(process.pid, signal.SIGUSR1)
            stack = [next(process.stdout)]
            while not stack[-1].endswith((" in <module>\n", " in _bootstrap\n")):
                stack.append(next(process.stdout))
            assert stack[-1].endswith(" in <module>\n"), "".join(stack)


def test_a_thread_for_signals_hears_what_the_main_thread_blocks() -> None:
    with started(IN_A_THREAD) as process:
        for _ in range(5):
            send_signal(process.pid, signal.SIGUSR1)
            assert next(process.stdout) == "heard\n"


def test_a_process_that_has_ended_is_no_error() -> None:
    with subprocess.Popen([sys.executable, "-c", ""]) as child:
        pass
    send_signal(child.pid, signal.SIGTERM)


def test_a_thread_of_ours_takes_no_signals() -> None:
    heard = []
    go_on = threading.Event()
    thread = threading.Thread(target=go_on.wait)
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ())
    handler = signal.signal(signal.SIGUSR1, lambda number, _frame: heard.append(number))
    try:
        start_without_signals(thread)
        assert thread.native_id is not None
        with open(f"/proc/self/task/{thread.native_id}/status", encoding="utf-8") as file:
            blocked = int(next(line for line in file if line.startswith("SigBlk:")).split()[1], 16)
        taken = [number for number in signal.valid_signals() if not blocked >> (number - 1) & 1]
        assert not {signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGUSR1, signal.SIGALRM} & set(taken)
        assert {signal.SIGSEGV, signal.SIGABRT} <= set(taken)
        assert signal.pthread_sigmask(signal.SIG_BLOCK, ()) == before
        signal.raise_signal(signal.SIGUSR1)
        assert heard == [signal.SIGUSR1]
    finally:
        signal.signal(signal.SIGUSR1, handler)
        go_on.set()
        thread.join()
