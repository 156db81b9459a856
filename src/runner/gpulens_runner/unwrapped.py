"""Returns functions without their decorators, and modules without their wrappers."""

from __future__ import annotations

from types import CodeType
from typing import Any

_MOST_DECORATORS = 16
WRAPPERS = ("DistributedDataParallel", "DataParallel", "OptimizedModule", "FullyShardedDataParallel")
WRAPPED = ("module", "_orig_mod", "_fsdp_wrapped_module", "_checkpoint_wrapped_module")
"""Attributes in which wrappers hold the wrapped object."""


def unwrapped_code(function: Any) -> CodeType | None:
    """Returns the code of a function below its decorators; None if it is not written in Python."""
    # An object may claim to be wrapped without end.
    for _ in range(_MOST_DECORATORS):
        function = getattr(function, "__wrapped__", function)
    code = getattr(function, "__code__", None)
    return code if isinstance(code, CodeType) else None


def unwrapped_module(module: Any) -> Any:
    """Returns the user's own module inside torch's wrappers."""
    inner = module
    while type(inner).__name__ in WRAPPERS:
        held = [child for name in WRAPPED if (child := inner._modules.get(name)) is not None]
        if not held:
            break
        inner = held[0]
    return inner
