"""Whether backward is under way in this thread, and being told when it has ended."""

from __future__ import annotations

from typing import Any, Callable

import torch

ENGINE = "_engine_run_backward"
"""What `backward` and `grad` call, of the module torch.autograd."""


def is_in_backward() -> bool:
    """Tells whether autograd calls this code: it puts back the thread's state afterwards, and with it a profiler that
    was stopped meanwhile, so that none could be started any more."""
    task = getattr(torch._C, "_current_graph_task_id", None)
    return task is not None and task() != -1


class AfterBackward:
    """Calls a function once backward has ended, which may have run in another thread."""

    def __init__(self, ended: Callable[[], None]) -> None:
        """`ended` must not raise."""
        self._ended = ended
        self._is_hooked = False
        self._is_awaited = False

    def wait(self) -> None:
        """Has the function called when the backward that is under way ends: where it is the first, the next one."""
        self._is_awaited = True
        # Scripts that never ask pay nothing.
        if not self._is_hooked:
            self._is_hooked = True
            self._hook()

    def _hook(self) -> None:
        run: Any = getattr(torch.autograd, ENGINE, None)
        if run is None:
            return

        def hooked(*args: Any, **options: Any) -> Any:
            result = run(*args, **options)
            # Backward may run inside of backward, as it does where activations are computed anew.
            if self._is_awaited and not is_in_backward():
                self._is_awaited = False
                self._ended()
            return result

        setattr(torch.autograd, ENGINE, hooked)
