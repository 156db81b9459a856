"""How long a thread waited for a processor while other programs had it, as Linux counts it."""

from __future__ import annotations

import os
import threading
import time

#: Of the rest of a span: what other threads or waiting for anything but a processor may take of it.
MOST_ELSE = 0.05
MOST_READINGS = 20
#: What the process of a program that uses a GPU has in its memory: drivers, and the files of devices.
GPU_PARTS = ("libcuda.so", "/dev/nvidia", "/dev/kfd", "/dev/dri")


class Moment:
    """What the clocks of this thread and of its process show now."""

    def __init__(self) -> None:
        self.thread = threading.get_ident()
        self.has_children = _has_children()
        self.ended_children_s = _ended_children_s()
        for _ in range(MOST_READINGS):
            before_ns = _waited_ns()
            self.wall_ns = time.perf_counter_ns()
            self.thread_ns = time.thread_time_ns()
            self.process_ns = time.process_time_ns()
            self.waited_ns = _waited_ns()
            # A wait between two of these readings would be in one of them alone.
            if self.waited_ns == before_ns:
                break


def waited_ns(begin: Moment, end: Moment) -> int | None:
    """Returns how long the thread waited for a processor between two moments of it; None where that cannot be told."""
    if begin.thread != end.thread or begin.waited_ns is None or end.waited_ns is None:
        return None
    return end.waited_ns - begin.waited_ns


def waited_alone_ns(begin: Moment, end: Moment) -> int | None:
    """Returns the same if the thread did nothing but compute, and nothing else of the program did; otherwise None.

    Only then other programs alone are the reason why it waited, and its time without the wait is the time that it takes
    on a machine that has nothing else to do.
    """
    waited = waited_ns(begin, end)
    if waited is None or begin.has_children is not False or end.has_children is not False:
        return None
    if end.ended_children_s > begin.ended_children_s:
        return None
    rest_ns = end.wall_ns - begin.wall_ns - waited
    thread_ns = end.thread_ns - begin.thread_ns
    of_others_ns = end.process_ns - begin.process_ns - thread_ns
    is_alone = of_others_ns <= MOST_ELSE * rest_ns and rest_ns - thread_ns <= MOST_ELSE * rest_ns
    return waited if is_alone else None


class WholeWait:
    """The waits of a whole process until now, without those of the import that is left out of its time.

    It is made with the interpreter, which until then has done nothing but start.

    A program that may use a GPU tells none: the GPU works on while a thread waits for a processor.
    """

    def __init__(self) -> None:
        self._spans: list[tuple[Moment, Moment]] = []
        self._began: Moment | None = Moment()
        self._start_ns = self._began.waited_ns or 0

    def import_begins(self) -> None:
        """Ends what is measured, until the import has ended; for good where it fails."""
        if self._began is not None:
            self._spans.append((self._began, Moment()))
        self._began = None

    def import_ends(self) -> None:
        """Goes on."""
        self._began = Moment()

    def to_json(self) -> int | None:
        """Returns the waits until now, in ns; None where they are not known, or may have another reason."""
        if self._began is None or _may_use_gpu():
            return None
        waits = [waited_alone_ns(*span) for span in [*self._spans, (self._began, Moment())]]
        known = [wait for wait in waits if wait is not None]
        return self._start_ns + sum(known) if len(known) == len(waits) else None


def _may_use_gpu() -> bool:
    maps = _text("/proc/self/maps")
    return maps is None or any(part in maps for part in GPU_PARTS)


def _ended_children_s() -> float:
    times = os.times()
    return times.children_user + times.children_system


def _waited_ns() -> int | None:
    text = _text("/proc/thread-self/schedstat")
    fields = text.split() if text is not None else []
    return int(fields[1]) if len(fields) == 3 else None


def _has_children() -> bool | None:
    """Returns whether a process of this one's runs; None where the system does not tell."""
    try:
        threads = os.listdir("/proc/self/task")
    except OSError:
        return None
    found = [_text(f"/proc/self/task/{thread}/children") for thread in threads]
    return None if None in found else any(found)


def _text(path: str) -> str | None:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()
    except OSError:
        return None
