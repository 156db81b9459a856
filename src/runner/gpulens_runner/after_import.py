"""Passes on modules of torch that are imported later, or never."""

from __future__ import annotations

import importlib.abc
import sys
from typing import Any, Callable


def after_import(name: str, loaded: Callable[[Any], None], loading: Callable[[], None] | None = None) -> None:
    """Calls `loaded` with a module: now, or once it has been imported. Calls `loading` before it is imported."""
    module = sys.modules.get(name)
    if module is not None:
        loaded(module)
    else:
        sys.meta_path.insert(0, _Finder(name, loaded, loading))


class _Finder(importlib.abc.MetaPathFinder):
    """Lets the other finders find a module, and passes it on once it has been loaded."""

    def __init__(self, module: str, loaded: Callable[[Any], None], loading: Callable[[], None] | None) -> None:
        self._module = module
        self._loaded = loaded
        self._loading = loading
        self._is_over = False

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        if name != self._module or self._is_over:
            return None
        self._is_over = True
        # Code that has replaced the list may still call this finder.
        if self in sys.meta_path:
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
                if self._loading is not None:
                    self._loading()
                load(module)
                self._loaded(module)

            spec.loader.exec_module = exec_module  # type: ignore[union-attr, method-assign]
        return spec
