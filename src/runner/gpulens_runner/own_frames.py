"""Removes the recorder's own calls from the Python stacks of a trace."""

from __future__ import annotations

import re

_CALL = re.compile(
    rb'  \{\s*"ph": "X",\s*"cat": "python_function",\s*"name": "([^\n]*)",\s*"pid"[^{}]*'
    rb'"args": \{[^{}]*"Python parent id": (null|\d+), "Python id": (\d+)[^{}]*\}\s*\},?\n'
)
"""One call of a Python function, as Kineto writes it."""
_OURS = re.compile(rb"(?:^|[/\\])gpulens_runner[/\\]\w+\.py\(\d+\): ")
_PYTHONS = re.compile(rb"<(?:built-in|frozen (?!importlib))")
"""Python's own functions. A user's module may be imported inside one of our calls, so importlib stays."""
_CALLS_THE_PERSONS = (b": __torch_function__", b": call")
"""Our functions that call the user's code."""
END_OF_EVENT = b"  },\n"
"""A part of the text must end with this, so that no call is split."""


class OwnFrames:
    """Removes our calls, and Python's own functions that they call; their other callees keep their place in time."""

    def __init__(self) -> None:
        self._helpers: set[bytes] = set()

    def without(self, text: bytes) -> bytes:
        """Returns the next part of a trace's JSON, which must end with an event, without our calls."""
        return _CALL.sub(self._kept, text)

    def _kept(self, call: re.Match[bytes]) -> bytes:
        name, parent, identifier = call.groups()
        is_ours = _OURS.search(name) is not None
        if not is_ours and not (parent in self._helpers and _PYTHONS.match(name)):
            return call[0]
        if not (is_ours and name.endswith(_CALLS_THE_PERSONS)):
            self._helpers.add(identifier)
        return b""
