"""Describes a failure at a point, as a word for programs and a sentence for people."""

from __future__ import annotations

import re

from .work import CommandFailed, NoStep, Unsupported

_OUT_OF_MEMORY = re.compile(r"out of memory|can't allocate memory|not enough memory|std::bad_alloc", re.IGNORECASE)
_LACKING = (
    (
        re.compile(r"No working C\+\+ compiler|Failed to find C compiler"),
        "torch.compile found no C++ compiler: install one, such as g++, or name it in CXX.",
    ),
    (re.compile(r"working triton installation", re.IGNORECASE), "torch.compile needs Triton here, and found none."),
)
"""Errors of torch.compile about missing requirements, and the messages to show instead."""


def describe(error: BaseException) -> tuple[str, str]:
    """Returns the kind (`oom`, `unsupported`, `no-step`, `crash`) and one line."""
    text = " ".join(str(error).split())
    if isinstance(error, Unsupported):
        return "unsupported", text
    if isinstance(error, NoStep):
        return "no-step", text
    for pattern, sentence in _LACKING:
        if pattern.search(text):
            return "unsupported", sentence
    if isinstance(error, CommandFailed):
        return "crash", text[:300]
    if isinstance(error, MemoryError) or type(error).__name__ == "OutOfMemoryError" or is_out_of_memory(text):
        return "oom", (text or "Memory ran out.")[:300]
    return "crash", f"{type(error).__name__}: {text}"[:300]


def is_out_of_memory(text: str) -> bool:
    """Returns whether a program's last output says that it ran out of memory."""
    return _OUT_OF_MEMORY.search(text) is not None
