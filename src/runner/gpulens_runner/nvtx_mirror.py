"""Mirrors `record_function` ranges and module calls into NVTX, so that the same tags work under Nsight Systems."""

from __future__ import annotations

import atexit
import functools
import os
from typing import Any, Callable

import torch
from torch.autograd import profiler as autograd_profiler
from torch.nn.modules import module as modules

from .compiling import is_compiling
from .module_names import ModuleNames
from .nvtx_injection import find_injection
from .nvtx_sidecar import VARIABLE as SIDECAR_VARIABLE
from .nvtx_sidecar import write_sidecar
from .source_files import SourceFiles
from .source_paths import SourcePaths
from .thread_stack import ThreadStack

VARIABLE = "GPULENS_NVTX"
"""Set by the program that runs nsys: the workspace, as in the runner's `--root`."""


def install_mirror() -> bool:
    """Starts mirroring; returns False, and hooks nothing, if no profiler takes NVTX."""
    functions = _nvtx_functions()
    if functions is None:
        return False
    push, pop = functions
    _mirror_ranges(push, pop)
    _mirror_modules(push, pop)
    return True


def _nvtx_functions() -> tuple[Callable[[str], Any], Callable[[], Any]] | None:
    """Returns push and pop: torch's if it was built with NVTX, else those of the profiler's library."""
    nvtx = getattr(torch._C, "_nvtx", None)
    if nvtx is not None:
        return nvtx.rangePushA, nvtx.rangePop
    injection = find_injection()
    if injection is None:
        return None
    return lambda name: injection.push(name.encode("utf-8", "backslashreplace")), injection.pop


def _mirror_ranges(push: Callable[[str], Any], pop: Callable[[], Any]) -> None:
    """Replaces the methods, not the class: Dynamo and the user's imports know the class by identity, and TorchScript
    the methods by their names and sources."""
    cls = autograd_profiler.record_function
    enter: Any = cls.__enter__
    leave: Any = cls.__exit__

    @functools.wraps(enter)
    def hooked_enter(self: Any) -> Any:
        if not is_compiling():
            push(self.name)
        return enter(self)

    @functools.wraps(leave)
    def hooked_exit(self: Any, *error: Any) -> Any:
        result = leave(self, *error)
        if not is_compiling():
            pop()
        return result

    cls.__enter__, cls.__exit__ = hooked_enter, hooked_exit  # type: ignore[method-assign]


def _mirror_modules(push: Callable[[str], Any], pop: Callable[[], Any]) -> None:
    root = os.environ.get(VARIABLE) or os.getcwd()
    paths, sources = SourcePaths(root, os.path.dirname(torch.__file__)), SourceFiles()
    names = ModuleNames(paths, sources)
    sidecar = os.environ.get(SIDECAR_VARIABLE)
    if sidecar:
        atexit.register(write_sidecar, sidecar, names, paths, sources)
    calls: ThreadStack[None] = ThreadStack()

    def before(module: Any, _inputs: Any) -> None:
        if not is_compiling():
            push(names.range_of(module, not calls.get()))
            calls.get().append(None)

    def after(_module: Any, _inputs: Any, _output: Any) -> None:
        if not is_compiling() and calls.get():
            calls.get().pop()
            pop()

    modules.register_module_forward_pre_hook(before)
    modules.register_module_forward_hook(after, always_call=True)
