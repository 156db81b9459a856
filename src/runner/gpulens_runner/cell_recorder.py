"""Records parts of a process that continues: the cells of a notebook, a `with` statement."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator

from .config import Config


class CellRecorder:
    """Hooks torch at the first recording; between recordings the hooks are inactive."""

    def __init__(self) -> None:
        self._agent: object | None = None
        self._is_recording = threading.Lock()

    def require_idle(self) -> None:
        """Raises RuntimeError within a recording."""
        if self._is_recording.locked():
            raise _busy()

    @contextlib.contextmanager
    def records(self, config: Config) -> Iterator[None]:
        """Records the code inside according to `config`; writes the recording at the end.

        Raises RuntimeError within another recording.
        """
        if not self._is_recording.acquire(blocking=False):
            raise _busy()
        try:
            with self._agent_records(config):
                yield
        finally:
            self._is_recording.release()

    @contextlib.contextmanager
    def _agent_records(self, config: Config) -> Iterator[None]:
        from .agent import Agent

        if isinstance(self._agent, Agent):
            agent = self._agent
            agent.begin_anew(config)
        else:
            agent = self._agent = Agent(config)
        try:
            yield
        finally:
            agent.rest()


def _busy() -> RuntimeError:
    return RuntimeError("GPU Lens is recording already: a process records one thing at a time.")


RECORDER = CellRecorder()
"""Shared by the process: torch is hooked only once, whichever API records."""
