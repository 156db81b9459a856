"""Hooks into torch: ranges, optimizer steps, module calls, the user's own profiler. Each is small, and guarded where a
version may lack what it hooks."""

from __future__ import annotations

from typing import Any

import torch
from torch.autograd import profiler as autograd_profiler

from .recorder import is_ours
from .session import Session
from .sites import Sites

_LIBRARY_RANGES = ("ProfilerStep#", "Optimizer.")


def install(session: Session, sites: Sites) -> None:
    """Hooks everything. Names that the user imports afterwards from torch are the hooked ones."""
    _hook_record_function(session, sites)
    _hook_nvtx()
    _hook_module_calls(session)
    _hook_user_profiler(session)


def _is_compiling() -> bool:
    """Tells whether Dynamo is tracing: a hook that does anything then would break its graph."""
    compiler = getattr(torch, "compiler", None)
    check = getattr(compiler, "is_compiling", None)
    return bool(check()) if check is not None else False


def _hook_record_function(session: Session, sites: Sites) -> None:
    """Notes the line of every user range; a step ends where the range that torch puts round Optimizer.step closes.

    The methods are replaced, not the class: Dynamo and the user's imports know the class by identity.
    """
    cls = autograd_profiler.record_function
    enter, leave = cls.__enter__, cls.__exit__

    def hooked_enter(self: Any) -> Any:
        if not _is_compiling():
            if not self.name.startswith("ProfilerStep#"):
                session.work_begins()
            if not self.name.startswith(_LIBRARY_RANGES):
                sites.note(self.name)
                session.range_opens(self)
        return enter(self)

    def hooked_exit(self: Any, *error: Any) -> Any:
        result = leave(self, *error)
        if _is_compiling():
            return result
        if self.name.startswith("Optimizer.step#"):
            session.step_ends()
        elif not self.name.startswith(_LIBRARY_RANGES):
            session.range_closes(self)
        return result

    cls.__enter__, cls.__exit__ = hooked_enter, hooked_exit  # type: ignore[method-assign]


def _hook_nvtx() -> None:
    """Mirrors NVTX ranges as `record_function`: one tag serves both profilers, and runs on a CPU build too."""
    from torch.cuda import nvtx

    real_push, real_pop = nvtx.range_push, nvtx.range_pop
    has_nvtx = hasattr(torch._C, "_nvtx")
    open_ranges: list[Any] = []

    def range_push(msg: str) -> int:
        mirror = autograd_profiler.record_function(msg)
        mirror.__enter__()
        open_ranges.append(mirror)
        return int(real_push(msg)) if has_nvtx else len(open_ranges) - 1

    def range_pop() -> int:
        depth = int(real_pop()) if has_nvtx else len(open_ranges) - 1
        if open_ranges:
            open_ranges.pop().__exit__(None, None, None)
        return depth

    nvtx.range_push, nvtx.range_pop = range_push, range_pop


def _hook_module_calls(session: Session) -> None:
    """A module call begins the work; the hook goes when the opening of the script is over."""
    from torch.nn.modules import module

    handle: Any = None

    def before_call(_module: Any, _inputs: Any) -> None:
        if not _is_compiling():
            session.work_begins()
        if handle is not None and not session.may_open:
            handle.remove()

    handle = module.register_module_forward_pre_hook(before_call)


def _hook_user_profiler(session: Session) -> None:
    """Gives way to a profiler of the script's own, and picks up what it exports."""
    from torch.profiler import profiler as kineto

    cls = kineto._KinetoProfile
    prepare, export = cls.prepare_trace, cls.export_chrome_trace

    def prepare_trace(self: Any) -> Any:
        if not is_ours(self):
            session.user_profiler_starts()
        return prepare(self)

    def export_chrome_trace(self: Any, path: str, *args: Any, **options: Any) -> Any:
        result = export(self, path, *args, **options)
        if not is_ours(self):
            session.user_exported(path)
        return result

    cls.prepare_trace = prepare_trace  # type: ignore[method-assign]
    cls.export_chrome_trace = export_chrome_trace  # type: ignore[method-assign]
