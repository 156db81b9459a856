"""The states of a session, and their transitions.

    idle ──▶ seeking ──▶ counting ──▶ resting ──▶ seeking (training supersedes inference)
     ▲          │ ◀──┄┄┄┄┄┄ │  │         │         (┄ a GPU graph is captured)
     └──────────│───────────┘  └─────────┴──▶ done
                └─ the script ends, or takes too long to a step: its opening is written

A run with triggers or a schedule begins idle, and is idle again after each recording, or if a trigger has found no step
for a while and another one comes.
"""

from __future__ import annotations

import enum


class State(enum.Enum):
    """The states of one process's session."""

    IDLE = "counts optimizer steps, until a trigger or a schedule asks for a recording"
    SEEKING = "steps are sought, and none counts yet; the opening may be recorded"
    COUNTING = "steps are counted: warm-up, recording, and the steps that are timed afterwards"
    RESTING = "inference is recorded; the first step of training begins another recording"
    AWAITING = "the same, and the script is stopped when training has been waited for"
    PASSIVE = "a window of time, or a profiler of the script's own, takes the place of steps"
    FAILED = "something of ours failed; the thread that records has to end its recording"
    DONE = "nothing more is recorded"


ACTIVE = frozenset({State.IDLE, State.SEEKING, State.COUNTING, State.RESTING, State.AWAITING, State.FAILED})
"""The states in which steps are reported to the session."""

WAITING_FOR_TRAINING = frozenset({State.RESTING, State.AWAITING})

ENDS = frozenset({State.PASSIVE, State.FAILED, State.DONE})
"""The states after which nothing more begins."""

_NEXT: dict[State, set[State]] = {
    State.IDLE: {State.SEEKING, *ENDS},
    State.SEEKING: {State.IDLE, State.COUNTING, *ENDS},
    State.COUNTING: {State.IDLE, State.SEEKING, State.RESTING, State.AWAITING, *ENDS},
    State.RESTING: {State.IDLE, State.SEEKING, *ENDS},
    State.AWAITING: {State.IDLE, State.SEEKING, *ENDS},
    State.PASSIVE: {State.FAILED, State.DONE},
    State.FAILED: {State.DONE},
    State.DONE: set(),
}


def may_follow(state: State, after: State) -> bool:
    """Returns whether a session may change from one state to another; staying is always allowed."""
    return state is after or state in _NEXT[after]
