"""The source lines of kernels made by torch.compile, which Inductor knows when it writes a kernel's code.

They are stored with Inductor's cached graph, so that a graph from the cache has them, too. Their present places come
from the same lines in the graph that Dynamo has just traced.
"""

from __future__ import annotations

import os
import re
from typing import Any, NamedTuple

from .after_import import after_import
from .source_paths import SourcePaths

_TRACER = "set_kernel_post_grad_provenance_tracing"
"""Inductor calls it with every kernel and the nodes fused in it, even if it does not keep them."""

_KEPT = "_gpulens_kernels"
"""The attribute stored with a graph: plain tuples of a kernel's name and a `Place`, which any Python can read."""

_FRAME = re.compile(r'File "(?P<file>[^"\n]+)", line (?P<line>\d+), in (?P<function>[^\n]+)(?:\n\s+(?P<code>[^\n]+))?')
_MOST_KERNELS = 20_000
_MOST_LINES = 50
_LONGEST_CODE = 200


class Place(NamedTuple):
    """A line of the user's code."""

    file: str
    line: int
    function: str
    code: str

    def reads_as(self) -> tuple[str, str, str]:
        """Returns the part that stays the same if the line moves."""
        return (os.path.basename(self.file), self.function, self.code)


class CompiledKernels:
    """Stores the lines of every kernel that is compiled in this process, or read from Inductor's cache."""

    def __init__(self, paths: SourcePaths) -> None:
        self._paths = paths
        self._lines: dict[str, dict[tuple[str, int], Place]] = {}
        self._of_graph: list[tuple[str, tuple[Any, ...]]] = []
        """The kernels of the graph whose code is being written."""
        self._traced: dict[tuple[str, str, str], set[Place]] = {}
        """Lines of the graphs that Dynamo has traced in this process, by their text."""

    def install(self) -> None:
        """Listens to Inductor, which is imported at the first compilation."""
        after_import("torch._inductor.debug", self._hook_code)
        after_import("torch._inductor.compile_fx", self._hook_graphs)
        after_import("torch._inductor.output_code", self._hook_cache)

    def to_json(self) -> list[dict[str, Any]]:
        """Returns one entry per kernel and line, in the order of compilation."""
        return [
            {"name": name, **place._asdict(), "file": self._paths.relative(place.file)}
            for name, places in list(self._lines.items())
            for place in list(places.values())
        ]

    def _hook_code(self, module: Any) -> None:
        trace = getattr(module, _TRACER, None)
        if trace is None:
            return  # In another version of torch, kernels have no lines.

        # The wrapped function is called as its callers call it, including keyword arguments.
        def traced(*args: Any, **options: Any) -> Any:
            try:
                named = [options[name] for name in ("node_schedule", "kernel_name") if name in options]
                nodes, kernel, *_ = [*args[:2], *named]
                for place in filter(None, map(self._own_frame, _stacks(nodes))):
                    self._note(kernel, place)
                    self._of_graph.append((kernel, tuple(place)))
            except Exception:
                pass  # Compilation must continue, whatever Inductor's nodes look like.
            return trace(*args, **options)

        setattr(module, _TRACER, traced)

    def _hook_graphs(self, module: Any) -> None:
        compile_graph = getattr(module, "compile_fx", None)
        if compile_graph is None:
            return

        def compiled(*args: Any, **options: Any) -> Any:
            try:
                graph = args[0] if args else options["model_"]
                stacks = dict.fromkeys(node.stack_trace or "" for node in graph.graph.nodes)
                for place in filter(None, map(self._own_frame, stacks)):
                    self._traced.setdefault(place.reads_as(), set()).add(place)
            except Exception:
                pass  # The compiled graph may not come from Dynamo.
            return compile_graph(*args, **options)

        module.compile_fx = compiled
        self._hook_code_of_graphs(module)

    def _hook_code_of_graphs(self, module: Any) -> None:
        write_code = getattr(module, "fx_codegen_and_compile", None)
        if write_code is None:
            return

        def written(*args: Any, **options: Any) -> Any:
            # Lines of a failed graph do not belong to this one.
            self._of_graph = []
            return write_code(*args, **options)

        module.fx_codegen_and_compile = written

    def _hook_cache(self, module: Any) -> None:
        graphs = getattr(module, "CompiledFxGraph", None)
        begin, load = getattr(graphs, "__init__", None), getattr(graphs, "after_deserialization", None)
        if graphs is None or begin is None or load is None:
            return  # In another version of torch, graphs from its cache have no lines.

        def begun(*args: Any, **options: Any) -> None:
            begin(*args, **options)
            kernels, self._of_graph = self._of_graph, []
            setattr(args[0], _KEPT, kernels)

        def loaded(*args: Any, **options: Any) -> Any:
            try:
                for kernel, place in getattr(args[0], _KEPT, []):
                    self._note_moved(kernel, Place(*place))
            except Exception:
                pass  # As above.
            return load(*args, **options)

        graphs.__init__ = begun
        graphs.after_deserialization = loaded

    def _note_moved(self, kernel: str, was: Place) -> None:
        """Notes the line that has the same text as when the kernel was compiled: in this file, else in another
        checkout."""
        now = self._traced.get(was.reads_as(), set())
        if now:
            self._note(kernel, min(now, key=lambda place: (place.file != was.file, abs(place.line - was.line))))

    def _note(self, kernel: str, place: Place) -> None:
        if kernel not in self._lines and len(self._lines) >= _MOST_KERNELS:
            return
        lines = self._lines.setdefault(kernel, {})
        if len(lines) < _MOST_LINES:
            lines.setdefault((place.file, place.line), place)

    def _own_frame(self, stack: str) -> Place | None:
        """Returns the innermost of the user's own frames in a stack."""
        found = None
        for frame in _FRAME.finditer(stack):
            path = frame["file"]
            if not path.startswith("<") and not self._paths.is_torch(path) and "site-packages" not in path:
                found = frame
        if found is None:
            return None
        code = (found["code"] or "").strip()[:_LONGEST_CODE]
        return Place(found["file"], int(found["line"]), found["function"].strip(), code)


def _stacks(nodes: Any) -> list[str]:
    """Returns the stacks of the user's code at which a kernel's nodes were traced; an external kernel is one node."""
    if not isinstance(nodes, (list, tuple)):
        return list(nodes.get_stack_traces())
    stacks: dict[str, None] = {}
    for scheduled in nodes:
        node = getattr(scheduled, "node", None)
        if node is not None:
            stacks.update(dict.fromkeys(node.get_stack_traces()))
    return list(stacks)
