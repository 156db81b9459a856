"""NVTX without a library: pushes ranges to any profiler that is named in the environment.

A program that is compiled with NVTX's headers loads the library in `NVTX_INJECTION64_PATH`, passes it a table of empty
function pointers to fill, and calls these functions. This module does the same, so that a PyTorch without CUDA has NVTX
too. The numbers are those of `nvtx3/nvtxDetail/nvtxTypes.h`, which are the same in every version.
"""

from __future__ import annotations

import ctypes
import functools
import os
import sys
from typing import Any, Callable

VARIABLE = "NVTX_INJECTION64_PATH"

_CALLBACKS_TABLE = 1
_VERSION_TABLE = 3
_CORE_MODULE = 1
_MODULE_SIZES = {1: 16, 2: 9, 3: 15, 4: 7, 5: 16, 6: 7}
"""Number of functions in each module; a library may refuse a program that lacks one."""
_RANGE_START, _RANGE_END, _RANGE_PUSH, _RANGE_POP = 5, 7, 9, 11

_GetModuleTable = ctypes.CFUNCTYPE(
    ctypes.c_int, ctypes.c_int, ctypes.POINTER(ctypes.c_void_p), ctypes.POINTER(ctypes.c_uint)
)
_SetVersion = ctypes.CFUNCTYPE(None, ctypes.c_uint32)
_GetExportTable = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_uint32)
_Push = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_char_p)
_Pop = ctypes.CFUNCTYPE(ctypes.c_int)
_Start = ctypes.CFUNCTYPE(ctypes.c_uint64, ctypes.c_char_p)
_End = ctypes.CFUNCTYPE(None, ctypes.c_uint64)


class _Callbacks(ctypes.Structure):
    _fields_ = (("struct_size", ctypes.c_size_t), ("get_module_table", _GetModuleTable))


class _VersionInfo(ctypes.Structure):
    _fields_ = (
        ("struct_size", ctypes.c_size_t),
        ("version", ctypes.c_uint32),
        ("reserved", ctypes.c_uint32),
        ("set_version", _SetVersion),
    )


class _Module:
    """The functions of one module: slots that the library fills, and the table of their addresses that it receives."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.slots = (ctypes.c_void_p * (size + 1))()
        first, step = ctypes.addressof(self.slots), ctypes.sizeof(ctypes.c_void_p)
        self.places = (ctypes.c_void_p * (size + 1))(
            *(None if at == 0 else first + at * step for at in range(size + 1))
        )


class Injection:
    """Pushes and pops ranges of the default domain in the profiler's library, and starts and ends ranges of the
    process."""

    def __init__(self, library: Any) -> None:
        """Passes the table to the library; raises OSError if the library refuses it."""
        modules = {module: _Module(size) for module, size in _MODULE_SIZES.items()}

        def get_module_table(module: int, table: Any, size: Any) -> int:
            known = modules.get(module)
            if known is None:
                return 0
            if table:
                table[0] = ctypes.addressof(known.places)
            if size:
                size[0] = known.size
            return 1

        callbacks = _Callbacks(ctypes.sizeof(_Callbacks), _GetModuleTable(get_module_table))
        version = _VersionInfo(ctypes.sizeof(_VersionInfo), 3, 0, _SetVersion(lambda _number: None))
        tables = {_CALLBACKS_TABLE: ctypes.addressof(callbacks), _VERSION_TABLE: ctypes.addressof(version)}
        get_export_table = _GetExportTable(lambda identifier: tables.get(identifier))
        # The library keeps pointers to all of these.
        self._kept = (library, modules, callbacks, version, get_export_table)
        slots = modules[_CORE_MODULE].slots
        is_taken = library.InitializeInjectionNvtx2(get_export_table) != 0
        if not is_taken or not slots[_RANGE_PUSH] or not slots[_RANGE_POP]:
            raise OSError("the profiler's library takes no NVTX ranges")
        push, pop = _Push(slots[_RANGE_PUSH] or 0), _Pop(slots[_RANGE_POP] or 0)
        self.push: Callable[[bytes], int] = push
        self.pop: Callable[[], int] = pop
        # A library without process ranges receives none.
        has_both = bool(slots[_RANGE_START] and slots[_RANGE_END])
        self.start: Callable[[bytes], int] = _Start(slots[_RANGE_START] or 0) if has_both else lambda _name: 0
        self.end: Callable[[int], None] = _End(slots[_RANGE_END] or 0) if has_both else lambda _identifier: None


@functools.lru_cache(maxsize=1)
def find_injection() -> Injection | None:
    """Returns the profiler's library named in the environment; None if no profiler expects NVTX.

    The library receives only one table per process.
    """
    path = os.environ.get(VARIABLE)
    if not path or sys.maxsize < 2**32:
        return None
    try:
        return Injection(ctypes.CDLL(path))
    except (OSError, AttributeError):
        return None
