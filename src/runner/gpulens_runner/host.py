"""The scope of a process id: two nodes of a job, or two containers, may use the same one."""

from __future__ import annotations

import functools
import hashlib
import os
import platform


@functools.cache
def host_id() -> str:
    """Returns an id shared by all processes that see each other's process ids; it does not contain the machine's
    name."""
    parts = [platform.node(), _boot_id(), _pid_namespace()]
    return hashlib.sha256("\0".join(parts).encode("utf-8", "backslashreplace")).hexdigest()[:16]


def _boot_id() -> str:
    """Returns Linux's random boot id, which prevents finding the machine's name by trial."""
    try:
        with open("/proc/sys/kernel/random/boot_id", encoding="ascii") as file:
            return file.read().strip()
    except (OSError, ValueError):
        return ""


def _pid_namespace() -> str:
    try:
        return os.readlink("/proc/self/ns/pid")
    except OSError:
        return ""
