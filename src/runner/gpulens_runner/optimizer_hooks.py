"""Hooks into optimizers: determines which of their steps ends a step of the script."""

from __future__ import annotations

from typing import Any

import torch
from torch.optim import optimizer as optimizers

from .backward import AfterBackward, is_in_backward
from .optimizer_cycle import OptimizerCycle
from .session import Session


class OptimizerHooks:
    """Reports training steps to the session.

    A step ends when torch's range around `Optimizer.step` closes, not in the hook after a step, which runs inside that
    range. With a GradScaler, it ends with the scaler's step, even if that skips the optimizer. If hooks step optimizers
    during backward, one for each parameter, it ends with backward.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self._cycle = OptimizerCycle()
        self._ends_step = False
        self._in_scaler = 0
        self._steps = 0
        self._after_backward = AfterBackward(lambda: session.step_ends("train"))
        self._knows_optimizers = hasattr(optimizers, "register_optimizer_step_post_hook")

    def install(self) -> None:
        """Hooks all optimizers, present and future."""
        if self._knows_optimizers:
            optimizers.register_optimizer_step_post_hook(self._after_step)
        for scaler in _scalers():
            self._hook_scaler(scaler)

    def forget(self) -> None:
        """Steps are counted anew: optimizers of an earlier recording, or of the parent process, may step no more."""
        self._cycle = OptimizerCycle()
        self._ends_step = False

    def range_closes(self) -> None:
        """The range round an optimizer's step has been closed."""
        if not self._in_scaler and (self._ends_step or not self._knows_optimizers):
            self._ends_step = False
            if is_in_backward():
                self._after_backward.wait()
            else:
                self._session.step_ends("train")

    def _after_step(self, optimizer: Any, _args: Any, _kwargs: Any) -> None:
        self._steps += 1
        if self._cycle.steps(id(optimizer)):
            self._ends_step = True

    def _hook_scaler(self, cls: Any) -> None:
        real_step = cls.step

        def step(scaler: Any, optimizer: Any, *args: Any, **kwargs: Any) -> Any:
            before = self._steps
            self._in_scaler += 1
            try:
                result = real_step(scaler, optimizer, *args, **kwargs)
            finally:
                self._in_scaler -= 1
            if self._session.is_active:
                if self._steps == before:
                    self._after_step(optimizer, None, None)
                self.range_closes()
            return result

        cls.step = step


def _scalers() -> list[Any]:
    """Returns the classes that step optimizers for half precision: one or two, depending on the version."""
    found: list[Any] = []
    for package in (torch.amp, torch.cuda.amp):
        scaler = getattr(getattr(package, "grad_scaler", None), "GradScaler", None)
        if scaler is not None and "step" in vars(scaler):
            found.append(scaler)
    return list(dict.fromkeys(found))
