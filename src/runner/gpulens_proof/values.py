"""Converts values to JSON, so that two runs can be compared with a tolerance or bit for bit."""

from __future__ import annotations

import hashlib
import sys
from typing import Any

MOST_NUMBERS = 100_000
"""Of more numbers, only a digest and two sums are kept."""


class Flattened:
    """The numbers of a nested value, in order, and everything about it that is not a number."""

    def __init__(self, value: Any) -> None:
        self._digest = hashlib.sha256()
        self._structure: list[str] = []
        self._numbers: list[float] = []
        self._add(value)

    def to_json(self) -> dict[str, Any]:
        """Returns the structure (types, shapes, dtypes, texts), the numbers, and a digest of their bits."""
        return {
            "structure": " ".join(self._structure),
            "numbers": [number_text(number) for number in self._numbers],
            "digest": self._digest.hexdigest(),
        }

    def _add(self, value: Any) -> None:
        torch = sys.modules.get("torch")
        if torch is not None and isinstance(value, torch.Tensor):
            self._add_tensor(value)
        elif isinstance(value, dict):
            self._structure.append("{")
            for key in sorted(value, key=str):
                self._structure.append(f"{key}:")
                self._add(value[key])
            self._structure.append("}")
        elif isinstance(value, (list, tuple)):
            self._structure.append("[")
            for item in value:
                self._add(item)
            self._structure.append("]")
        elif hasattr(value, "dtype") and hasattr(value, "tolist"):
            self._structure.append(f"{value.dtype}{tuple(getattr(value, 'shape', ()))}")
            self._add_numbers(_flat(value.tolist()))
        elif isinstance(value, (bool, int, float)):
            self._structure.append("number")
            self._add_numbers([float(value)])
        else:
            self._structure.append(repr(value)[:10_000])

    def _add_tensor(self, tensor: Any) -> None:
        self._structure.append(f"{tensor.dtype}{tuple(tensor.shape)}")
        plain = tensor.detach()
        if plain.is_complex():
            plain = plain.resolve_conj().view_as_real()
        self._add_numbers(_flat(plain.double().cpu().tolist()))

    def _add_numbers(self, numbers: list[float]) -> None:
        for number in numbers:
            self._digest.update(float(number).hex().encode())
        if len(numbers) > MOST_NUMBERS:
            numbers = [sum(numbers), sum(number * number for number in numbers) ** 0.5]
        self._numbers.extend(float(number) for number in numbers)


def number_text(number: float) -> Any:
    """Returns a number for JSON: infinities and NaN become texts."""
    return number if number == number and abs(number) != float("inf") else str(number)


def tensor_bytes(tensor: Any) -> bytes:
    """Returns the bits of a tensor, whatever its type and device."""
    import torch

    plain = tensor.detach().cpu().contiguous().reshape(-1)
    if plain.is_quantized or plain.is_sparse:
        plain = plain.dequantize() if plain.is_quantized else plain.to_dense()
    return bytes(plain.view(torch.uint8).numpy().tobytes()) if plain.numel() else b""


def _flat(value: Any) -> list[float]:
    if not isinstance(value, list):
        return [float(value)]
    return [number for item in value for number in _flat(item)]
