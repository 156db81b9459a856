"""Records parts of a process that lives on: the cells of a notebook."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from .config import Config


class CellRecorder:
    """Hooks torch at the first recording; between recordings the hooks rest."""

    def __init__(self) -> None:
        self._agent: object | None = None

    @contextlib.contextmanager
    def records(self, config: Config) -> Iterator[None]:
        """Records what happens inside, as `config` says; what was recorded is written at the end."""
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
