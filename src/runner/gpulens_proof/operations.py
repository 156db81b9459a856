"""Counts floating-point operations of matrix products, convolutions and attention by their data type."""

from __future__ import annotations

from typing import Any

import torch
from torch.utils._python_dispatch import TorchDispatchMode


class Operations:
    """Counts from the import of torch on, in the thread that imported it and in the backward passes that it starts."""

    def __init__(self) -> None:
        self.flops: dict[str, int] | None = None
        try:
            from torch.utils.flop_counter import flop_registry

            mode = _Counting(flop_registry)
            mode.__enter__()
        except (ImportError, AttributeError, RuntimeError):
            self._mode = None
            return
        self._mode = mode
        self.flops = mode.flops

    def stop(self) -> None:
        """Stops counting."""
        mode, self._mode = self._mode, None
        if mode is not None:
            try:
                mode.__exit__(None, None, None)
            except (AssertionError, IndexError, RuntimeError):
                pass  # The script has left modes of its own behind; the process ends anyway.


class _Counting(TorchDispatchMode):
    def __init__(self, registry: Any) -> None:
        super().__init__()
        self._registry = registry
        self.flops: dict[str, int] = {}

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        result = func(*args, **(kwargs or {}))
        formula = self._registry.get(func._overloadpacket)
        if formula is not None:
            dtype = next((str(one.dtype) for one in args if isinstance(one, torch.Tensor)), "")
            flops = formula(*args, **(kwargs or {}), out_val=result)
            self.flops[dtype] = self.flops.get(dtype, 0) + int(flops)
        return result
