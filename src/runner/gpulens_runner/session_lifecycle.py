"""The life of a session: its state, its recordings, and its end."""

from __future__ import annotations

import os
import threading
from typing import Callable

from .agenda import Agenda
from .backward import is_in_backward
from .captures import is_capturing
from .context import Context
from .data_worker import is_data_worker
from .guarded import never_raises
from .own_profilers import OwnProfilers
from .recorder import end_abandoned
from .recordings import Recordings
from .script_end import ScriptEnd
from .session_state import ACTIVE, State, may_follow
from .trigger import Due


class SessionLifecycle:
    """The recording of one process: begun, begun again in a forked child, and ended."""

    on_rest: Callable[[], None]
    """Called when module calls need no longer be reported."""

    on_wake: Callable[[], bool]
    """Called when steps are sought anew, for which module calls must be reported; returns False if it must be called
    again later."""

    leaves_children: bool
    """Whether forked processes record nothing."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self.on_rest, self.on_wake = lambda: None, lambda: True
        self.leaves_children = False
        self._begin()

    def _begin(self) -> None:
        self._process = os.getpid()
        self._recordings = Recordings(self._context)
        self._script_end = ScriptEnd(self._context, self.flush)
        self._own_profilers = OwnProfilers(self._context)
        config = self._context.config
        self._agenda = Agenda(config)
        # Reentrant: the script's signal handlers may call modules, too.
        self._beginning = threading.RLock()
        self._restarts = 0
        """How often steps began again because a graph was captured."""
        self._sought: Due | None = None
        """The request whose steps are sought, or were sought last."""
        self._is_awake = True
        """Whether calls of modules are reported, if the request needs that."""
        self._has_replayed = self._has_range_steps = False
        self._state = State.PASSIVE if config.step == "window" else State.IDLE if config.waits else State.SEEKING

    def _go(self, state: State) -> None:
        """Changes the state; the state changes only here."""
        with self._beginning:
            assert may_follow(state, self._state), f"{self._state.name} to {state.name}"
            self._state = state

    def reset(self) -> None:
        """Starts again: a forked child has its parent's state, but not its profiler."""
        if self.is_recording or self._recordings.held is not None:
            end_abandoned()
        if self._context.config.trigger is not None:
            self._context.config = self._agenda.base
        self._begin()

    @property
    def is_active(self) -> bool:
        """Whether steps are still counted in this process."""
        return self._state in ACTIVE

    @property
    def is_recording(self) -> bool:
        """Whether a profiler of ours runs."""
        return self._recordings.is_running

    @never_raises
    def window_closes(self, why: str = "complete") -> None:
        """Ends the time window; the recording of a process without torch work is dropped."""
        with self._context.writing:
            if self._recordings.window.close(why):
                self._recordings.opening.forget()

    def give_up(self, message: str) -> None:
        """Our own code failed: writes the recording, and from then on the script runs without us."""
        self._context.tell("error", message=message)
        # Further failures during that are not reported, and the recording handles them.
        if self._state not in (State.FAILED, State.DONE):
            self._go(State.FAILED)
            self._wind_up()
            self._refuse()

    def _wind_up(self) -> None:
        """Ends the failed recording. Only the thread that started it can; any other thread leaves that to it."""
        if not self._recordings.may_end_here or is_in_backward() or is_capturing():
            return
        try:
            with self._context.writing:
                self._flush("error")
        except Exception as error:
            self._context.tell("error", message=f"What was recorded is lost: {type(error).__name__}: {error}")
        finally:
            self._rest()

    def _rest(self) -> None:
        self._context.loops.pause()
        self.on_rest()

    def _tell_loops(self) -> None:
        if loops := self._context.loops.to_json():
            self._context.tell("loops", loops=loops)

    @never_raises
    def flush(self, why: str) -> None:
        """The process ends: writes the recording so far. Only the process that recorded may do so."""
        if self._process == os.getpid():
            with self._context.writing:
                self.window_closes(why)
                self._flush(why)
                self._context.memory_history.write(why)
                self._tell_loops()

    def _flush(self, why: str) -> None:
        if self._state is State.IDLE and not self._agenda.base.idle:
            self._context.tell("skipped", steps=self._agenda.most_counted)
        self._go(State.DONE)
        try:
            self._recordings.write_rest(why)
        finally:
            self._end_trigger()

    def _refuse(self) -> None:
        """Tells that what triggers have asked for, and what has not begun, is not recorded any more."""
        while (due := self._agenda.take_asked()) is not None:
            self._tell_refused(due.config.trigger)

    def _tell_refused(self, trigger: str | None) -> None:
        self._context.tell("trigger", id=trigger, state="refused", step=self._agenda.trained)

    def _end_trigger(self) -> None:
        if (trigger := self._context.config.trigger) is not None:
            self._context.tell("trigger", id=trigger, state="done", step=self._agenda.trained)

    def _may_act(self) -> bool:
        if self._process != os.getpid():
            if self.leaves_children:
                return False
            self.reset()
        if self._state is State.FAILED:
            self._wind_up()
            return False
        return self.is_active and not is_data_worker() and not is_in_backward() and not is_capturing()
