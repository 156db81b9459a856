"""A detailed record of a process's work: steps, shapes, types, operations, losses and parameters."""

from __future__ import annotations

import hashlib
from typing import Any

import torch
from torch.optim import optimizer as optimizers

from gpulens_runner.after_import import after_import
from gpulens_runner.devices import device_name

from .operations import Operations
from .request import Request
from .steps import hook_profiler, on_backward, on_optimizer_step, on_outer_call
from .surroundings import Surroundings
from .values import number_text, tensor_bytes

_MOST_VALUES = 10_000
_MOST_SHAPES = 100


class Work:
    """Hooks torch, and reports at the end of the process how it was used."""

    def __init__(self, request: Request, surroundings: Surroundings) -> None:
        self._compiles = request.compiles
        self._counts = {"train": 0, "backward": 0, "infer": 0}
        self._losses: list[float] = []
        self._shapes: dict[str, int] = {}
        self._input_elements = 0
        self._dtypes: set[str] = set()
        self._modes: set[str] = set()
        self._outputs = hashlib.sha256()
        self._output_squares = 0.0
        self._optimizers: dict[int, Any] = {}
        self._modules: dict[int, Any] = {}
        hook_profiler(surroundings)
        on_optimizer_step(self._trained)
        optimizers.register_optimizer_step_pre_hook(self._steps)
        on_backward(self._differentiated)
        self._operations: Operations | None = None
        # Dynamo compiles nothing while operations are counted, and would trace the hooks of modules into the code.
        if not request.compiles:
            on_outer_call(self._called)
            after_import("torch._dynamo", self._hook_dynamo)
            self._operations = Operations()

    def to_json(self, _exit_ns: int) -> dict[str, Any]:
        """Returns everything that was recorded; null for unknown values."""
        if self._operations is not None:
            self._operations.stop()
        parameters = self._parameters()
        return {
            "compiles": self._compiles,
            "counts": self._counts,
            "losses": [number_text(loss) for loss in self._losses],
            "shapes": self._shapes,
            "inputElements": self._input_elements,
            "dtypes": sorted(self._dtypes | {str(one.dtype) for one in parameters}),
            "modes": sorted(self._modes),
            "flops": None if self._operations is None else self._operations.flops,
            "precision": _precision(),
            "outputs": {"digest": self._outputs.hexdigest(), "norm": number_text(self._output_squares**0.5)},
            "parameters": _digest(parameters),
            "device": device_name(),
        }

    def _hook_dynamo(self, module: Any) -> None:
        real = module.optimize

        def optimize(*args: Any, **kwargs: Any) -> Any:
            self._compiles = True
            # With `fullgraph=True`, code that is not compiled would raise an error.
            kwargs.pop("nopython", None)
            return real(*args, **kwargs)

        module.optimize = optimize

    def _steps(self, optimizer: Any, _args: Any, _kwargs: Any) -> None:
        self._optimizers[id(optimizer)] = optimizer

    def _trained(self) -> None:
        self._counts["train"] += 1

    def _differentiated(self, tensors: Any) -> None:
        self._counts["backward"] += 1
        for tensor in tensors if isinstance(tensors, (list, tuple)) else [tensors]:
            if isinstance(tensor, torch.Tensor):
                self._dtypes.add(str(tensor.dtype))
                if tensor.numel() == 1 and len(self._losses) < _MOST_VALUES:
                    self._losses.append(float(tensor.detach()))

    def _called(self, module: Any, args: Any, output: Any) -> None:
        self._counts["infer"] += 1
        inputs = _tensors(args)
        shape = ", ".join(f"{one.dtype}{list(one.shape)}" for one in inputs)
        if shape in self._shapes or len(self._shapes) < _MOST_SHAPES:
            self._shapes[shape] = self._shapes.get(shape, 0) + 1
        self._input_elements += sum(one.numel() for one in inputs)
        outputs = _tensors(output)
        self._dtypes.update(str(one.dtype) for one in (*inputs, *outputs) if one.is_floating_point())
        self._modes.add(_mode(module))
        self._modules[id(module)] = module
        for one in outputs:
            self._outputs.update(tensor_bytes(one))
            self._output_squares += float(one.detach().double().norm()) ** 2

    def _parameters(self) -> list[Any]:
        found: dict[int, Any] = {}
        for optimizer in self._optimizers.values():
            found.update((id(one), one) for group in optimizer.param_groups for one in group["params"])
        for module in () if found else self._modules.values():
            found.update((id(one), one) for one in module.parameters())
        return list(found.values())


def _tensors(value: Any) -> list[Any]:
    if isinstance(value, torch.Tensor):
        return [value]
    if isinstance(value, dict):
        value = list(value.values())
    return [one for item in value for one in _tensors(item)] if isinstance(value, (list, tuple)) else []


def _mode(module: Any) -> str:
    """Returns how a module was called: a training step is one with gradients, in training mode."""
    training = "training" if module.training else "evaluation"
    return f"{training} mode, {'with' if torch.is_grad_enabled() else 'without'} gradients"


def _precision() -> str:
    """Returns the settings that let products of float32 be less exact."""
    matmul = torch.get_float32_matmul_precision()
    tf32 = torch.backends.cuda.matmul.allow_tf32
    return f"float32 matmul precision {matmul}, TF32 {'on' if tf32 else 'off'}"


def _digest(parameters: list[Any]) -> dict[str, Any]:
    digest = hashlib.sha256()
    norms = []
    for parameter in parameters:
        digest.update(tensor_bytes(parameter))
        norms.append(number_text(float(parameter.detach().double().norm())))
    count = sum(parameter.numel() for parameter in parameters)
    return {"digest": digest.hexdigest(), "norms": norms[:_MOST_VALUES], "count": count}
