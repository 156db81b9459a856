"""The innermost loop around a frame's current instruction: a statement, or a comprehension."""

from __future__ import annotations

import itertools
import sys
from types import FrameType

from .source_files import SourceFile

_COMPREHENSIONS = ("<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>")
"""The names of a comprehension's code if it has a frame of its own: since Python 3.12 only generators do."""


def loop_of_frame(frame: FrameType, source: SourceFile | None) -> int | None:
    """Returns the line of the innermost loop of a frame's function around its current instruction; None outside of
    loops."""
    code = frame.f_code
    if code.co_name in _COMPREHENSIONS:
        return code.co_firstlineno
    if source is None:
        return None
    line = _inlined(frame, source)
    if line is None:
        line = source.loop_of(frame.f_lineno)
    # A loop around the function's definition is not the loop that calls it.
    return line if line is not None and line >= code.co_firstlineno else None


def _inlined(frame: FrameType, source: SourceFile) -> int | None:
    """Returns the line of the function's own comprehension whose element the frame is evaluating."""
    if sys.version_info < (3, 12) or frame.f_code.co_name == "<lambda>":
        return None
    # An instruction takes two bytes.
    at = next(itertools.islice(frame.f_code.co_positions(), frame.f_lasti // 2, None), None)
    if at is None or at[0] is None or at[2] is None:
        return None
    return source.comprehension_of(at[0], at[2])
