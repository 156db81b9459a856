"""How long a thread waited for a processor while other programs used it, as counted by Linux."""

from __future__ import annotations

import os
import threading
import time

#: The most of the rest of a span that other threads, or waiting for anything but a processor, may take.
MOST_ELSE = 0.05
MOST_READINGS = 20
#: Files in the memory map of a process that uses a GPU: drivers, and device files.
GPU_PARTS = ("libcuda.so", "/dev/nvidia", "/dev/kfd", "/dev/dri")


class Moment:
    """The present readings of this thread's and its process's clocks."""

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
            # A wait between two of these readings would be counted in only one of them.
            if self.waited_ns == before_ns:
                break


def waited_ns(begin: Moment, end: Moment) -> int | None:
    """Returns how long the thread waited for a processor between two of its moments; None if that is unknown."""
    if begin.thread != end.thread or begin.waited_ns is None or end.waited_ns is None:
        return None
    return end.waited_ns - begin.waited_ns


def waited_alone_ns(begin: Moment, end: Moment) -> int | None:
    """Returns the same if the thread did nothing but compute and nothing else of the program ran; otherwise None.

    Only then were other programs the only reason for its wait, and its time without the wait is its time on an
    otherwise idle machine.
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
    """The waits of a whole process so far, without those during the import, which its time excludes.

    It is created when the interpreter starts.

    It has no result for a program that may use a GPU, because the GPU continues while a thread waits for a processor.
    """

    def __init__(self) -> None:
        self._spans: list[tuple[Moment, Moment]] = []
        self._began: Moment | None = Moment()
        self._start_ns = self._began.waited_ns or 0

    def import_begins(self) -> None:
        """Pauses the measurement until the import has ended; for good if the import fails."""
        if self._began is not None:
            self._spans.append((self._began, Moment()))
        self._began = None

    def import_ends(self) -> None:
        """Resumes the measurement."""
        self._began = Moment()

    def to_json(self) -> int | None:
        """Returns the waits so far, in ns; None if they are unknown, or may have another reason."""
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
    """Returns whether this process has running children; None if the system does not tell."""
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
