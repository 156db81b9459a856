"""Rows of a precision map; layers that repeat share a row."""

from __future__ import annotations

import dataclasses
import re
from typing import Any

_NUMBER = re.compile(r"(?<=[._])\d+(?=\.|$)")


@dataclasses.dataclass
class PrecisionRow:
    """The data types of a module, a range, or the result of a step."""

    name: str
    kind: str
    """The module's class, `range`, `result`, or `backward`."""
    parameters: set[str] = dataclasses.field(default_factory=set)
    inputs: set[str] = dataclasses.field(default_factory=set)
    outputs: set[str] = dataclasses.field(default_factory=set)
    gradients: set[str] = dataclasses.field(default_factory=set)
    casts: dict[tuple[str, str], int] = dataclasses.field(default_factory=dict)
    count: int = 1
    """Number of modules, or openings of ranges, that the row represents: its casts are the sum of theirs."""

    def cast(self, before: str, after: str) -> None:
        """Counts a cast."""
        self.casts[before, after] = self.casts.get((before, after), 0) + 1

    def take(self, other: PrecisionRow, name: str) -> None:
        """Merges another row with the same types."""
        self.name = name
        self.count += other.count
        for types, count in other.casts.items():
            self.casts[types] = self.casts.get(types, 0) + count

    def to_json(self) -> dict[str, Any]:
        """Returns the row as the extension reads it."""
        sets = {key: sorted(getattr(self, key)) for key in ("parameters", "inputs", "outputs", "gradients")}
        casts = [{"from": before, "to": after, "count": count} for (before, after), count in sorted(self.casts.items())]
        return {"name": self.name, "kind": self.kind, "count": self.count, **sets, "casts": casts}


def folded(rows: list[PrecisionRow]) -> list[PrecisionRow]:
    """Returns the rows. Rows with the same types and names that differ only in numbers become one: `layers.N.ffn`."""
    found: dict[str, PrecisionRow] = {}
    for row in rows:
        name = _NUMBER.sub("N", row.name)
        types = {key: value for key, value in row.to_json().items() if key != "name"}
        key = f"{name} {types}"
        if key in found:
            found[key].take(row, name)
        else:
            found[key] = dataclasses.replace(row, casts=dict(row.casts))
    return list(found.values())
