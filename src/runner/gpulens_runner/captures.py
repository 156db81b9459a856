"""The GPU graph that is being captured, if any: meanwhile nothing may be started, stopped or waited for on the GPU."""

from __future__ import annotations

_open: list[str | None] = []
"""For each capture that is open, the kind of step that has ended in it."""


def begins() -> None:
    """A capture begins."""
    _open.append(None)


def ends() -> str | None:
    """The innermost capture ends; returns the kind of step that a replay of its graph is, or None."""
    return _open.pop() if _open else None


def is_capturing() -> bool:
    """Returns whether a capture is open, in any thread: CUDA then refuses to wait for the GPU, and drops the capture
    for having been asked."""
    return bool(_open)


def holds_step(what: str) -> None:
    """A step has ended while it was captured: it did not run, and each replay of the graph is such a step.

    A step of training counts for more than the call of a model in it. A call that only begins a step does not count.
    """
    if _open and _open[-1] != "train" and what != "forward":
        _open[-1] = what


def forget() -> None:
    """A forked process has no captures."""
    _open.clear()
