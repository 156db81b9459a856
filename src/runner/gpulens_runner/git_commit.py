"""The commit of a run's code."""

from __future__ import annotations

import re
import subprocess

_LIMIT_SECONDS = 5.0


def git_commit(folder: str) -> str | None:
    """Returns the commit of the folder's working tree; None if it has none, or git cannot tell."""
    try:
        asked = subprocess.run(
            ["git", "-C", folder, "rev-parse", "--verify", "HEAD"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_LIMIT_SECONDS,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    text = asked.stdout.decode("ascii", "replace").strip()
    return text if asked.returncode == 0 and re.fullmatch("[0-9a-f]{40,64}", text) else None
