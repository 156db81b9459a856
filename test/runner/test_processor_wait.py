"""The wait for a processor is told from work, from sleep, and from work of a program's other threads and processes."""

from __future__ import annotations

import pathlib
import subprocess
import sys
from typing import Optional

import pytest
from conftest import RUNNER

pytestmark = pytest.mark.skipif(
    not pathlib.Path("/proc/thread-self/schedstat").exists(), reason="this system does not count waits for a processor"
)

#: Prints what a span of some work took, of its thread, its waits, and its waits where it was alone.
SCRIPT = """\
import os, subprocess, sys, threading, time
from gpulens_proof.processor_wait import Moment, WholeWait, waited_alone_ns, waited_ns

if hasattr(os, "sched_setaffinity"):
    os.sched_setaffinity(0, {{min(os.sched_getaffinity(0))}})

def compute():
    total = 0
    for number in range(2_000_000):
        total += number

def compute_in_a_thread():
    thread = threading.Thread(target=compute)
    thread.start()
    compute()
    thread.join()

def compute_beside_a_process():
    global other
    other = subprocess.Popen([sys.executable, "-c", "while True: pass"])
    compute()

other = None
wait = WholeWait()
begin = Moment()
{work}
end = Moment()
whole = wait.to_json()
if other is not None:
    other.kill()
alone = waited_alone_ns(begin, end)
print(end.wall_ns - begin.wall_ns, end.thread_ns - begin.thread_ns, waited_ns(begin, end), alone, whole)
"""

BUSY = "import os; os.sched_setaffinity(0, {min(os.sched_getaffinity(0))}); print(flush=True)\nwhile True: pass"


Times = tuple[int, int, int, Optional[int], Optional[int]]


def least_disturbed(work: str) -> Times:
    """
    Returns what work took where a host took the least time of the processor, which is neither work nor wait. Prefers
    runs whose whole wait is known: it is unknown if a host took the processor at the end.
    """

    def disturbance(times: Times) -> tuple[bool, int]:
        wall, thread, waited, _alone, whole = times
        return (whole is None, wall - thread - waited)

    return min((times_of(work) for _ in range(6)), key=disturbance)


def times_of(work: str) -> Times:
    """Returns what work took beside a program that never rests, on one processor for both."""
    with subprocess.Popen([sys.executable, "-c", BUSY], stdout=subprocess.PIPE) as busy:
        try:
            assert busy.stdout is not None
            busy.stdout.readline()
            command = [sys.executable, "-c", SCRIPT.format(work=work)]
            printed = subprocess.run(
                command, capture_output=True, text=True, check=True, env={"PYTHONPATH": str(RUNNER)}
            )
        finally:
            busy.kill()
    wall, thread, waited, *others = printed.stdout.split()
    alone, whole = [None if other == "None" else int(other) for other in others]
    return int(wall), int(thread), int(waited), alone, whole


def test_what_a_thread_takes_beside_its_wait_is_its_work() -> None:
    wall, thread, waited, alone, whole = least_disturbed("compute()")
    assert alone == waited
    assert whole is not None and whole >= waited
    assert waited > 0.3 * thread, "two programs share the processor"
    assert wall - waited == pytest.approx(thread, rel=0.05)


@pytest.mark.parametrize("work", ["compute_in_a_thread()", "compute_beside_a_process()", "compute(); time.sleep(0.2)"])
def test_no_wait_is_told_where_more_than_other_programs_may_be_its_reason(work: str) -> None:
    _wall, _thread, waited, alone, whole = times_of(work)
    assert waited > 0
    assert (alone, whole) == (None, None)


def test_the_wait_of_a_whole_process_is_without_that_of_an_import() -> None:
    imports = "wait.import_begins(); compute(); compute(); compute(); compute(); wait.import_ends()"
    _wall, _thread, waited, _alone, whole = least_disturbed(f"compute(); {imports}")
    assert whole is not None and 0 < whole < waited
    *_others, none = times_of("compute(); wait.import_begins()")
    assert none is None, "the import has failed: nobody knows what came behind it"
