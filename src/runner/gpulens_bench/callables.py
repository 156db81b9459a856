"""The user's own step: `module:function` names a function that returns the step."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import os
import sys
from typing import Any, Callable

from .point import Point
from .work import NoStep, Work, count_parameters


def callable_work(point: Point) -> Work:
    """Returns the step that the user's function returns for a point.

    The function is called with the point if it takes an argument. It returns the step, which is a function without
    arguments, or a pair of the step and the module whose parameters are counted.
    """
    name = point.function or ""
    function = _load(name)
    made = function(point) if _takes_argument(function) else function()
    step, model = made if isinstance(made, tuple) and len(made) == 2 else (made, None)
    if not callable(step):
        what = "nothing" if step is None else f"a {type(step).__name__}"
        raise NoStep(f"{name} returned {what}: it must return a function that runs one step.")
    every, without_embedding = (None, None) if model is None else count_parameters(model)
    tokens = None if point.batch is None or point.context_length is None else point.batch * point.context_length
    return Work(lambda _mark: step(), every, without_embedding, samples=point.batch, tokens=tokens, model=model)


def _load(name: str) -> Callable[..., Any]:
    module_name, _, function_name = name.rpartition(":")
    if not module_name or not function_name:
        raise NoStep(f'"{name}" names no function: write module:function or path/to/file.py:function.')
    sys.path.insert(0, os.getcwd())
    module = _from_file(module_name) if module_name.endswith(".py") else importlib.import_module(module_name)
    found: Any = module
    for part in function_name.split("."):
        found = getattr(found, part, None)
    if not callable(found):
        raise NoStep(f"{module_name} has no function {function_name}.")
    return found


def _from_file(path: str) -> Any:
    name = os.path.splitext(os.path.basename(path))[0]
    sys.path.insert(0, os.path.dirname(os.path.abspath(path)))
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise NoStep(f"{path} is no Python file.")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def _takes_argument(function: Callable[..., Any]) -> bool:
    positional = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    try:
        parameters = inspect.signature(function).parameters.values()
    except ValueError:
        return False
    return any(parameter.kind in positional for parameter in parameters)
