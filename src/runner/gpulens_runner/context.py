"""The state that all parts of the agent in one process share."""

from __future__ import annotations

import dataclasses
from typing import Any

from .automatic_lines import AutomaticLines
from .compiled_calls import CompiledCalls
from .compiled_kernels import CompiledKernels
from .config import Config
from .events import emit
from .far_events import events_file
from .labels import Labels
from .loops import Loops
from .memory_history import MemoryHistory
from .module_names import ModuleNames
from .ranks import rank_and_world
from .sites import Sites
from .source_files import SourceFiles
from .source_paths import SourcePaths
from .uninterrupted import Uninterrupted


@dataclasses.dataclass
class Context:
    """The run's options, and data on the script."""

    config: Config
    """Changes only if the process records several times: cells of a notebook."""
    paths: SourcePaths
    sources: SourceFiles
    sites: Sites
    modules: ModuleNames
    labels: Labels
    kernels: CompiledKernels
    calls: CompiledCalls
    lines: AutomaticLines
    writing: Uninterrupted
    loops: Loops
    memory_history: MemoryHistory = dataclasses.field(init=False)
    capture: str | None = None
    """The trace in which this process captured the GPU graphs that it replays."""

    def tell(self, event: str, **fields: Any) -> None:
        """Emits an event of this process."""
        rank, world = rank_and_world()
        emit(events_file(self.config.events, self.config.host), event, rank=rank, world=world, **fields)
