"""The rank of this process in a distributed job."""

from __future__ import annotations

import os
import sys


def rank_and_world() -> tuple[int | None, int | None]:
    """Returns this process's rank and the number of ranks; both None if the job is not distributed.

    torch knows them even if the environment does not: processes started by `torch.multiprocessing`.
    """
    distributed = sys.modules.get("torch.distributed")
    try:
        if distributed is not None and distributed.is_available() and distributed.is_initialized():
            return int(distributed.get_rank()), int(distributed.get_world_size())
    except (AttributeError, RuntimeError, ValueError):
        pass
    rank, world = _number("RANK"), _number("WORLD_SIZE")
    if rank is None and world is None:
        return _rank_of_launcher()
    return rank, world


_LAUNCHERS = (
    # Of a step that srun has started: a batch script is also a task of a job, but not a rank.
    ("SLURM_PROCID", "SLURM_STEP_NUM_TASKS"),
    ("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"),
)


def _rank_of_launcher() -> tuple[int | None, int | None]:
    """Returns the values that launchers without knowledge of torch set; a single process is not a job."""
    for rank_variable, world_variable in _LAUNCHERS:
        rank, world = _number(rank_variable), _number(world_variable)
        if rank is not None and world is not None and rank < world and world > 1:
            return rank, world
    return None, None


def _number(variable: str) -> int | None:
    text = os.environ.get(variable, "")
    return int(text) if text.isascii() and text.isdigit() else None
