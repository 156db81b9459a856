"""The names of a run's files."""

from __future__ import annotations

import os
import sys

from .config import Config
from .ranks import rank_and_world


def free_path(config: Config, ending: str) -> str:
    """Returns an unused path in the run's folder for a file other than a trace: `train.rank3.memory.pickle`.

    Raises OSError if the folder cannot be made.
    """
    os.makedirs(config.out, 0o700, exist_ok=True)
    rank, _ = rank_and_world()
    name = (config.name or script_name()) + ("" if rank is None else f".rank{rank}")
    path = os.path.join(config.out, f"{name}.{ending}")
    number = 1
    while os.path.exists(path):
        path = os.path.join(
            config.out, f"{name}.pid{os.getpid()}" + (f"-{number}" if number > 1 else "") + f".{ending}"
        )
        number += 1
    return path


def script_name() -> str:
    """Returns the display name of the program: its file without ending, or its package."""
    path = sys.argv[0] if sys.argv else ""
    stem = os.path.splitext(os.path.basename(path))[0]
    if stem == "__main__":
        stem = os.path.basename(os.path.dirname(os.path.abspath(path)))
    return "python" if stem in ("", "-c", "-m", "-") else stem
