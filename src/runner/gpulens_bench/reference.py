"""Steps of the reference Transformer, one for each pass."""

from __future__ import annotations

from typing import Any

import torch
from torch.nn import functional

from .model import Transformer
from .point import Point
from .tags import tag
from .work import Mark, Unsupported, Work, count_parameters


def reference_work(point: Point, device: torch.device) -> Work:
    """Returns the step of a point: its model with random weights on the device, and one batch of random tokens."""
    size, batch, length = point.size, point.batch, point.context_length
    if size is None or batch is None or length is None:
        raise Unsupported("The reference model needs a size, a batch and a context length.")
    torch.manual_seed(0)
    model = Transformer(size, point.vocabulary, length).to(device)
    parameters, without_embedding = count_parameters(model)
    tokens = torch.randint(0, point.vocabulary, (batch, length), device=device)
    targets = torch.randint(0, point.vocabulary, (batch, length), device=device)
    steps = {"forward": _Forward, "forward+backward": _Backward, "train": _Train}
    step = steps[point.pass_name or "train"](point, model, tokens, targets)
    return Work(step.run, parameters, without_embedding, samples=batch, tokens=batch * length, model=model)


class _Forward:
    def __init__(self, point: Point, model: Transformer, tokens: torch.Tensor, targets: torch.Tensor) -> None:
        self.point = point
        self.model = model
        self.call: Any = torch.compile(model) if point.compiled else model
        self.tokens = tokens
        self.targets = targets

    def run(self, mark: Mark) -> Any:
        """The model only, without gradients."""
        with torch.no_grad(), tag("forward_pass"), self.point.autocast():
            logits = self.call(self.tokens)
        mark("forward")
        return logits


class _Backward(_Forward):
    scaler: Any = None

    def run(self, mark: Mark) -> Any:
        """Logits, their loss, and the gradients of all parameters."""
        self.model.zero_grad(set_to_none=True)
        with tag("forward_pass"), self.point.autocast():
            logits = self.call(self.tokens)
            loss = functional.cross_entropy(logits.flatten(0, 1), self.targets.flatten())
        mark("forward")
        with tag("backward_pass"):
            (loss if self.scaler is None else self.scaler.scale(loss)).backward()
        mark("backward")
        return loss.detach()


class _Train(_Backward):
    def __init__(self, point: Point, model: Transformer, tokens: torch.Tensor, targets: torch.Tensor) -> None:
        super().__init__(point, model, tokens, targets)
        self.optimizer = torch.optim.AdamW(model.parameters())
        if point.precision == "fp16":
            self.scaler = torch.amp.GradScaler(tokens.device.type)

    def run(self, mark: Mark) -> Any:
        """Forward and backward, and AdamW's step; fp16 with a scaled loss."""
        loss = super().run(mark)
        with tag("optimizer_step"):
            if self.scaler is None:
                self.optimizer.step()
            else:
                self.scaler.step(self.optimizer)
                self.scaler.update()
        mark("optimizer")
        return loss
