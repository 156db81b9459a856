"""Queries a process on Windows, where `os.kill` would end or interrupt it."""

from __future__ import annotations

import ctypes
from typing import Any

_SYNCHRONIZE = 0x0010_0000
_WAIT_TIMEOUT = 0x102
_ERROR_ACCESS_DENIED = 5


def is_running(pid: int) -> bool:
    """Returns whether a process runs.

    See `OpenProcess` and `WaitForSingleObject` in the documentation of the Windows API: a process is signalled when it
    has ended.
    """
    # They exist only on Windows.
    windows: Any = ctypes
    kernel = windows.WinDLL("kernel32", use_last_error=True)
    kernel.OpenProcess.restype = ctypes.c_void_p
    kernel.WaitForSingleObject.argtypes = [ctypes.c_void_p, ctypes.c_uint32]
    kernel.CloseHandle.argtypes = [ctypes.c_void_p]
    handle = kernel.OpenProcess(_SYNCHRONIZE, False, pid)
    if not handle:
        return bool(windows.get_last_error() == _ERROR_ACCESS_DENIED)
    try:
        return bool(kernel.WaitForSingleObject(handle, 0) == _WAIT_TIMEOUT)
    finally:
        kernel.CloseHandle(handle)
