"""Converts rows to frames of the installed library."""

from __future__ import annotations

import importlib
import importlib.util
from typing import Any, Literal

Frames = Literal["pandas", "polars", "rows"]
"""The type of tables; `rows` is a list of dicts."""


def usual_frames() -> Frames:
    """Returns pandas if it is installed, else polars, else rows."""
    if importlib.util.find_spec("pandas"):
        return "pandas"
    return "polars" if importlib.util.find_spec("polars") else "rows"


def frame_of(rows: list[dict[str, Any]], frames: Frames) -> Any:
    """Returns rows as a frame. Whole numbers stay whole if some are missing, because a double cannot hold a large time
    in ns.

    Raises ImportError if the library is not installed, ValueError if `frames` is none of these.
    """
    if frames == "rows":
        return rows
    if frames == "pandas":
        pandas = importlib.import_module("pandas")
        columns = {name: [row.get(name) for row in rows] for name in _names(rows)}
        return pandas.DataFrame({name: pandas.array(values, dtype=_type(values)) for name, values in columns.items()})
    if frames == "polars":
        return importlib.import_module("polars").DataFrame(rows, infer_schema_length=None)
    raise ValueError(f"frames is pandas, polars or rows; not {frames!r}.")


def _names(rows: list[dict[str, Any]]) -> list[str]:
    return list({name: None for row in rows for name in row})


def _type(values: list[Any]) -> str:
    """Returns pandas' type for values that may be missing."""
    kinds = {type(value) for value in values if value is not None}
    if not kinds:
        return "object"
    if kinds == {bool}:
        return "boolean"
    if kinds == {int} and all(value is None or abs(value) < 2**63 for value in values):
        return "Int64"
    if kinds <= {int, float}:
        return "Float64"
    return "string" if kinds == {str} else "object"
