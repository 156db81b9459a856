"""Which process of a distributed job this is."""

from __future__ import annotations

import os
import sys


def rank_and_world() -> tuple[int | None, int | None]:
    """Returns this process's rank and the number of ranks, None each where the job is not distributed.

    torch knows them even where the environment does not: processes started by `torch.multiprocessing`.
    """
    distributed = sys.modules.get("torch.distributed")
    try:
        if distributed is not None and distributed.is_available() and distributed.is_initialized():
            return int(distributed.get_rank()), int(distributed.get_world_size())
    except (AttributeError, RuntimeError, ValueError):
        pass
    return _number("RANK"), _number("WORLD_SIZE")


def _number(variable: str) -> int | None:
    text = os.environ.get(variable, "")
    return int(text) if text.isascii() and text.isdigit() else None
