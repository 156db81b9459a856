"""Decides what of a script is recorded. `session_state.py` has the states, and which may follow which.

    idle ──▶ seeking ──▶ counting ──▶ resting ──▶ seeking (training supersedes inference)
     ▲          │           │  │         │
     └──────────│───────────┘  └─────────┴──▶ done
                └─ the script ends, or takes too long to a step: its opening is written

A run that waits, for triggers or by a schedule, begins idle, and is idle again after each recording.

Training supersedes inference: an evaluation that comes first is recorded, then the session rests, which costs the
script nothing, and the first optimizer step begins the recording of training.

The opening, from the first range or module call on, is recorded too and kept until steps have been: it is what there is
of a script without steps, or with very few.
"""

from __future__ import annotations

import collections
import functools
import os
import threading
import time
import weakref
from typing import Any, Callable, TypeVar, cast

import torch

from .context import Context
from .data_worker import is_data_worker
from .events import has_recorded_steps
from .loops import Loop
from .open_ranges import OpenRanges
from .output import save
from .ranks import rank_and_world
from .recorder import Recording, end_abandoned
from .session_state import ACTIVE, WAITING_FOR_TRAINING, State, may_follow
from .steps import Steps
from .trigger import Due

Method = TypeVar("Method", bound=Callable[..., None])

_LESSER = ("infer", "forward")
"""Steps that training supersedes."""


def _never_raises(method: Method) -> Method:
    """Makes a failure of ours end the profiling, and never the user's script."""

    @functools.wraps(method)
    def guarded(self: Session, *arguments: Any) -> None:
        try:
            method(self, *arguments)
        except Exception as error:
            self.give_up(f"Profiling stopped: {type(error).__name__}: {error}")

    return cast(Method, guarded)


class Session:
    """The recording of one process."""

    on_rest: Callable[[], None]
    """Is called when module calls need no longer be told."""

    on_wake: Callable[[], None]
    """Is called when module calls need to be told again."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self.on_rest = self.on_wake = lambda: None
        self._begin()

    def _begin(self) -> None:
        self._process = os.getpid()
        self._opening: Recording | None = None
        self._opening_thread: int | None = None
        self._window: Recording | None = None
        self._thread: int | None = None
        self._steps: Steps | None = None
        self._ranges = OpenRanges()
        self._own_profilers: weakref.WeakSet[Any] = weakref.WeakSet()
        self._has_own_profiler = False
        self._stops_at: float | None = None
        self._base = config = self._context.config
        self._counted: dict[str, int] = {}
        self._asked: collections.deque[Due] = collections.deque()
        self._left = config.recordings
        self._state = State.PASSIVE if config.step == "window" else State.IDLE if config.waits else State.SEEKING

    def _go(self, state: State) -> None:
        """Takes another state: the only place where it changes."""
        assert may_follow(state, self._state), f"{self._state.name} to {state.name}"
        self._state = state

    def reset(self) -> None:
        """Begins anew: a forked child has its parent's state, but none of its profiler's."""
        if self.is_recording:
            end_abandoned()
        if self._context.config.trigger is not None:
            self._context.config = self._base
        self._begin()

    @property
    def is_active(self) -> bool:
        """Whether steps are still counted in this process."""
        return self._state in ACTIVE

    @property
    def needs_calls(self) -> bool:
        """Whether calls of modules must be told: not while a trigger is waited for, which then asks for them."""
        return not (self._state is State.IDLE and self._base.idle)

    @property
    def is_asked_for_more(self) -> bool:
        """Whether triggers are heeded in this process."""
        return self._base.idle and self._state is not State.DONE

    @property
    def trained(self) -> int:
        """How many steps of training have ended."""
        return self._counted.get("train", 0)

    @property
    def is_recording(self) -> bool:
        """Whether a profiler of ours runs."""
        steps = self._steps
        return (
            self._opening_thread is not None or self._window is not None or (steps is not None and steps.is_recording)
        )

    @property
    def notes_tags(self) -> bool:
        """Whether ranges that are opened now belong into a sidecar."""
        if self._state is State.IDLE:
            return False
        return self._window is not None or (self.is_active and (self._steps is None or not self._steps.is_recorded))

    @_never_raises
    def work_begins(self) -> None:
        """A range, module call or optimizer step begins: the opening is recorded from the first one on."""
        if self._opening is not None:
            self._limit_opening()
        elif self._has_opening() and self._steps is None and self._may_act():
            self._opening = Recording(self._context.config, "opening")
            self._opening_thread = threading.get_ident()
            self._context.lines.begin()
            self._context.tell("recording", what="opening")

    def _has_opening(self) -> bool:
        """Tells whether there is a beginning to record: where steps are waited for, it is long over."""
        return self._state is not State.IDLE and self._base.profiler == "pytorch" and not self._base.waits

    @_never_raises
    def range_opens(self, token: object) -> None:
        """A range of the script's has been opened."""
        if self._may_act() and self._is_in_thread():
            self._ranges.opens(token)

    @_never_raises
    def range_closes(self, token: object) -> None:
        """A range of the script's has been closed; one that was opened before this process began is unknown."""
        if self._may_act() and self._is_in_thread() and self._ranges.closes(token):
            self._end_step()

    @_never_raises
    def step_ends(self, what: str) -> None:
        """An optimizer has stepped, a module has been called, or the range that is a step has been closed."""
        if not self._may_act():
            return
        self._counted[what] = self._counted.get(what, 0) + 1
        if self._state is State.IDLE:
            self._begin_when_due(what)
            return
        loop = self._context.loops.step_ends(what)
        if not self._takes(what, loop):
            return
        if self._thread is None:
            self._thread = threading.get_ident()
        # The profiler must be stepped by the thread that started it.
        if self._is_in_thread() and not self._ranges.waits():
            self._end_step()

    @_never_raises
    def user_profiler_starts(self, profiler: object) -> None:
        """The script profiles itself: two profilers at once would cost the outer one its data, so ours gives way.

        A time window ends here, with what there is of it, or begins when the script's profiler has ended.
        """
        if self._process != os.getpid():
            return
        self._own_profilers.add(profiler)
        self.window_closes("user-profiler")
        if self._state is not State.PASSIVE:
            self._stop_opening()
            self._opening = None
            if self._steps is not None and not self._steps.is_recorded:
                self._steps.drop()
                self._steps = None
            elif self._steps is not None:
                self._steps.stop_costs()
        if self._state is not State.DONE:
            self._go(State.PASSIVE)
        if not self._has_own_profiler:
            self._has_own_profiler = True
            self._context.tell("user-profiler")

    def user_profiler_ends(self, profiler: object) -> None:
        """A profiler has ended, of the script's or not."""
        self._own_profilers.discard(profiler)

    @_never_raises
    def user_exported(self, path: str) -> None:
        """The script has written a trace of its own."""
        self._context.tell("trace", path=os.path.abspath(path), kind="own", what=None, why="complete", steps=0)

    @property
    def may_open_window(self) -> bool:
        """Whether a time window may still be asked for: once there are steps, they are what is recorded."""
        return self.is_active and self._steps is None and not self._base.waits

    @property
    def is_free(self) -> bool:
        """Whether a window could begin now: another thread's opening must end first, by that thread, and the
        script's own profilers."""
        if self._opening_thread is not None:
            return self._opening_thread == threading.get_ident()
        return not self._own_profilers and not torch.autograd._profiler_enabled()

    def window_opens(self) -> bool:
        """The time window begins, in place of steps; returns whether it did: it does not where steps were found, or the
        script profiles itself."""
        wanted = self._context.config.step == "window" or self.may_open_window
        if wanted and not is_data_worker():
            self._open_window()
        return self._window is not None

    @_never_raises
    def _open_window(self) -> None:
        self._go(State.PASSIVE)
        self._stop_opening()
        self._window = Recording(self._context.config, "window")
        self._context.lines.begin()
        self._context.tell("recording", what="window")

    @_never_raises
    def window_closes(self, why: str = "complete") -> None:
        """The time window ends; that of a process which did nothing with torch is forgotten."""
        with self._context.writing:
            window, self._window = self._window, None
            if window is not None:
                self._context.lines.end()
                window.stop()
                if window.results is None or window.has_operators():
                    save(self._context, window, why)
                    self._opening = None

    def give_up(self, message: str) -> None:
        """Something of ours failed: what was recorded is written, and from then on the script runs alone."""
        self._context.tell("error", message=message)
        # What fails again while that is done was told already, and is ended by the recording itself.
        if self._state not in (State.FAILED, State.DONE):
            self._go(State.FAILED)
            self._wind_up()

    def _wind_up(self) -> None:
        """Ends the recording that failed. Only the thread that started it can; another one leaves it to that."""
        if not self._is_recording_thread() or is_in_backward():
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
        loops = self._context.loops.to_json()
        if loops:
            self._context.tell("loops", loops=loops)

    @_never_raises
    def flush(self, why: str) -> None:
        """The process ends: writes what there is. Only the process that recorded may do so."""
        if self._process == os.getpid():
            with self._context.writing:
                self.window_closes(why)
                self._flush(why)
                self._tell_loops()

    def _flush(self, why: str) -> None:
        if self._state is State.IDLE and not self._base.idle:
            self._context.tell("skipped", steps=max(self._counted.values(), default=0))
        self._go(State.DONE)
        try:
            self._write_rest(why)
        finally:
            self._end_trigger()

    def _write_rest(self, why: str) -> None:
        """Writes what has been recorded so far."""
        self._stop_opening()
        opening, self._opening = self._opening, None
        steps, self._steps = self._steps, None
        if steps is not None and (steps.recorded > 0 or opening is None):
            steps.flush(why)
            return
        try:
            if steps is not None:
                steps.drop()
        finally:
            # What a launcher or a helper began with is of no use beside the steps of those that it helped.
            if opening is not None and not has_recorded_steps(self._context.config.events):
                save(self._context, opening, why)

    def _end_step(self) -> None:
        assert self._steps is not None
        steps, config = self._steps, self._context.config
        self._ranges.step_begins()
        # Forward calls alone may be the first of a larger step: then the opening goes on while it can.
        if steps.what != "forward" or steps.will_record():
            self._stop_opening()
        if self._opening_thread is not None and steps.will_record():
            return  # Another thread's opening must end first: this step is not counted.
        was_recorded = steps.is_recorded
        steps.end_one()
        if steps.is_recorded and not was_recorded:
            self._opening = None
            self._tell_loops()
            if steps.what in ("train", "range"):
                self._rest()
        is_last = self._left <= 1 and not self._base.idle
        if config.stops and steps.may_stop and is_last:
            self._stop_or_wait(steps)
        if steps.is_done and self._state is State.COUNTING:
            self._end_recording(steps)

    def _end_recording(self, steps: Steps) -> None:
        """Nothing is left to do for these steps: the session is done, or waits for more."""
        self._end_trigger()
        self._left = max(1, self._left - 1) if self._base.idle else self._left - 1
        if self._left > 0:
            self._become_idle()
            return
        # A script that is to be ended is not slowed down for anybody: its calls tell when that is due.
        if self._stops_at is not None:
            self._go(State.AWAITING)
            return
        self._go(State.RESTING if self._may_be_superseded(steps) else State.DONE)
        self._rest()

    def _become_idle(self) -> None:
        self._go(State.IDLE)
        self._steps = self._thread = None
        self._context.config = self._base
        self._ranges = OpenRanges()
        self._rest()

    @_never_raises
    def ask(self, due: Due) -> None:
        """Has a recording begin, after those that were asked for before; called from another thread."""
        self._asked.append(due)
        # Where no optimizer steps, nobody tells of steps until calls of modules are told.
        if self._state is State.IDLE and (self.trained == 0 or due.config.step not in ("auto", "train")):
            self._begin_asked()

    def _begin_asked(self) -> None:
        try:
            due = self._asked.popleft()
        except IndexError:
            return  # The other thread was faster.
        self._context.config = due.config
        self._go(State.SEEKING)
        self.on_wake()

    def _begin_when_due(self, what: str) -> None:
        """An idle session has seen a step end: the next one may be the first of a recording."""
        if self._base.idle:
            due = self._asked[0] if self._asked else None
            if due is not None and (due.at is None or self._counted[what] >= due.at):
                self._begin_asked()
            return
        if what == "train" and self.trained == 1:
            # The schedule is that of training; what was recorded of inference before does not count.
            self._left = self._base.recordings
            self._rest()
        if what != "train" and self.trained > 0:
            return
        base = self._base
        if self._counted[what] >= base.skip + (base.recordings - self._left) * base.every:
            self._go(State.SEEKING)
            self.on_wake()

    def _end_trigger(self) -> None:
        trigger = self._context.config.trigger
        if trigger is not None:
            self._context.tell("trigger", id=trigger, state="done", step=self.trained)

    def _may_be_superseded(self, steps: Steps) -> bool:
        """Tells whether training would be recorded, too: nsys has ended with its first range, and what several
        profilers measure in turn is the same."""
        config = self._context.config
        return steps.what in _LESSER and config.step == "auto" and config.capture is None and not config.times

    def _stop_or_wait(self, steps: Steps) -> None:
        """Ends the script, at once or when training has been waited for."""
        wait = self._context.config.stop_wait_seconds
        if wait <= 0 or not self._may_be_superseded(steps):
            self._stop_script()
        elif self._stops_at is None:
            self._stops_at = time.monotonic() + wait
            self._context.tell("waiting", seconds=wait)

    def _stop_script(self) -> None:
        """Ends the script as if it had come to its end; from another thread the supervisor does it."""
        self.flush("complete")
        if threading.current_thread() is threading.main_thread():
            raise SystemExit(0)

    def _takes(self, what: str, loop: Loop) -> bool:
        """Tells whether a step of this kind counts, and begins to count where it is the first one.

        Training comes before everything else: what was called before it has been an evaluation.
        """
        place = self._context.config.step_place
        if place is not None and not loop.is_at(*place):
            return False
        if not self._is_sought(what):
            return False
        if self._steps is not None and self._steps.what != what:
            if what != "train" or place is not None:
                self._stop_when_due()
                return False
            self._supersede(self._steps)
        elif self._state in WAITING_FOR_TRAINING:
            self._stop_when_due()
            return False
        if self._state is State.IDLE:
            return False  # Training has superseded inference, and its schedule begins.
        if self._steps is None:
            if not self._is_chosen():
                self._leave_out()
                return False
            trigger = self._context.config.trigger
            if trigger is not None:
                self._context.tell("trigger", id=trigger, state="taken", step=self.trained)
            self._go(State.COUNTING)
            self._steps = Steps(self._context, what, self._counted[what] - 1, self._left - 1)
            # A plain timer tells what the script takes by itself: module calls are told only while steps are sought.
            if self._context.config.profiler != "pytorch" and what in ("train", "range"):
                self._rest()
        self._steps.loop = loop
        return True

    def _is_sought(self, what: str) -> bool:
        """Tells whether a recording that was asked for is one of such steps; behind training inference is not meant."""
        step = self._context.config.step
        if step == "infer":
            return what != "train"
        return not (step in ("auto", "train") and what in _LESSER and self.trained > 0)

    def _supersede(self, steps: Steps) -> None:
        """Training begins: what is recorded of other steps stays, and what is not is forgotten."""
        if steps.is_recorded:
            steps.stop_costs()
        else:
            steps.drop()
        self._steps = self._thread = self._stops_at = None
        base = self._base
        if base.waits and not base.idle:
            self._left = base.recordings
            self._become_idle()
            return
        is_resting = self._state is State.RESTING
        self._go(State.SEEKING)
        if is_resting:
            self.on_wake()

    def _is_chosen(self) -> bool:
        """Tells whether this process is of a rank that is to be recorded."""
        ranks = self._context.config.ranks
        return ranks is None or (rank_and_world()[0] or 0) in ranks

    def _leave_out(self) -> None:
        """Another rank is recorded: nothing of this process is kept."""
        self._stop_opening()
        self._opening = None
        if self._base.idle:
            # An idle session cannot have begun anything.
            self._go(State.COUNTING)
            self._become_idle()
        else:
            self._go(State.DONE)
            self._rest()

    def _stop_when_due(self) -> None:
        if self._stops_at is not None and time.monotonic() >= self._stops_at:
            self._stop_script()

    def _may_act(self) -> bool:
        if self._process != os.getpid():
            self.reset()
        if self._state is State.FAILED:
            self._wind_up()
            return False
        return self.is_active and not is_data_worker() and not is_in_backward()

    def _is_in_thread(self) -> bool:
        return self._thread is None or self._thread == threading.get_ident()

    def _is_recording_thread(self) -> bool:
        """Tells whether this thread may end what is being recorded."""
        if self._opening_thread is not None:
            return self._opening_thread == threading.get_ident()
        return self._is_in_thread()

    def _limit_opening(self) -> None:
        opening = self._opening
        if opening is None or self._opening_thread != threading.get_ident() or not self._may_act():
            return
        # Where another thread takes steps, this one learns of it here.
        if self._steps is not None and self._thread not in (None, self._opening_thread):
            self._stop_opening()
        elif time.monotonic() - opening.started > self._context.config.opening_seconds:
            self._stop_opening()
            self._context.tell("opening-full", seconds=self._context.config.opening_seconds)

    def _stop_opening(self) -> None:
        if self._opening is not None and self._opening_thread == threading.get_ident():
            self._opening_thread = None
            self._context.lines.end()
            self._opening.stop()


def is_in_backward() -> bool:
    """Tells whether autograd calls this code: it puts back the thread's state afterwards, and with it a profiler that
    was stopped meanwhile, so that none could be started any more."""
    task = getattr(torch._C, "_current_graph_task_id", None)
    return task is not None and task() != -1
