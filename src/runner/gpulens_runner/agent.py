"""The agent in the user's process: armed by `boot/sitecustomize.py` when torch has been imported."""

from __future__ import annotations

import os

import torch

from .compiled_calls import CompiledCalls
from .compiled_kernels import CompiledKernels
from .config import Config
from .context import Context
from .control import Control
from .exit_hooks import flush_on_exit
from .labels import Labels
from .loops import Loops
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
    """Hooks torch for the run that this process belongs to; what the script imports afterwards is hooked."""
    config = Config.from_environment()
    if os.environ.get(VARIABLE):
        install_mirror()
    if config is None:
        return
    paths = SourcePaths(config.root, os.path.dirname(torch.__file__))
    sources = SourceFiles()
    sites, modules = Sites(paths, sources), ModuleNames(paths, sources)
    kernels, calls = CompiledKernels(paths), CompiledCalls(paths, sources)
    context = Context(
        config, paths, sources, sites, modules, Labels(), kernels, calls, Uninterrupted(), Loops(paths, sources)
    )
    if config.sites:
        kernels.install()
        calls.install()
    session = Session(context)
    optimizers = OptimizerHooks(session)
    if config.step in ("auto", "train") or config.step_place is not None:
        optimizers.install()
    hook_ranges(context, session, optimizers)
    if config.profiler != "nsys":
        hook_nvtx()  # nsys has NVTX from its source.
    hook_profilers(session)
    module_hooks = ModuleHooks(context, session)
    session.on_rest, session.on_wake = module_hooks.remove, module_hooks.wake
    flush_on_exit(context, session)

    control = Control(config, session)
    control.start()

    def begin_anew() -> None:
        context.writing.forget()
        context.loops.forget()
        session.reset()
        module_hooks.install()
        control.start()

    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=begin_anew)
    context.tell("armed", torch=torch.__version__, cuda=torch.version.cuda, step=config.step)
    if config.step == "window" and config.profiler == "pytorch":
        from .window import open_after

        open_after(session, config.window_delay_seconds, config.window_seconds)
