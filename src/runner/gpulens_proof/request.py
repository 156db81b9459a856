"""What a run of a proof must record. It is passed to every process of the run in one environment variable."""

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
    """Whether to inspect the work in detail. Such a run is not timed."""
    compiles: bool = False
    """Whether such a run lets torch.compile compile. It then counts no operations and sees no calls of modules."""
    kind: str = ""
    """The kind of step in a timed run: train, backward, infer, or empty if the whole run is timed."""
    warmup: int = 0
    """Number of steps before the clock starts."""
    steps: int = 0
    """The step at whose end the clock stops."""
    since: float = 0.0
    """When both commits had been checked out, in seconds since 1970: what was written later is the result of a run."""
    own: tuple[str, ...] = ()
    """The folders that are new for each run: its worktree and its temporary folder."""
    checkout: str = ""
    """The user's own checkout, whose code must not run."""
    same: dict[str, str] | None = None
    """The function that returns what must be the same: its `module` and `name`, `base`: the folder of the base, and
    `subfolder`: the path from there to the folder in which the command runs."""

    @staticmethod
    def from_environment() -> Request | None:
        """Returns the request for this process; None if it does not belong to a proof."""
        text = os.environ.get(VARIABLE)
        if not text:
            return None
        known = {field.name for field in dataclasses.fields(Request)}
        members: dict[str, Any] = {key: value for key, value in json.loads(text).items() if key in known}
        return Request(**{**members, "own": tuple(os.path.realpath(path) for path in members.get("own", ()))})
