"""Names for parts of the reference model.

A tag costs microseconds, and a small model has hundreds of them: they are opened only while a profile is recorded, so
that measurements contain only the model.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from contextlib import AbstractContextManager
from typing import Any

import torch

_RECORDERS = ("GPULENS_CONFIG", "NSYS_PROFILING_SESSION_ID")
"""Variables that a recorder sets in the processes that it records."""


class Tags:
    """Whether tags are opened in this process."""

    are_open = any(name in os.environ for name in _RECORDERS)


def tag(name: str) -> AbstractContextManager[Any]:
    """Returns a context that opens a range of this name, for PyTorch's profiler and (with a GPU) for Nsight Systems."""
    if not Tags.are_open or torch.compiler.is_compiling():
        return contextlib.nullcontext()
    return _both(name)


@contextlib.contextmanager
def _both(name: str) -> Iterator[None]:
    has_nvtx = torch.cuda.is_available()
    with torch.profiler.record_function(name), torch.cuda.nvtx.range(name) if has_nvtx else contextlib.nullcontext():
        yield
