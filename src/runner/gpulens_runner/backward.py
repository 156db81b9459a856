"""Whether backward is running in this thread, and a callback at its end."""

from __future__ import annotations

from typing import Any, Callable

import torch

ENGINE = "_engine_run_backward"
"""The function of the module torch.autograd that `backward` and `grad` call."""


def is_in_backward() -> bool:
    """Returns whether autograd calls this code. Afterwards autograd restores the thread's state, including a profiler
    that was stopped meanwhile, so that none could be started any more."""
    task = getattr(torch._C, "_current_graph_task_id", None)
    return task is not None and task() != -1


class AfterBackward:
    """Calls a function after backward has ended; backward may have run in another thread."""

    def __init__(self, ended: Callable[[], None]) -> None:
        """`ended` must not raise."""
        self._ended = ended
        self._is_hooked = False
        self._is_awaited = False

    def wait(self) -> None:
        """Calls the function when the current backward ends; if this is the first wait, when the next one ends."""
        self._is_awaited = True
        # Scripts that never wait pay nothing.
        if not self._is_hooked:
            self._is_hooked = True
            self._hook()

    def _hook(self) -> None:
        run: Any = getattr(torch.autograd, ENGINE, None)
        if run is None:
            return

        def hooked(*args: Any, **options: Any) -> Any:
            result = run(*args, **options)
            # Backward may run inside backward, for example where activations are recomputed.
            if self._is_awaited and not is_in_backward():
                self._is_awaited = False
                self._ended()
            return result

        setattr(torch.autograd, ENGINE, hooked)
