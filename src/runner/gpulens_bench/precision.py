"""Sets the precision of a process, or says why it is not possible."""

from __future__ import annotations

from typing import Any

from .point import Point
from .work import Unsupported


def prepare(point: Point, device: Any) -> None:
    """Sets threads and the precision of matrix products for this process. Raises Unsupported."""
    import torch

    if point.threads is not None:
        torch.set_num_threads(point.threads)
    if device.type == "cuda" and not torch.cuda.is_available():
        raise Unsupported("PyTorch sees no CUDA device here.")
    if device.type == "mps" and not torch.backends.mps.is_available():
        raise Unsupported("PyTorch sees no MPS device here.")
    if device.type == "cuda" and device.index is not None:
        torch.cuda.set_device(device)
    _check(point.precision, device)
    # "highest" computes products of fp32 in fp32; "high" lets them use TF32.
    torch.set_float32_matmul_precision("high" if point.precision == "tf32" else "highest")
    torch.backends.cudnn.allow_tf32 = point.precision == "tf32"


def _check(precision: str | None, device: Any) -> None:
    import torch

    if precision == "tf32":
        if device.type != "cuda" or torch.cuda.get_device_capability(device) < (8, 0):
            raise Unsupported("TF32 needs a CUDA device of compute capability 8.0 or later.")
    if precision == "bf16" and device.type == "cuda" and not torch.cuda.is_bf16_supported():
        raise Unsupported("This GPU does not support bfloat16.")
