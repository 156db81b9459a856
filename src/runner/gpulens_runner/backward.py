"""Whether backward is under way in this thread."""

from __future__ import annotations

import torch


def is_in_backward() -> bool:
    """Tells whether autograd calls this code: it puts back the thread's state afterwards, and with it a profiler that
    was stopped meanwhile, so that none could be started any more."""
    task = getattr(torch._C, "_current_graph_task_id", None)
    return task is not None and task() != -1
