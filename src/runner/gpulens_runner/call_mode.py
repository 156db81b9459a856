"""Torch's function mode that tells a thread's lines of each function of torch that Python calls."""

from __future__ import annotations

import sys
from typing import Any, Callable

import torch
from torch.overrides import TorchFunctionMode

from .line_pass import is_profilers

_NO_WORK = frozenset(
    "__get__ size stride dim numel element_size data_ptr storage_offset is_contiguous is_floating_point is_complex "
    "view view_as transpose permute unsqueeze squeeze expand expand_as split chunk unbind narrow select movedim "
    "swapaxes t detach requires_grad_ retain_grad register_hook __len__ __repr__ __hash__".split()
)
"""Functions that read a tensor's properties, or view its data in another way: their lines are not informative."""


class CallMode(TorchFunctionMode):
    """Receives every torch function that Python calls in the threads where it is put."""

    def __init__(self, call: Callable[[Any, Any, Any, Any], Any]) -> None:
        """
        Args:
            call: calls a function with its positional and keyword arguments for the frame that it is given.
        """
        super().__init__()
        self._call = call

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        """Calls a function: torch's protocol for modes."""
        # Attributes and views of a tensor are no work, and ranges that the profiler opens have their own lines.
        name = getattr(func, "__name__", "")
        if name in _NO_WORK or is_profilers(name):
            return func(*args, **(kwargs or {}))
        return self._call(func, args, kwargs or {}, sys._getframe(1))

    def put_below(self) -> None:
        """Puts this mode below the modes of this thread's script, which are left from the top; those of default
        devices, which torch keeps at the bottom and leaves from there, stay below it."""
        if torch._C._len_torch_function_stack() == 0:
            torch._C._push_on_torch_function_stack(self)
            return
        modes = _modes()
        if not any(one is self for one in modes):
            lowest = _devices_of(modes)
            _replace([*modes[:lowest], self, *modes[lowest:]])

    def remove(self) -> None:
        """Removes this mode from those of this thread, if it is among them."""
        count = torch._C._len_torch_function_stack()
        if count <= 1:
            if count == 1 and torch._C._get_function_stack_at(0) is self:
                torch._C._pop_torch_function_stack()
            return
        modes = _modes()
        if any(one is self for one in modes):
            _replace([one for one in modes if one is not self])


def _devices_of(modes: list[Any]) -> int:
    """Returns how many modes torch keeps at the bottom; an older torch puts those of devices on top, as any other."""
    devices = sys.modules.get("torch.utils._device")
    cls = getattr(devices, "DeviceContext", None) if hasattr(devices, "_push_mode") else None
    if cls is None:
        return 0
    return next((at for at, one in enumerate(modes) if not isinstance(one, cls)), len(modes))


def _modes() -> list[Any]:
    return [torch._C._get_function_stack_at(at) for at in range(torch._C._len_torch_function_stack())]


def _replace(modes: list[Any]) -> None:
    while torch._C._len_torch_function_stack() > 0:
        torch._C._pop_torch_function_stack()
    for one in modes:
        torch._C._push_on_torch_function_stack(one)
