"""Qualified names of modules, and where their forward is defined."""

from __future__ import annotations

import weakref
from types import CodeType
from typing import Any

from .source_files import SourceFiles
from .source_paths import SourcePaths
from .unwrapped import unwrapped_code

PREFIX = "nn.Module: "
"""Begins the range of a module call, as in PyTorch's own traces with stacks."""
_WRAPPERS = ("DistributedDataParallel", "DataParallel", "OptimizedModule", "FullyShardedDataParallel")
_WRAPPED = ("module", "_orig_mod", "_fsdp_wrapped_module", "_checkpoint_wrapped_module")
"""Attributes under which wrappers hold what they wrap: they are no part of a name."""


class ModuleNames:
    """Names of the modules of each tree that was called: `Net`, `Net.layers.0.attention`."""

    def __init__(self, paths: SourcePaths, sources: SourceFiles) -> None:
        self._paths = paths
        self._sources = sources
        self._names: dict[int, tuple[weakref.ref[Any], str]] = {}
        self._called: dict[str, Any] = {}

    def name_of(self, module: Any, is_outermost: bool) -> str:
        """Returns a module's name; that of its class where the tree that it belongs to was never called."""
        known = self._names.get(id(module))
        if known is None or known[0]() is not module:
            if is_outermost:
                self._name_tree(module)
            else:
                self._names[id(module)] = (weakref.ref(module), type(module).__name__)
            known = self._names[id(module)]
        name = known[1]
        if name not in self._called:
            self._called[name] = self._describe(module)
        return name

    def to_json(self) -> list[dict[str, Any]]:
        """Returns one entry per name that was called; `file` and lines only where forward is written in Python."""
        return [{"name": name, **self._place(*place)} for name, place in list(self._called.items())]

    def files(self) -> list[str]:
        """Returns the files that define a forward."""
        return list(dict.fromkeys(place[1].co_filename for place in list(self._called.values()) if place[1]))

    def _name_tree(self, root: Any) -> None:
        inner = root
        while type(inner).__name__ in _WRAPPERS:
            held = [child for name in _WRAPPED if (child := inner._modules.get(name)) is not None]
            if not held:
                break
            inner = held[0]
        for path, module in root.named_modules():
            kind = type(module).__name__
            parts = [part for part in path.split(".") if part and part not in _WRAPPED]
            name = kind if kind in _WRAPPERS else ".".join([type(inner).__name__, *parts])
            self._names[id(module)] = (weakref.ref(module), name)

    def _describe(self, module: Any) -> tuple[str, CodeType | None]:
        code = unwrapped_code(getattr(type(module), "forward", None))
        if code is not None and self._paths.is_torch(code.co_filename):
            code = None
        if code is not None:
            self._sources.see(code.co_filename)
        return f"{type(module).__module__}.{type(module).__qualname__}", code

    def _place(self, kind: str, code: CodeType | None) -> dict[str, Any]:
        if code is None:
            return {"class": kind}
        source = self._sources.get(code.co_filename)
        end = None if source is None else source.end_of_block(code.co_firstlineno)
        place = {"class": kind, "file": self._paths.relative(code.co_filename), "line": code.co_firstlineno}
        return place if end is None else {**place, "endLine": end}
