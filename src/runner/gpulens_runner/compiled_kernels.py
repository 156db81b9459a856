"""Which lines the kernels come from that torch.compile makes, as Inductor knows them when it writes a kernel's code."""

from __future__ import annotations

import importlib.abc
import re
import sys
from typing import Any

from .source_paths import SourcePaths

_MODULE = "torch._inductor.debug"
_TRACER = "set_kernel_post_grad_provenance_tracing"
"""Inductor calls it with every kernel, and the nodes that are fused in it, whether it is to keep them or not."""

_FRAME = re.compile(r'File "(?P<file>[^"\n]+)", line (?P<line>\d+), in (?P<function>[^\n]+)(?:\n\s+(?P<code>[^\n]+))?')
_MOST_KERNELS = 20_000
_MOST_LINES = 50
_LONGEST_CODE = 200


class CompiledKernels:
    """Keeps the lines of every kernel that is compiled in this process; what comes out of Inductor's cache has none."""

    def __init__(self, paths: SourcePaths) -> None:
        self._paths = paths
        self._lines: dict[str, dict[tuple[str, int], dict[str, Any]]] = {}

    def install(self) -> None:
        """Listens to Inductor, which is imported when something is compiled for the first time."""
        module = sys.modules.get(_MODULE)
        if module is not None:
            self._hook(module)
        else:
            sys.meta_path.insert(0, _DebugFinder(self._hook))

    def to_json(self) -> list[dict[str, Any]]:
        """Returns one entry per kernel and line, in the order of compilation."""
        return [{"name": name, **line} for name, lines in list(self._lines.items()) for line in list(lines.values())]

    def _hook(self, module: Any) -> None:
        trace = getattr(module, _TRACER, None)
        if trace is None:
            return  # Another version of torch: kernels have no lines.

        def traced(nodes: Any, kernel: str, *more: Any, **options: Any) -> Any:
            try:
                self._note(kernel, _stacks(nodes))
            except Exception:
                pass  # Compiling must go on, whatever Inductor's nodes look like.
            return trace(nodes, kernel, *more, **options)

        setattr(module, _TRACER, traced)

    def _note(self, kernel: str, stacks: list[str]) -> None:
        if kernel not in self._lines and len(self._lines) >= _MOST_KERNELS:
            return
        lines = self._lines.setdefault(kernel, {})
        for stack in stacks:
            place = self._own_frame(stack)
            if place is not None and len(lines) < _MOST_LINES:
                lines.setdefault((place["file"], place["line"]), place)

    def _own_frame(self, stack: str) -> dict[str, Any] | None:
        """Returns the innermost frame of a stack that is the user's own."""
        found = None
        for frame in _FRAME.finditer(stack):
            path = frame["file"]
            if not path.startswith("<") and not self._paths.is_torch(path) and "site-packages" not in path:
                found = frame
        if found is None:
            return None
        return {
            "file": self._paths.relative(found["file"]),
            "line": int(found["line"]),
            "function": found["function"].strip(),
            "code": (found["code"] or "").strip()[:_LONGEST_CODE],
        }


def _stacks(nodes: Any) -> list[str]:
    """Returns the stacks of the user's code that a kernel's nodes were traced at; an external kernel is one node."""
    if not isinstance(nodes, (list, tuple)):
        return list(nodes.get_stack_traces())
    stacks: dict[str, None] = {}
    for scheduled in nodes:
        node = getattr(scheduled, "node", None)
        if node is not None:
            stacks.update(dict.fromkeys(node.get_stack_traces()))
    return list(stacks)


class _DebugFinder(importlib.abc.MetaPathFinder):
    """Lets the other finders find Inductor's module, and hands it over when it has been loaded."""

    def __init__(self, loaded: Any) -> None:
        self._loaded = loaded

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        if name != _MODULE:
            return None
        sys.meta_path.remove(self)
        for finder in list(sys.meta_path):
            spec = finder.find_spec(name, path, target)
            if spec is not None:
                break
        else:
            return None
        load = getattr(spec.loader, "exec_module", None)
        if load is not None:

            def exec_module(module: Any) -> None:
                load(module)
                self._loaded(module)

            spec.loader.exec_module = exec_module  # type: ignore[union-attr, method-assign]
        return spec
