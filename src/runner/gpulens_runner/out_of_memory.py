"""Whether the system has killed processes because memory ran out."""

from __future__ import annotations

import os

_ROOT = "/sys/fs/cgroup"


def kills_for_memory() -> int:
    """Returns how many processes of this control group have been killed so far; 0 if the system does not tell."""
    for path in _counter_files():
        try:
            with open(path, encoding="utf-8") as file:
                counts = dict(line.split() for line in file)
            return int(counts["oom_kill"])
        except (OSError, ValueError, KeyError):
            continue
    return 0


def _counter_files() -> list[str]:
    """Returns the possible counter files: this group's, and the root's, for a container that cannot see its own
    path."""
    try:
        with open("/proc/self/cgroup", encoding="utf-8") as file:
            groups = [line.rstrip("\n").split(":", 2) for line in file]
    except OSError:
        return []
    found = []
    for _, controllers, path in groups:
        for inside in (path.lstrip("/"), ""):
            if controllers == "":
                found.append(os.path.join(_ROOT, inside, "memory.events"))
            elif "memory" in controllers.split(","):
                found.append(os.path.join(_ROOT, "memory", inside, "memory.oom_control"))
    return found
