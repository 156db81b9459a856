"""Our own failures end the profiling, and never the user's script."""

from __future__ import annotations

import functools
from typing import Any, Callable, Protocol, TypeVar, cast

Method = TypeVar("Method", bound=Callable[..., None])


class _GivesUp(Protocol):
    def give_up(self, message: str) -> None: ...


def never_raises(method: Method) -> Method:
    """Makes a failure in a method end the profiling."""

    @functools.wraps(method)
    def guarded(self: _GivesUp, *arguments: Any) -> None:
        try:
            method(self, *arguments)
        except Exception as error:
            self.give_up(f"Profiling stopped: {type(error).__name__}: {error}")

    return cast(Method, guarded)
