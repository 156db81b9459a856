"""The agent in the user's process: armed by `boot/sitecustomize.py` when torch has been imported."""

from __future__ import annotations

import os

import torch

from . import captures
from .automatic_lines import AutomaticLines
from .compiled_calls import CompiledCalls
from .compiled_kernels import CompiledKernels
from .config import Config
from .context import Context
from .control import Control
from .exit_hooks import flush_on_exit
from .graph_hooks import hook_graphs
from .labels import Labels
from .loops import Loops
from .memory_history import MemoryHistory
from .module_hooks import ModuleHooks
from .module_names import ModuleNames
from .nvtx_mirror import VARIABLE, install_mirror
from .optimizer_hooks import OptimizerHooks
from .profiler_hooks import hook_profilers
from .range_hooks import hook_nvtx, hook_ranges
from .session import Session
from .sites import Sites
from .source_files import SourceFiles
from .source_paths import SourcePaths
from .uninterrupted import Uninterrupted


def arm() -> None:
    """Hooks torch for the run that this process belongs to; modules that the script imports later are hooked, too."""
    config = Config.from_environment()
    if os.environ.get(VARIABLE):
        install_mirror()
    if config is not None:
        Agent(config)


class Agent:
    """The hooks into torch, and the reports about this process."""

    def __init__(self, config: Config) -> None:
        self._paths = paths = SourcePaths(config.root, os.path.dirname(torch.__file__))
        self._sources = sources = SourceFiles()
        sites, modules = Sites(paths, sources), ModuleNames(paths, sources)
        kernels, calls = CompiledKernels(paths), CompiledCalls(paths, sources)
        labels = Labels()
        self._context = context = Context(
            config=config,
            paths=paths,
            sources=sources,
            sites=sites,
            modules=modules,
            labels=labels,
            kernels=kernels,
            calls=calls,
            lines=AutomaticLines(config.automatic and config.sites, paths, sources, labels),
            writing=Uninterrupted(),
            loops=Loops(paths, sources),
        )
        context.memory_history = MemoryHistory(context)
        context.lines.on_failure = lambda message: context.tell("automatic-off", message=message)
        if config.sites:
            kernels.install()
            calls.install()
        self._session = session = Session(context)
        self._optimizers = optimizers = OptimizerHooks(session)
        # A trigger may request steps of another kind than the run's own.
        if config.counts_training or config.step_place is not None or config.idle:
            optimizers.install()
        hook_ranges(context, session, optimizers)
        if config.profiler != "nsys":
            hook_nvtx()  # nsys records NVTX calls directly.
        hook_profilers(session)
        context.memory_history.install()
        self._modules = ModuleHooks(context, session)
        hook_graphs(session, self._modules)
        session.on_rest, session.on_wake = self._modules.remove, self._modules.wake
        if not session.needs_calls:
            self._modules.remove()
        flush_on_exit(context, session)
        self._control = Control(context, session)
        self._control.start(is_first=True)
        self._is_late = False
        """Whether this process was forked after the time window."""
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._begin_in_child)
        self._tell_armed()
        self._await_window()

    def begin_anew(self, config: Config) -> None:
        """Records again in this process, with another configuration but the same kind of step."""
        self._session.leaves_children = False
        self._context.config = config
        # A class may have been defined anew since, under its name.
        self._context.sites = Sites(self._paths, self._sources)
        self._context.modules = ModuleNames(self._paths, self._sources)
        self._begin_anew()
        self._tell_armed()

    def rest(self) -> None:
        """Writes what was recorded; the process continues without further reports, as do those that it forks."""
        self._session.leaves_children = True
        try:
            self._session.flush("complete")
        finally:
            self._modules.remove()
            self._modules.forget_calls()

    def _begin_in_child(self) -> None:
        # A child cannot use its parent's graphs.
        self._context.capture = None
        captures.forget()
        if self._session.leaves_children:
            return
        # A server may fork a child for each request, long after the parent's window.
        self._is_late = self._is_late or self._session.has_had_window
        self._begin_anew()
        if not self._is_late:
            self._await_window()

    def _begin_anew(self) -> None:
        self._context.writing.forget()
        self._context.loops.forget()
        self._context.lines.forget()
        self._context.memory_history.forget()
        self._optimizers.forget()
        self._session.reset()
        if self._session.needs_calls:
            self._modules.install()
        self._control.start()

    def _await_window(self) -> None:
        """Opens the time window of `--step window` when it is due. A forked child has none of its parent's timers."""
        config = self._context.config
        if config.step == "window" and config.profiler == "pytorch":
            from .window import open_after

            open_after(self._session, config.window_delay_seconds, config.window_seconds)

    def _tell_armed(self) -> None:
        config = self._context.config
        self._context.tell(
            "armed", torch=torch.__version__, cuda=torch.version.cuda, step=config.step, idle=config.idle
        )
