"""The recordings of a session that triggers request, or a schedule: when each begins, and which goes first."""

from __future__ import annotations

import dataclasses
import time

from .guarded import never_raises
from .session_lifecycle import SessionLifecycle
from .session_state import ENDS, State
from .trigger import Due

_PATIENCE_SECONDS = 30.0
"""How long a request whose steps do not come holds up later ones: longer than any call of a module is waited for."""


class SessionRequests(SessionLifecycle):
    """Begins the recordings one after the other; requests come in another thread."""

    @property
    def trained(self) -> int:
        """How many steps of training have ended."""
        return self._agenda.trained

    def _become_idle(self) -> None:
        # A request, which another thread reads, may begin the next recording only after all of this.
        with self._beginning:
            self._go(State.IDLE)
            self._recordings.become_idle()
            self._context.config = self._agenda.base
            self._rest()
        if self._agenda.base.idle:
            self._begin_if_unseen()

    @never_raises
    def ask(self, due: Due) -> None:
        """Requests a recording, after earlier requests; called from another thread."""
        self._agenda.ask(due)
        if self._state in ENDS:
            self._refuse()
        else:
            self._begin_if_unseen()

    @never_raises
    def attend(self) -> None:
        """A request whose steps have not come for a while lets the next one pass: there may be no such steps. Called
        again and again from the thread that reads requests."""
        with self._beginning:
            before = time.monotonic() - _PATIENCE_SECONDS
            is_seeking = self._state is State.SEEKING and self._context.config.trigger is not None
            if is_seeking and not self._is_awake:
                self._is_awake = self.on_wake()
            if is_seeking and self._agenda.next_asked is not None and self._sought and self._sought.since < before:
                self._agenda.ask(dataclasses.replace(self._sought, at=None, since=time.monotonic()))
                self._become_idle()
            elif self._state is State.IDLE:
                self._agenda.let_pass(before)
                self._begin_if_unseen()

    def _begin_if_unseen(self) -> None:
        """Begins the next requested recording at once if no optimizer has stepped yet, or if it is not of training: its
        steps are seen only once module calls are reported."""
        due = self._agenda.next_asked
        if due is not None and (self.trained == 0 or not due.config.counts_training):
            self._begin_asked()

    def _begin_asked(self) -> None:
        # A request and the end of the recording before it may come at the same time, in two threads.
        with self._beginning:
            due = self._agenda.take_asked() if self._state is State.IDLE else None
            if due is None:
                return
            self._context.config = due.config
            self._sought = dataclasses.replace(due, since=time.monotonic())
            # First: a step that ends meanwhile would be one of the calls and replays from before.
            self._is_awake = self.on_wake()
            self._go(State.SEEKING)

    def _begin_when_due(self, what: str) -> None:
        """A step has ended in an idle session: the next one may be the first of a recording."""
        agenda = self._agenda
        if agenda.base.idle:
            if agenda.is_asked_now():
                self._begin_asked()
            return
        if what == "train" and agenda.trained == 1:
            # The schedule counts training steps; earlier recordings of inference do not count.
            agenda.restart()
            self._rest()
        if what != "train" and agenda.trained > 0:
            return
        if agenda.is_due(what):
            self._go(State.SEEKING)
            self.on_wake()
