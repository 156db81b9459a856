"""A profile that can be queried."""

from __future__ import annotations

import os
from typing import Any

from .command_line import ask, option_words
from .frames import Frames, frame_of, usual_frames


def open(path: str | os.PathLike[str], frames: Frames | None = None) -> Profile:  # noqa: A001
    """Opens a profile, a PyTorch trace or Nsight Systems report, for queries; its tables are returned as `frames`."""
    return Profile(path, frames)


class Profile:
    """Queries on one file. Each takes the options of its command: `ranges(step=3)` is `gpu-lens ranges --step 3`."""

    def __init__(self, path: str | os.PathLike[str], frames: Frames | None = None) -> None:
        self.path = os.path.abspath(path)
        if not os.path.exists(self.path):
            raise FileNotFoundError(f"{self.path} does not exist.")
        self._frames: Frames = frames or usual_frames()

    def info(self, **options: Any) -> dict[str, Any]:
        """Returns its contents: devices, counts, GPU work, busy and idle time in ns, notes."""
        return dict(self._ask("info", [], options))

    def ranges(self, **options: Any) -> Any:
        """Returns GPU and CPU time in ns by tagged range; `by="line"` by source line."""
        return self._table("ranges", [], options)

    def stats(self, report: str, **options: Any) -> Any:
        """Returns a report of nsys or PyTorch by its name, such as `cuda_gpu_kern_sum`."""
        return self._table("stats", ["-r", report], options)

    def findings(self, **options: Any) -> Any:
        """Returns what slows the GPU down, with evidence."""
        return self._table("findings", [], options)

    def query(self, statement: str, **options: Any) -> Any:
        """Returns the result of an SQL statement on the profile's tables."""
        return self._table("query", [statement], options)

    def __repr__(self) -> str:
        """Returns the call that opens it."""
        return f"gpulens.open({self.path!r})"

    def _table(self, command: str, words: list[str], options: dict[str, Any]) -> Any:
        return frame_of(self._ask(command, words, options), self._frames)

    def _ask(self, command: str, words: list[str], options: dict[str, Any]) -> Any:
        return ask([command, self.path, *words, *option_words(options)])
