"""Modules that are handed over when somebody imports them, and Inductor's functions that are wrapped then."""

from __future__ import annotations

import pathlib
import sys
import types
from typing import Any

import pytest
from conftest import RUNNER

sys.path.insert(0, str(RUNNER))

from gpulens_runner.after_import import after_import  # noqa: E402 -- the runner is no installed package.
from gpulens_runner.compiled_kernels import CompiledKernels  # noqa: E402
from gpulens_runner.source_paths import SourcePaths  # noqa: E402


def write_module(folder: pathlib.Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    (folder / f"{name}.py").write_text("value = 3\n")
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.setattr(sys, "meta_path", list(sys.meta_path))
    monkeypatch.delitem(sys.modules, name, raising=False)


def test_a_module_is_handed_over_once_it_is_loaded(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_module(tmp_path, monkeypatch, "gpl_later")
    values: list[int] = []
    after_import("gpl_later", lambda module: values.append(module.value))
    assert values == []
    import gpl_later  # type: ignore[import-not-found]

    assert values == [gpl_later.value] == [3]


def test_a_finder_that_another_one_asks_lets_the_import_be(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_module(tmp_path, monkeypatch, "gpl_wrapped")
    values: list[int] = []
    after_import("gpl_wrapped", lambda module: values.append(module.value))

    class Asking:
        """What some import hooks do: it stands in the finders' place, and asks them."""

        finders = list(sys.meta_path)

        def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
            found = (finder.find_spec(name, path, target) for finder in self.finders)
            return next((spec for spec in found if spec is not None), None)

    sys.meta_path = [Asking()]  # type: ignore[list-item]
    import gpl_wrapped  # type: ignore[import-not-found]

    assert values == [gpl_wrapped.value] == [3]


def test_what_is_wrapped_takes_what_it_is_called_with(monkeypatch: pytest.MonkeyPatch) -> None:
    class Graph:
        def __init__(self, *args: Any, **options: Any) -> None:
            self.called = (args, options)

        def after_deserialization(self, *args: Any, **options: Any) -> Any:
            return args, options

    def returned(*args: Any, **options: Any) -> Any:
        return args, options

    modules = {
        "debug": {"set_kernel_post_grad_provenance_tracing": returned},
        "compile_fx": {"compile_fx": returned},
        "output_code": {"CompiledFxGraph": Graph},
    }
    for name, members in modules.items():
        module = types.ModuleType(name)
        vars(module).update(members)
        monkeypatch.setitem(sys.modules, f"torch._inductor.{name}", module)
    CompiledKernels(SourcePaths("", "/nowhere")).install()
    modules_now = {name: sys.modules[f"torch._inductor.{name}"] for name in modules}
    named = {"model_": 1, "graph": 2, "nodes": 3, "kernel": 4, "node_schedule": [], "kernel_name": 5}
    assert modules_now["compile_fx"].compile_fx(**named) == ((), named)
    assert modules_now["debug"].set_kernel_post_grad_provenance_tracing(**named) == ((), named)
    graph = modules_now["output_code"].CompiledFxGraph(7, **named)
    assert graph.called == ((7,), named)
    assert graph.after_deserialization(8, **named) == ((8,), named)
