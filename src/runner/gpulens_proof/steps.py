"""The clock of a timed run: how long its steps took, from the end of the warm-up to the end of the last step."""

from __future__ import annotations

from typing import Any, Callable

import torch
from torch.optim import optimizer as optimizers

from gpulens_runner.devices import device_name, synchronize
from gpulens_runner.optimizer_cycle import OptimizerCycle

from .processor_wait import Moment, waited_alone_ns, waited_ns
from .request import Request
from .surroundings import Surroundings


class TimedSteps:
    """Counts the steps of one kind, and waits for the device twice: when the clock starts, and when it stops.

    Waiting at each step would hide the gain of a change that waits less.
    """

    def __init__(self, request: Request, surroundings: Surroundings) -> None:
        self._request = request
        self._count = 0
        self._began: Moment | None = None
        self._ended: Moment | None = None
        hook_profiler(surroundings)
        hooks = {"train": on_optimizer_step, "backward": on_backward, "infer": on_outer_call}
        if request.kind in hooks:
            hooks[request.kind](self._step_ends)

    def to_json(self, exit_ns: int) -> dict[str, Any]:
        """Returns the count of steps, and the time of the timed ones and of the rest after them, in ns.

        `waitedNs` is the part of `stepsNs` in which the script only waited for a processor that other programs used.
        """
        began, ended = self._began, self._ended
        device = device_name()
        is_timed = began is not None and ended is not None
        return {
            "count": self._count,
            "stepsNs": ended.wall_ns - began.wall_ns if is_timed else None,
            "waitedNs": waited_alone_ns(began, ended) if is_timed and device == "cpu" else None,
            "tailNs": None if ended is None else exit_ns - ended.wall_ns,
            "tailWaitedNs": None if ended is None else waited_ns(ended, Moment()),
            "device": device,
        }

    def _step_ends(self, *_: Any) -> None:
        self._count += 1
        if self._count == self._request.warmup:
            synchronize()
            self._began = Moment()
        elif self._count == self._request.steps:
            synchronize()
            self._ended = Moment()


def on_optimizer_step(then: Callable[[], None]) -> None:
    """Calls `then` at the end of each training step: if several optimizers step, after the last one."""
    cycle = OptimizerCycle()

    def after(optimizer: Any, _args: Any, _kwargs: Any) -> None:
        if cycle.steps(id(optimizer)):
            then()

    optimizers.register_optimizer_step_post_hook(after)


def on_backward(then: Callable[[Any], None]) -> None:
    """Calls `then` with the differentiated tensors after each backward pass."""
    for name in ("backward", "grad"):
        real = getattr(torch.autograd, name)

        def differentiate(tensors: Any, *args: Any, _real: Any = real, **kwargs: Any) -> Any:
            result = _real(tensors, *args, **kwargs)
            then(tensors)
            return result

        setattr(torch.autograd, name, differentiate)


def on_outer_call(then: Callable[[Any, Any, Any], None]) -> None:
    """Calls `then` with module, input and output after each module call that is not inside another one."""
    depth = 0

    def before(_module: Any, _args: Any) -> None:
        nonlocal depth
        depth += 1

    def after(module: Any, args: Any, output: Any) -> None:
        nonlocal depth
        depth -= 1
        if depth == 0:
            then(module, args, output)

    modules = torch.nn.modules.module
    modules.register_module_forward_pre_hook(before)
    modules.register_module_forward_hook(after, always_call=True)


def hook_profiler(surroundings: Surroundings) -> None:
    """Notes that torch's profiler has been started."""
    profile = torch.autograd.profiler.profile
    for name in ("_start_trace", "start_trace"):
        real = getattr(profile, name, None)
        if real is None:
            continue

        def start(profiler: Any, *args: Any, _real: Any = real, **kwargs: Any) -> Any:
            surroundings.profiler_is_on("torch.profiler")
            return _real(profiler, *args, **kwargs)

        setattr(profile, name, start)
        return
