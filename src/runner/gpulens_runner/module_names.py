"""Qualified names of modules, and where their forward is defined."""

from __future__ import annotations

import weakref
from types import CodeType
from typing import Any

from .source_files import SourceFiles
from .source_paths import SourcePaths
from .unwrapped import WRAPPED, WRAPPERS, unwrapped_code, unwrapped_module

PREFIX = "nn.Module: "
"""Prefix of the range of a module call, as in PyTorch's own traces with stacks."""


class ModuleNames:
    """Names of the modules of each called tree: `Net`, `Net.layers.0.attention`."""

    def __init__(self, paths: SourcePaths, sources: SourceFiles) -> None:
        self._paths = paths
        self._sources = sources
        self._names: dict[int, tuple[weakref.ref[Any], str]] = {}
        self._counts: dict[str, int] = {}
        self._places: dict[str, tuple[str, CodeType | None]] = {}

    def range_of(self, module: Any, is_outermost: bool) -> str:
        """Returns the name of the range of a call, and counts it.

        It is the class's name only if the module's tree was never called, or if reading the module fails: that runs the
        user's code, and the script must continue.
        """
        try:
            return self._counted(module, is_outermost)
        except Exception:
            name = PREFIX + type(module).__name__
            self._names[id(module)] = (weakref.ref(module), name)
            return name

    def _counted(self, module: Any, is_outermost: bool) -> str:
        known = self._names.get(id(module))
        if known is None or known[0]() is not module:
            if is_outermost:
                self._name_tree(module)
            else:
                self._names[id(module)] = (weakref.ref(module), PREFIX + type(module).__name__)
            known = self._names[id(module)]
        name = known[1]
        if name not in self._counts:
            self._places[name] = self._describe(module)
        self._counts[name] = self._counts.get(name, 0) + 1
        return name

    def to_json(self) -> list[dict[str, Any]]:
        """Returns the class of each called name."""
        return [{"name": name, "class": kind} for name, (kind, _) in list(self._places.items())]

    def sites(self) -> list[dict[str, Any]]:
        """Returns where forward is defined, for each name whose forward is in the script or in a library other than
        torch."""
        return [
            {"name": name, **self._place(code), "count": self._counts.get(name, 0)}
            for name, (_, code) in list(self._places.items())
            if code is not None
        ]

    def files(self) -> list[str]:
        """Returns the files that define a forward."""
        return list(dict.fromkeys(code.co_filename for _, code in list(self._places.values()) if code is not None))

    def _name_tree(self, root: Any) -> None:
        inner = unwrapped_module(root)
        for path, module in root.named_modules():
            kind = type(module).__name__
            parts = [part for part in path.split(".") if part and part not in WRAPPED]
            name = kind if kind in WRAPPERS else ".".join([type(inner).__name__, *parts])
            self._names[id(module)] = (weakref.ref(module), PREFIX + name)

    def _describe(self, module: Any) -> tuple[str, CodeType | None]:
        code = unwrapped_code(getattr(type(module), "forward", None))
        if code is not None and self._paths.is_torch(code.co_filename):
            code = None
        if code is not None:
            self._sources.see(code.co_filename)
        return f"{type(module).__module__}.{type(module).__qualname__}", code

    def _place(self, code: CodeType) -> dict[str, Any]:
        source = self._sources.get(code.co_filename)
        end = None if source is None else source.end_of_block(code.co_firstlineno)
        place = {"file": self._paths.relative(code.co_filename), "line": code.co_firstlineno}
        return place if end is None else {**place, "endLine": end}
