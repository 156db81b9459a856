"""The names of a run's files."""

from __future__ import annotations

import os
import sys
from typing import BinaryIO

from .config import Config
from .ranks import rank_and_world

PARTIAL_END = ".tmp"
"""Ends the name of a file that is being written."""


def claim_path(config: Config, ending: str) -> tuple[str, BinaryIO]:
    """Returns an unused path in the run's folder for a file other than a trace, `train.rank3.memory.pickle`, and the
    file `PATH.tmp` to write: no other process has the same one.

    Raises OSError if they cannot be made.
    """
    while True:
        path = _free_path(config, ending)
        try:
            file = open(path + PARTIAL_END, "xb")
        except FileExistsError:
            continue
        # Another process may have finished it since it was unused.
        if not os.path.exists(path):
            return path, file
        file.close()
        os.remove(path + PARTIAL_END)


def _free_path(config: Config, ending: str) -> str:
    os.makedirs(config.out, 0o700, exist_ok=True)
    rank, _ = rank_and_world()
    name = (config.name or script_name()) + ("" if rank is None else f".rank{rank}")
    path = os.path.join(config.out, f"{name}.{ending}")
    number = 1
    while os.path.exists(path) or os.path.exists(path + PARTIAL_END):
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
