"""The function below its decorators, and the module below its wrappers."""

from __future__ import annotations

from types import CodeType
from typing import Any

_MOST_DECORATORS = 16
WRAPPERS = ("DistributedDataParallel", "DataParallel", "OptimizedModule", "FullyShardedDataParallel")
WRAPPED = ("module", "_orig_mod", "_fsdp_wrapped_module", "_checkpoint_wrapped_module")
"""Attributes under which wrappers hold what they wrap."""


def unwrapped_code(function: Any) -> CodeType | None:
    """Returns the code of the function that decorators have wrapped; None where it is not written in Python."""
    # An object may claim to be wrapped without end.
    for _ in range(_MOST_DECORATORS):
        function = getattr(function, "__wrapped__", function)
    code = getattr(function, "__code__", None)
    return code if isinstance(code, CodeType) else None


def unwrapped_module(module: Any) -> Any:
    """Returns the person's own module that wrappers of torch's hold."""
    inner = module
    while type(inner).__name__ in WRAPPERS:
        held = [child for name in WRAPPED if (child := inner._modules.get(name)) is not None]
        if not held:
            break
        inner = held[0]
    return inner
