"""The recorder as a Python API: records the steps of a `with` statement, or all of it if it takes too few."""

from __future__ import annotations

import contextlib
import dataclasses
import os
from collections.abc import Iterator

from gpulens_runner.cell_recorder import RECORDER
from gpulens_runner.config import Config
from gpulens_runner.recording_folder import EVENTS, USUAL_OUTPUT, make_folder, read_events

from .profile import Profile


@dataclasses.dataclass
class Recording:
    """The recording of a `with` statement; empty until the statement ends."""

    folder: str
    profiles: list[Profile] = dataclasses.field(default_factory=list)
    errors: list[str] = dataclasses.field(default_factory=list)


@contextlib.contextmanager
def profile(
    active: int = Config.active,
    warmup: int = Config.warmup,
    prewarm: int = Config.prewarm,
    *,
    shapes: bool = True,
    stack: bool = False,
    memory: bool = False,
    output: str | os.PathLike[str] = USUAL_OUTPUT,
) -> Iterator[Recording]:
    """Records `active` steps of what runs inside, after `warmup` steps; profiles are saved below `output`.

    Raises RuntimeError within another recording of this process.
    """
    RECORDER.require_idle()
    folder = make_folder(os.fspath(output), "code")
    config = Config(
        out=folder,
        events=os.path.join(folder, EVENTS),
        root=os.getcwd(),
        run=os.path.basename(folder),
        name="code",
        warmup=max(1, warmup),
        prewarm=max(0, prewarm),
        active=max(1, active),
        shapes=shapes,
        stack=stack,
        memory=memory,
    )
    recording = Recording(folder)
    with contextlib.ExitStack() as closing:
        closing.callback(_complete, recording)
        closing.enter_context(RECORDER.records(config))
        yield recording


def _complete(recording: Recording) -> None:
    events = read_events(recording.folder)
    recording.profiles += [Profile(event["path"]) for event in events if event.get("event") == "trace"]
    recording.errors += [event["message"] for event in events if event.get("event") == "error"]
