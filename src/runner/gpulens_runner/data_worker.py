"""Processes that only load data for another process."""

from __future__ import annotations

import sys


def is_data_worker() -> bool:
    """Returns whether this process is a worker of a data loader."""
    data = sys.modules.get("torch.utils.data")
    return data is not None and data.get_worker_info() is not None
