"""What a run of a proof is asked to tell. It travels to every process of the run in one environment variable."""

from __future__ import annotations

import dataclasses
import json
import os
from typing import Any

VARIABLE = "GPULENS_PROOF"


@dataclasses.dataclass(frozen=True)
class Request:
    """The options of one run, as `src/launch/prove/run-side.ts` writes them."""

    folder: str
    """Where each process leaves its record."""
    detail: bool = False
    """Whether the work is looked at closely. Such a run is not timed."""
    kind: str = ""
    """What a step is in a timed run: train, backward, infer, or empty where the whole run is timed."""
    warmup: int = 0
    """How many steps pass before the clock starts."""
    steps: int = 0
    """The step at whose end the clock stops."""
    since: float = 0.0
    """When the proof began, in seconds since 1970: a file that was written later was left by a run."""
    own: tuple[str, ...] = ()
    """The folders that each run finds as new: its worktree and its temporary folder."""
    checkout: str = ""
    """The person's own checkout, whose code is not to run."""
    same: dict[str, str] | None = None
    """The function that returns what must be the same: `module`, `name`, and the `file` at the base, if it has one."""

    @staticmethod
    def from_environment() -> Request | None:
        """Returns what is asked of this process, None where it belongs to no proof."""
        text = os.environ.get(VARIABLE)
        if not text:
            return None
        known = {field.name for field in dataclasses.fields(Request)}
        members: dict[str, Any] = {key: value for key, value in json.loads(text).items() if key in known}
        return Request(**{**members, "own": tuple(os.path.realpath(path) for path in members.get("own", ()))})
