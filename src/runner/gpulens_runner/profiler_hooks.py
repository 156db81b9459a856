"""Hooks into the script's own profilers: ours gives way to them, and notes what they export."""

from __future__ import annotations

from typing import Any

from .recorder import is_ours
from .session import Session


def hook_profilers(session: Session) -> None:
    """Hooks `torch.profiler.profile` and the older `torch.autograd.profiler.profile`."""
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
    enter, leave, old_export = old.__enter__, old.__exit__, old.export_chrome_trace

    def hooked_enter(self: Any) -> Any:
        # The newer profiler contains one of these, and never enters it.
        if getattr(self, "enabled", True):
            session.user_profiler_starts(self)
        return enter(self)

    def hooked_exit(self: Any, *error: Any) -> Any:
        try:
            return leave(self, *error)
        finally:
            session.user_profiler_ends(self)

    def old_export_chrome_trace(self: Any, path: Any, *args: Any, **options: Any) -> Any:
        result = old_export(self, path, *args, **options)
        if not exporting:
            session.user_exported(str(path))
        return result

    old.__enter__, old.__exit__, old.export_chrome_trace = hooked_enter, hooked_exit, old_export_chrome_trace
