"""The GPU graphs that are being captured: meanwhile nothing may be started, stopped or waited for on the GPU."""

from __future__ import annotations

import threading
import weakref
from typing import Any

_LESSER = {None: 0, "forward": 1, "infer": 2, "range": 3, "train": 4}
"""Kinds of steps, from a call that is the beginning of a step to whole ones."""


class _Capture:
    """A capture that is open, until its graph is gone."""

    def __init__(self, graph: Any) -> None:
        self.graph = weakref.ref(graph)
        self.thread = threading.get_ident()
        self.step: str | None = None


_open: list[_Capture] = []


def begins(graph: Any) -> None:
    """The capture of a graph begins in this thread."""
    _open.append(_Capture(graph))


def ends(graph: Any) -> str | None:
    """The capture of a graph is over; returns the kind of step that a replay of it is, or None."""
    for capture in list(_open):
        if capture.graph() is graph:
            _open.remove(capture)
            return capture.step
    return None


def is_capturing() -> bool:
    """Returns whether a capture is open, in any thread: CUDA then refuses to wait for the GPU, and drops the capture
    for having been asked."""
    if _open:
        # A capture that failed in between may never be ended; it ends with its graph.
        _open[:] = [capture for capture in _open if capture.graph() is not None]
    return bool(_open)


def holds_step(what: str) -> None:
    """A step has ended while this thread captured it: it did not run, and each replay of the graph is such a step.

    The larger one counts: a step of training for more than the call of a model in it.
    """
    for capture in _open:
        if capture.thread == threading.get_ident() and _LESSER.get(what, 0) > _LESSER[capture.step]:
            capture.step = what


def forget() -> None:
    """A forked process has no captures."""
    _open.clear()
