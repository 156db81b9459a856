"""Where a process's id counts: two nodes of a job, or two containers, may give the same one."""

from __future__ import annotations

import functools
import hashlib
import os
import platform


@functools.cache
def host_id() -> str:
    """Returns what all processes have in common that know each other by their ids; the machine's name is not in it."""
    parts = [platform.node(), _boot_id(), _pid_namespace()]
    return hashlib.sha256("\0".join(parts).encode("utf-8", "backslashreplace")).hexdigest()[:16]


def _boot_id() -> str:
    """Returns what Linux drew when it started: with it nobody finds the machine's name by trying."""
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
