"""Determines which modules have a `forward` that is the user's own."""

from __future__ import annotations

from typing import Any

from .own_code import OwnCode
from .unwrapped import WRAPPERS, unwrapped_code, unwrapped_module


class OwnModules:
    """Remembers the answer for each type of module."""

    def __init__(self, own: OwnCode) -> None:
        self._own = own
        self._known: dict[type, bool] = {}

    def is_other(self, module: Any) -> bool:
        """Returns whether a module's type is known not to be the user's own: the fast answer for most modules."""
        return self._known.get(type(module)) is False

    def has(self, module: Any) -> bool:
        """Returns whether a module's `forward` is the user's own, and not compiled: Dynamo would recompile it for a
        range inside."""
        kind = type(module)
        if kind.__name__ == "OptimizedModule" or getattr(module, "_compiled_call_impl", None) is not None:
            return False
        inner = type(unwrapped_module(module)) if kind.__name__ in WRAPPERS else kind
        known = self._known.get(inner)
        if known is None:
            code = unwrapped_code(getattr(inner, "forward", None))
            known = code is not None and self._own.has(code)
            # A wrapper without a module says nothing about the next wrapper.
            if inner.__name__ not in WRAPPERS:
                self._known[inner] = known
        return known
