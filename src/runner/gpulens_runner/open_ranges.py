"""The script's open ranges, and the step boundary that waits for one of them."""

from __future__ import annotations

import dataclasses


@dataclasses.dataclass
class _OpenRange:
    token: object
    name: object
    """Its name; None for a token without one."""
    step: int
    """The step in which it was opened."""
    ended_steps: int = 0
    """How many steps have ended in it."""


class OpenRanges:
    """Determines whether a step ends inside one of its own ranges.

    A step that ends inside a range opened during the step (`with record_function("train_step")`) ends with that range,
    so that the two nest. A range around the whole training was opened in an earlier step. A range around several steps
    (`with record_function("epoch")`) is recognised by its name if an earlier one of that name was around several, and
    otherwise when a second step ends in it.
    """

    def __init__(self) -> None:
        self._may_hold_several = False
        self._open: list[_OpenRange] = []
        self._holding_several: set[object] = set()
        """The names of ranges around several steps."""
        self._step = 0
        self._is_pending = False

    def counting_begins(self, may_hold_several: bool) -> None:
        """Steps of another kind are counted; `may_hold_several` says whether a range may be around several of them."""
        self._may_hold_several = may_hold_several
        self._is_pending = False
        for one in self._open:
            one.ended_steps = 0

    def opens(self, token: object) -> None:
        """A range has been opened."""
        self._open.append(_OpenRange(token, getattr(token, "name", None), self._step))

    def closes(self, token: object) -> bool:
        """A range has been closed; returns whether the step ends with it."""
        for index in range(len(self._open) - 1, -1, -1):
            if self._open[index].token is token:
                closed = self._open[index]
                if closed.ended_steps == 1:
                    # Each of several optimizers seems to end a step before it is known which one does.
                    self._holding_several.discard(closed.name)
                del self._open[index:]
                break
        return self._is_pending and not self._is_inside()

    def waits(self) -> bool:
        """A step is over; returns whether it still waits for a range to be closed."""
        has_waited = self._may_hold_several and self._is_pending
        for one in self._open:
            one.ended_steps += 1
            if self._may_hold_several and one.ended_steps > 1:
                self._holding_several.add(one.name)
        # A range that a script never closes would otherwise be waited for for ever.
        self._is_pending = not has_waited and self._is_inside()
        return self._is_pending

    def step_begins(self) -> None:
        """A new step has begun."""
        self._step += 1
        self._is_pending = False

    def _is_inside(self) -> bool:
        # Before the first boundary, a range around the whole training looks like one around a step.
        return self._step > 0 and any(
            one.step == self._step and one.name not in self._holding_several for one in self._open
        )
