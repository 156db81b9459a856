"""Hooks into the script's own profilers: ours gives way to them, and notes what they export."""

from __future__ import annotations

from typing import Any, Callable

from .recorder import is_ours
from .session import Session


def hook_profilers(session: Session) -> None:
    """Hooks `torch.profiler.profile`, the older `torch.autograd.profiler.profile`, and what lets another program
    profile: `emit_nvtx` and `emit_itt`."""
    from torch.autograd import profiler as legacy
    from torch.profiler import profiler as kineto

    cls: Any = kineto._KinetoProfile
    prepare, stop, export = cls.prepare_trace, cls.stop_trace, cls.export_chrome_trace

    def prepare_trace(self: Any) -> Any:
        if not is_ours(self):
            session.user_profiler_starts(self)
        return prepare(self)

    def stop_trace(self: Any) -> Any:
        try:
            return stop(self)
        finally:
            session.user_profiler_ends(self)

    exporting: list[Any] = []

    def export_chrome_trace(self: Any, path: Any, *args: Any, **options: Any) -> Any:
        exporting.append(self)
        try:
            result = export(self, path, *args, **options)
        finally:
            exporting.remove(self)
        if not is_ours(self):
            session.user_exported(str(path))
        return result

    cls.prepare_trace, cls.stop_trace, cls.export_chrome_trace = prepare_trace, stop_trace, export_chrome_trace

    old: Any = legacy.profile
    old_export = old.export_chrome_trace

    def old_export_chrome_trace(self: Any, path: Any, *args: Any, **options: Any) -> Any:
        result = old_export(self, path, *args, **options)
        if not exporting:
            session.user_exported(str(path))
        return result

    old.export_chrome_trace = old_export_chrome_trace
    # The newer profiler contains one of these, and never enters it.
    _hook_context(old, session, lambda: True)
    for name in ("emit_nvtx", "emit_itt"):
        emitter: Any = getattr(legacy, name, None)
        if emitter is not None:
            # They start torch's profiler, which runs once in a thread, and record nothing themselves.
            _hook_context(emitter, session, lambda: session.is_recorded_by_torch)


def _hook_context(cls: Any, session: Session, is_in_the_way: Callable[[], bool]) -> None:
    """Hooks a profiler that is a context manager; ours gives way to it if it is in the way."""
    enter, leave = cls.__enter__, cls.__exit__

    def hooked_enter(self: Any) -> Any:
        if getattr(self, "enabled", True) and is_in_the_way():
            session.user_profiler_starts(self)
        return enter(self)

    def hooked_exit(self: Any, *error: Any) -> Any:
        try:
            return leave(self, *error)
        finally:
            session.user_profiler_ends(self)

    cls.__enter__, cls.__exit__ = hooked_enter, hooked_exit
