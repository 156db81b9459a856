"""The script's open ranges, and the step boundary that waits for one of them."""

from __future__ import annotations


class OpenRanges:
    """Determines whether a step ends inside one of its own ranges.

    A step that ends inside a range opened during the step (`with record_function("train_step")`) ends with that range,
    so that the two nest. A range around the whole training was opened in an earlier step.
    """

    def __init__(self) -> None:
        self._open: list[tuple[object, int]] = []
        self._step = 0
        self._is_pending = False

    def opens(self, token: object) -> None:
        """A range has been opened."""
        self._open.append((token, self._step))

    def closes(self, token: object) -> bool:
        """A range has been closed; returns whether the step ends with it."""
        for index in range(len(self._open) - 1, -1, -1):
            if self._open[index][0] is token:
                del self._open[index:]
                break
        return self._is_pending and not self._is_inside()

    def waits(self) -> bool:
        """A step is over; returns whether it still waits for a range to be closed."""
        self._is_pending = self._is_inside()
        return self._is_pending

    def step_begins(self) -> None:
        """A new step has begun."""
        self._step += 1
        self._is_pending = False

    def _is_inside(self) -> bool:
        # Before the first boundary, a range around the whole training looks like one around a step.
        return self._step > 0 and any(opened == self._step for _, opened in self._open)
