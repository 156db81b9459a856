"""The data types that one step uses: for modules those of parameters, inputs, outputs and gradients; for ranges those
of operators.

Hooks on modules see their inputs and outputs; a dispatch mode sees every operator, including casts, also in backward.
"""

from __future__ import annotations

from typing import Any

import torch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves

from .precision_rows import PrecisionRow, folded
from .tags import Tags
from .work import Unsupported, Work

_CASTS = (torch.ops.aten._to_copy.default, torch.ops.aten.copy_.default)


def precision_map(work: Work) -> list[dict[str, Any]]:
    """Runs one step and returns a row per module and range, with similar rows folded. Raises Unsupported."""
    if work.model is None:
        raise Unsupported("A precision map needs the model: return the pair of the step and the module.")
    watch = _Watch(work.model)
    Tags.are_open = True
    with watch:
        result = work.run(lambda _phase: None)
    watch.see_gradients()
    rows = list(watch.rows.values())
    if isinstance(result, torch.Tensor):
        rows.append(PrecisionRow("(result of the step)", "result", outputs={_name(result)}))
    return [row.to_json() for row in folded(rows)]


class _Watch(TorchDispatchMode):
    def __init__(self, model: torch.nn.Module) -> None:
        super().__init__()
        self._model = model
        self._names = {module: name or "(model)" for name, module in model.named_modules()}
        self._open: list[PrecisionRow] = []
        self._ranges: list[PrecisionRow] = []
        self._handles: list[Any] = []
        self._range_methods: tuple[Any, Any] = (None, None)
        self.rows: dict[tuple[str, str], PrecisionRow] = {}

    def __enter__(self) -> _Watch:
        for module in self._names:
            self._handles.append(module.register_forward_pre_hook(self._enter_module, with_kwargs=True))
            self._handles.append(module.register_forward_hook(self._leave_module, always_call=True))
        self._watch_ranges()
        super().__enter__()
        return self

    def __exit__(self, *error: Any) -> None:
        super().__exit__(*error)
        for handle in self._handles:
            handle.remove()
        record_function = torch.autograd.profiler.record_function
        record_function.__enter__, record_function.__exit__ = self._range_methods  # type: ignore[method-assign]

    def __torch_dispatch__(self, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        """Runs an operator and notes its types; a cast belongs to the innermost module, else to backward."""
        kwargs = kwargs or {}
        result = function(*args, **kwargs)
        given = [leaf for leaf in tree_leaves((args, kwargs)) if isinstance(leaf, torch.Tensor)]
        if self._ranges:
            self._ranges[-1].inputs.update(map(_name, given))
            self._ranges[-1].outputs.update(_names_in(result))
        if function in _CASTS and given and isinstance(result, torch.Tensor) and given[-1].dtype != result.dtype:
            owner = self._open[-1] if self._open else self._row("(outside modules)", "backward")
            owner.cast(_name(given[-1]), _name(result))
            if self._ranges:
                self._ranges[-1].cast(_name(given[-1]), _name(result))
        return result

    def see_gradients(self) -> None:
        """Notes the types of the gradients after the step."""
        for name, module in self._model.named_modules():
            grads = [parameter.grad for parameter in module.parameters(recurse=False)]
            self._row(name or "(model)", type(module).__name__).gradients.update(
                _name(grad) for grad in grads if grad is not None
            )

    def _row(self, name: str, kind: str) -> PrecisionRow:
        return self.rows.setdefault((name, kind), PrecisionRow(name, kind))

    def _open_range(self, name: str) -> PrecisionRow:
        is_first = (name, "range") not in self.rows
        row = self._row(name, "range")
        row.count += not is_first
        return row

    def _enter_module(self, module: torch.nn.Module, args: Any, kwargs: Any) -> None:
        row = self._row(self._names[module], type(module).__name__)
        row.parameters.update(_name(parameter) for parameter in module.parameters(recurse=False))
        row.inputs.update(_names_in((args, kwargs)))
        self._open.append(row)

    def _leave_module(self, _module: torch.nn.Module, _args: Any, output: Any) -> None:
        self._open.pop().outputs.update(_names_in(output))

    def _watch_ranges(self) -> None:
        record_function = torch.autograd.profiler.record_function
        enter, leave = self._range_methods = (record_function.__enter__, record_function.__exit__)

        def enter_range(opened: Any) -> Any:
            self._ranges.append(self._open_range(opened.name))
            return enter(opened)

        def leave_range(opened: Any, *error: Any) -> Any:
            if self._ranges:
                self._ranges.pop()
            return leave(opened, *error)

        record_function.__enter__, record_function.__exit__ = enter_range, leave_range  # type: ignore[method-assign]


def _names_in(value: Any) -> list[str]:
    return [_name(leaf) for leaf in tree_leaves(value) if isinstance(leaf, torch.Tensor)]


def _name(tensor: torch.Tensor) -> str:
    return str(tensor.dtype).replace("torch.", "")
