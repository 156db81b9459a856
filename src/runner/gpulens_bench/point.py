"""One point of a sweep, which arrives as JSON from `src/launch/benchmark/run-point.ts`."""

from __future__ import annotations

import contextlib
import dataclasses
import json
from contextlib import AbstractContextManager
from typing import Any


@dataclasses.dataclass(frozen=True)
class Size:
    """The shape of a Transformer."""

    name: str
    d_model: int
    d_ff: int
    layers: int
    heads: int


@dataclasses.dataclass(frozen=True)
class Point:
    """One point; None for a property that the target does not vary."""

    target: str
    """`reference`, `callable` or `command`."""
    function: str | None = None
    """The callable, as `module:function`."""
    command: tuple[str, ...] = ()
    environment: tuple[tuple[str, str], ...] = ()
    """Variables that are set for a command, in addition to inherited ones."""
    size: Size | None = None
    context_length: int | None = None
    batch: int | None = None
    vocabulary: int = 10_000
    pass_name: str | None = None
    """`forward`, `forward+backward` or `train`."""
    precision: str | None = None
    """`fp32`, `tf32`, `bf16` or `fp16`."""
    device: str = "auto"
    compiled: bool = False
    threads: int | None = None
    warmup_steps: int = 5
    measured_steps: int = 10

    def autocast(self) -> AbstractContextManager[Any]:
        """Returns the context in which a step of this precision runs its forward pass."""
        if self.precision not in ("bf16", "fp16"):
            return contextlib.nullcontext()
        import torch

        kind = torch.bfloat16 if self.precision == "bf16" else torch.float16
        return torch.autocast(self.torch_device.type, dtype=kind)

    @property
    def torch_device(self) -> Any:
        """The device; `auto` is the first GPU if there is one, else the CPU."""
        import torch

        if self.device != "auto":
            return torch.device(self.device)
        if torch.cuda.is_available():
            return torch.device("cuda")
        return torch.device("mps" if torch.backends.mps.is_available() else "cpu")

    @staticmethod
    def from_json(text: str | bytes) -> Point:
        """Returns the point in a JSON object; unknown names are skipped."""
        fields = json.loads(text)
        known = {field.name for field in dataclasses.fields(Point)}
        point = {key: value for key, value in fields.items() if key in known}
        if point.get("size") is not None:
            point["size"] = Size(**point["size"])
        point["command"] = tuple(point.get("command") or ())
        point["environment"] = tuple((point.get("environment") or {}).items())
        return Point(**point)
