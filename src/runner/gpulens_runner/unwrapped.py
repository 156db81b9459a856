"""The function below its decorators."""

from __future__ import annotations

from types import CodeType
from typing import Any

_MOST_DECORATORS = 16


def unwrapped_code(function: Any) -> CodeType | None:
    """Returns the code of the function that decorators have wrapped; None where it is not written in Python."""
    # An object may claim to be wrapped without end.
    for _ in range(_MOST_DECORATORS):
        function = getattr(function, "__wrapped__", function)
    code = getattr(function, "__code__", None)
    return code if isinstance(code, CodeType) else None
