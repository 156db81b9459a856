"""Decides which part of a script is recorded. `session_state.py` defines the states and their transitions.

Training supersedes inference: an evaluation that comes first is recorded. Then the session rests, which costs the
script nothing, until the first optimizer step begins the recording of training.

The opening, from the first range or module call on, is recorded too, and kept until steps have been recorded: it is the
only recording of a script with no or very few steps.
"""

from __future__ import annotations

import os
import threading

from .captures import holds_step, is_capturing
from .data_worker import is_data_worker
from .guarded import never_raises
from .loops import Loop
from .recorder import can_record_all_threads
from .session_requests import SessionRequests
from .session_state import WAITING_FOR_TRAINING, State
from .steps import Steps
from .wanted import is_wanted, is_wanted_rank, may_be_superseded
from .whole_calls import WholeCall, may_serve

_MOST_RESTARTS = 5
"""How often a capture makes steps begin again: a script may capture a graph in every step."""


class Session(SessionRequests):
    """What one process records."""

    @property
    def needs_calls(self) -> bool:
        """Whether module calls must be reported: not while waiting for a trigger, which then requests them."""
        return not (self._state is State.IDLE and self._agenda.base.idle)

    @property
    def is_asked_for_more(self) -> bool:
        """Whether triggers are accepted in this process."""
        return self._agenda.base.idle and self._state is not State.DONE

    @property
    def has_had_window(self) -> bool:
        """Whether a time window with torch work has ended."""
        return self._recordings.window.was_written

    @property
    def is_recorded_by_torch(self) -> bool:
        """Whether torch's profiler is what records, and not nsys, or nothing."""
        return self._agenda.base.profiler == "pytorch"

    @property
    def notes_tags(self) -> bool:
        """Whether ranges that are opened now belong in a sidecar."""
        if self._state is State.IDLE:
            return False
        return self._recordings.window.is_open or (self.is_active and not self._recordings.is_complete)

    @never_raises
    def work_begins(self) -> None:
        """A range, module call or optimizer step begins: the first one starts the recording of the opening."""
        recordings = self._recordings
        if recordings.graphs.is_over and self._may_act():
            recordings.graphs.finish()
        if recordings.opening.exists:
            if recordings.opening.is_running_here and self._may_act():
                recordings.limit_opening()
        elif self._has_opening() and recordings.steps is None and self._may_act():
            # A thread that only helps may end or idle before steps are taken, and then could not stop its recording.
            is_helper = threading.current_thread() is not threading.main_thread()
            if not is_helper or can_record_all_threads():
                recordings.begin_opening(everywhere=is_helper or may_serve())

    def _has_opening(self) -> bool:
        """Returns whether there is an opening to record: not if steps are awaited, because it is long over."""
        return self._state is not State.IDLE and self.is_recorded_by_torch and not self._agenda.base.waits

    @never_raises
    def capture_begins(self) -> None:
        """A GPU graph is about to be captured: the steps so far, and those until a replay, are warm-up of graphs. The
        capture is recorded."""
        is_main = threading.current_thread() is threading.main_thread()
        if not self._may_act() or not self._recordings.is_in_thread or not is_main:
            return
        if self._recordings.steps is not None and not self._seeks_again():
            return
        self._recordings.graphs.begins()
        if self._has_opening() and is_wanted_rank(self._context.config):
            self._recordings.record_captures(everywhere=may_serve())

    def _seeks_again(self) -> bool:
        """Drops the steps that are being recorded, if it may; finished recordings stay."""
        steps = self._recordings.steps
        if steps is None or not steps.may_begin_again or self._state not in (State.COUNTING, State.RESTING):
            return False
        # A script may capture graphs again and again.
        if self._has_replayed and (steps.is_recorded or self._restarts == _MOST_RESTARTS):
            return False
        self._restarts += 1
        self._recordings.supersede_steps()
        self._go(State.SEEKING)
        self.on_wake()
        return True

    @never_raises
    def capture_fails(self) -> None:
        """The capture that has just begun has failed: there is no graph to be replayed."""
        self._recordings.graphs.replays()

    @never_raises
    def graph_replays(self) -> None:
        """A GPU graph has been replayed. What that changes is done when a step ends: torch may restore the state of
        this thread before, and a profiler that was stopped meanwhile would end the process."""
        self._has_replayed = True
        if self._recordings.graphs.awaits_replay and self._process == os.getpid():
            self._recordings.graphs.replays()
            if self._state is State.SEEKING:
                self.on_wake()

    @property
    def awaits_end_of_captures(self) -> bool:
        """Whether captures are over, and their recording must be ended at the next moment that allows it."""
        return self._recordings.graphs.is_over

    @never_raises
    def range_replays(self) -> None:
        """A GPU graph has been replayed in which the range that is a step was captured: a step, unless the script has
        such a range around its replays as well."""
        if not self._has_range_steps:
            self.step_ends("range")
            self._has_range_steps = False

    @never_raises
    def range_opens(self, token: object) -> None:
        """One of the script's ranges has been opened."""
        if self._may_act() and self._recordings.is_in_thread:
            self._recordings.ranges.opens(token)

    @never_raises
    def range_closes(self, token: object) -> None:
        """One of the script's ranges has been closed; a range that was opened before this process began is unknown."""
        if self._may_act() and self._recordings.is_in_thread and self._recordings.ranges.closes(token):
            self._end_step()

    @never_raises
    def step_ends(self, what: str, call: WholeCall | None = None) -> None:
        """An optimizer has stepped, a module has been called, or the range or call that is a step has ended."""
        if is_capturing():
            holds_step(what)
        if not self._may_act():
            return
        self._has_range_steps |= what == "range"
        if self._recordings.graphs.awaits_replay:
            self._recordings.graphs.step_ends()
            self._agenda.count(what)
            self._context.loops.step_ends(what, call)
            return
        if self._recordings.graphs.is_over:
            self._recordings.graphs.finish()
        self._agenda.count(what)
        if self._state is State.IDLE:
            self._begin_when_due(what)
            return
        loop = self._context.loops.step_ends(what, call)
        if self._context.config.profiler == "loops":
            return
        # In another thread, this request may let the next one pass.
        with self._beginning:
            if not self._takes(what, loop):
                return
        self._recordings.claim_thread()
        # The profiler must be stepped by the thread that started it.
        if self._recordings.is_in_thread and not self._recordings.ranges.waits():
            self._end_step()

    @never_raises
    def user_profiler_starts(self, profiler: object) -> None:
        """The script profiles itself: two profilers at once would cost the outer one its data, so ours gives way.

        A time window ends here and keeps its recording, or begins when the script's profiler has ended.
        """
        if self._process != os.getpid():
            return
        self._own_profilers.starts(profiler)
        self.window_closes("user-profiler")
        if self._state is not State.PASSIVE:
            self._recordings.give_way()
        if self._state is not State.DONE:
            self._go(State.PASSIVE)
        if (trigger := self._context.config.trigger) is not None:
            self._context.config = self._agenda.base
            self._tell_refused(trigger)
        self._refuse()
        self._own_profilers.tell()

    def user_profiler_ends(self, profiler: object) -> None:
        """A profiler has ended, which may not be the script's."""
        self._own_profilers.ends(profiler)

    @never_raises
    def user_exported(self, path: str) -> None:
        """The script has written a trace of its own."""
        self._own_profilers.exported(path)

    @property
    def may_open_window(self) -> bool:
        """Whether a time window may still be requested: once there are steps, these are recorded."""
        return self.is_active and self._recordings.steps is None and not self._agenda.base.waits

    @property
    def is_free(self) -> bool:
        """Whether a window could begin now: another thread's opening must first be ended by that thread, and the
        script's own profilers must have ended."""
        held = self._recordings.held
        if held is not None:
            return held.is_running_here
        return not self._own_profilers.are_running

    def window_opens(self) -> bool:
        """Begins the time window in place of steps. Returns whether it began: it does not if steps were found, or if
        the script profiles itself."""
        wanted = self._context.config.step == "window" or self.may_open_window
        if wanted and not is_data_worker():
            self._open_window()
        return self._recordings.window.is_open

    @never_raises
    def _open_window(self) -> None:
        self._go(State.PASSIVE)
        self._recordings.opening.stop()
        self._recordings.graphs.finish()
        self._recordings.window.open()

    def _end_step(self) -> None:
        recordings, config = self._recordings, self._context.config
        steps = recordings.steps
        assert steps is not None
        recordings.ranges.step_begins()
        # Forward calls may be only the beginning of a larger step: then the opening continues as long as it can.
        if steps.what != "forward" or steps.will_record():
            recordings.opening.stop()
        if recordings.held is not None and steps.will_record():
            return  # Another thread's recording must end first: this step is not counted.
        was_recorded = steps.is_recorded
        steps.end_one()
        if steps.is_recorded and not was_recorded:
            recordings.opening.forget()
            self._tell_loops()
            if steps.what in ("train", "range"):
                self._rest()
        if config.stops and steps.may_stop and self._agenda.is_at_last:
            self._script_end.ask(may_be_superseded(steps.what, config))
        if steps.is_done and self._state is State.COUNTING:
            self._end_recording(steps)

    def _end_recording(self, steps: Steps) -> None:
        """Nothing is left to do for these steps: the session is done, or waits for more."""
        if not may_be_superseded(steps.what, self._context.config):
            self._context.memory_history.write("complete")
        self._end_trigger()
        if self._agenda.ends_one():
            self._become_idle()
            return
        # A script that must end keeps its hooks: its calls notice when the end is due.
        if self._script_end.is_planned:
            self._go(State.AWAITING)
            return
        self._go(State.RESTING if may_be_superseded(steps.what, self._context.config) else State.DONE)
        self._rest()

    def _takes(self, what: str, loop: Loop) -> bool:
        """Returns whether a step of this kind counts, and starts counting at the first one.

        Training has precedence: calls before it were an evaluation.
        """
        place = self._context.config.step_place
        is_elsewhere = place is not None and not loop.is_at(*place)
        if is_elsewhere or not is_wanted(what, self._context.config, self.trained):
            return False
        steps = self._recordings.steps
        if steps is not None and steps.may_give_way(what, loop):
            self._recordings.supersede_steps()
            self._go(State.SEEKING)
            steps = None
        if steps is not None and not steps.is_of(what, loop):
            if what != "train" or place is not None:
                self._script_end.end_when_due()
                return False
            self._supersede()
            steps = None
        elif self._state in WAITING_FOR_TRAINING:
            self._script_end.end_when_due()
            return False
        if self._state is State.IDLE:
            return False  # Training has superseded inference, and its schedule begins.
        if steps is None:
            if not is_wanted_rank(self._context.config):
                self._leave_out()
                return False
            if (trigger := self._context.config.trigger) is not None:
                self._context.tell("trigger", id=trigger, state="taken", step=self.trained)
            self._go(State.COUNTING)
            steps = self._recordings.begin_steps(what, loop.unit, self._agenda.counted(what) - 1, self._agenda.behind)
            # A timer measures the script by itself, so module calls are reported only while steps are sought.
            if self._context.config.profiler != "pytorch" and what in ("train", "range"):
                self._rest()
        steps.loop = loop
        return True

    def _supersede(self) -> None:
        """Training begins: finished recordings of other steps stay, the rest is dropped."""
        self._recordings.supersede_steps()
        self._script_end.forget()
        agenda = self._agenda
        if agenda.base.waits and not agenda.base.idle:
            agenda.restart()
            self._become_idle()
            return
        is_resting = self._state is State.RESTING
        self._go(State.SEEKING)
        if is_resting:
            self.on_wake()

    def _leave_out(self) -> None:
        """Another rank is recorded: drops everything of this process."""
        self._recordings.drop_opening()
        if self._agenda.base.idle:
            self._become_idle()
        else:
            self._go(State.DONE)
            self._rest()
