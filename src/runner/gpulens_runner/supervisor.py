"""Starts the user's command with the agent in its environment, follows it, and reports how it ended.

The command runs in its own terminal if there is one to pass on, so that progress bars and colours stay.
"""

from __future__ import annotations

import argparse
import math
import os
import signal
import subprocess
import sys
import threading
import time
import uuid

from .config import VARIABLE, Config
from .events import emit
from .git_commit import git_commit
from .host import host_id
from .options import parse
from .out_of_memory import kills_for_memory
from .own_thread import start_without_signals
from .process_tree import end_run
from .run_watch import Limits, RunWatch
from .shims import shims
from .signals import send_signal
from .stream_copy import ErrorCopy
from .tail import Tail

_POLL_SECONDS = 0.1


def main(arguments: list[str] | None = None) -> int:
    """Runs the command after `--`; returns its exit status, 128 + n if signal n ended it."""
    options = parse(sys.argv[1:] if arguments is None else arguments)
    config = _config(options)
    os.makedirs(config.out, 0o700, exist_ok=True)
    run = _Run(config, _limits(options), options.grace, options.keep_running)
    emit(config.events, "started")
    try:
        return run.follow(options.command)
    except OSError as error:
        failure = f"{options.command[0]}: {error.strerror}"
        # As in a shell: 127 if the command is not found, 126 if it cannot be run.
        status = 127 if isinstance(error, FileNotFoundError) else 126
        emit(config.events, "exit", status=status, tail=[failure], failure=failure)
        print(failure, file=sys.stderr)
        return status


class _Run:
    """One run of the command."""

    def __init__(self, config: Config, limits: Limits, grace_seconds: float, keeps_running: bool) -> None:
        self._config = config
        self._keeps_running = keeps_running
        self._grace_seconds = grace_seconds
        self._early: list[int] = []
        self._tail = Tail()
        self._pid = 0
        self._has_begun = False
        self._early_end: int | None = None
        self._watch = RunWatch(config.events, limits, self._end, config.control)
        self._ending: threading.Thread | None = None

    def follow(self, command: list[str]) -> int:
        """Runs the command to its end, and waits until every process with steps has written them."""
        if self._keeps_running and hasattr(signal, "SIGHUP"):
            # A handler, because the command would inherit an ignored signal.
            signal.signal(signal.SIGHUP, lambda _number, _frame: None)
        self._take_signals()
        kills = kills_for_memory()
        with shims(_boot(), os.environ.get("PATH", os.defpath)) as path:
            status = self._run(command, {**_environment(self._config), "PATH": path})
            while self._watch.is_waiting():
                time.sleep(_POLL_SECONDS)
        # The command has ended; processes that it started may still have to be ended.
        self._await_ending()
        self._watch.finish()
        if self._watch.stopped_by == "recorded":
            status = 0
        emit(
            self._config.events,
            "exit",
            status=status,
            tail=self._tail.lines(),
            signal=_signal_name(status),
            outOfMemory=kills_for_memory() > kills,
        )
        # The end may have been requested only during the report.
        self._await_ending()
        return status

    def _await_ending(self) -> None:
        ending = self._ending
        if ending is None:
            return
        # The thread of the watch may be about to start it.
        while ending.ident is None:
            time.sleep(_POLL_SECONDS)
        ending.join()

    def _begins(self, pid: int) -> None:
        """The command runs: a request to end the runner ends the whole run."""
        self._pid = pid
        self._watch.start()
        self._has_begun = True
        self._take_ends(signal.SIG_IGN)
        if self._early_end is not None:
            self._stop(self._early_end)
        for number in self._early:
            self._pass_on(number)

    def _stop(self, number: int, _frame: object = None) -> None:
        if not self._has_begun:
            self._early_end = number
        elif self._ending is None:
            emit(self._config.events, "stopping", why="signal")
            self._end(number)

    def _take_ends(self, *dispositions: object) -> None:
        """From now on, signals with one of these dispositions end the run."""
        for name in ("SIGTERM", "SIGINT", "SIGHUP"):
            if hasattr(signal, name) and signal.getsignal(getattr(signal, name)) in dispositions:
                signal.signal(getattr(signal, name), self._stop)

    def _take_signals(self) -> None:
        """Signals whose meaning a scheduler and its job define are passed to the command; early ones wait until it
        runs.

        The command inherits ignored signals, as under nohup, so these are handled only once it runs.
        """
        self._take_ends(signal.SIG_DFL, signal.default_int_handler)
        for name in ("SIGUSR1", "SIGUSR2"):
            if hasattr(signal, name):
                signal.signal(getattr(signal, name), lambda number, _frame: self._pass_on(number))

    def _pass_on(self, number: int) -> None:
        if self._pid == 0:
            self._early.append(number)
            return
        send_signal(self._pid, number)

    def _end(self, number: int = signal.SIGTERM) -> None:
        if self._ending is None:
            self._watch.ends()
            watch = self._watch
            arguments = (self._pid, self._config.run, watch.is_writing, number, self._grace_seconds, watch.processes)
            self._ending = threading.Thread(target=end_run, args=arguments, daemon=True)
            start_without_signals(self._ending)

    def _run(self, command: list[str], environment: dict[str, str]) -> int:
        if os.name == "posix" and sys.stdout.isatty() and sys.stdin.isatty() and not _is_in_background():
            from .terminal import run_in_terminal

            return run_in_terminal(command, environment, self._tail, self._begins, self._watch.is_waiting)
        errors = ErrorCopy(self._tail)
        # The command uses our standard output directly, so that buffers, colours and closed pipes behave as without us.
        child = subprocess.Popen(
            command,
            env=environment,
            stdin=subprocess.DEVNULL if _is_in_background() else None,
            stderr=errors.target,
            start_new_session=os.name == "posix",
        )
        self._begins(child.pid)
        errors.start(child)
        status = child.wait()
        errors.join(2.0)
        return status if status >= 0 else 128 - status


def _config(options: argparse.Namespace) -> Config:
    return Config(
        out=os.path.abspath(options.out),
        events=os.path.abspath(options.events),
        host=host_id(),
        control=os.path.abspath(options.control) if options.control else "",
        root=os.path.abspath(options.root),
        run=uuid.uuid4().hex,
        git_commit=git_commit(options.root),
        warmup=options.warmup,
        prewarm=options.prewarm,
        active=options.active,
        step=options.step,
        window_delay_seconds=options.window_delay,
        window_seconds=options.window,
        profiler=options.profiler,
        times=options.times,
        idle=options.idle,
        skip=options.skip,
        every=options.every,
        recordings=options.recordings,
        ranks=options.record_ranks,
        stops=options.after == "stop",
        stop_wait_seconds=options.stop_wait,
        modules=not options.no_modules,
        sites=not options.no_sites,
        automatic=options.automatic == "on",
        shapes=not options.no_shapes,
        stack=options.stack,
        memory=options.memory,
        memory_history=options.memory_history,
        lines=options.lines,
        costs=options.costs,
        device=options.device,
        opening_seconds=options.opening_seconds,
    )


def _limits(options: argparse.Namespace) -> Limits:
    return Limits(
        # A run with a time window seeks no steps, and skipped steps are not reported.
        step_seconds=math.inf if _tells_no_steps(options) else options.step_limit,
        silence_seconds=options.silence,
        ends_hanging=options.end_hanging,
        stops=options.after == "stop",
        # A timer measures none.
        measures_costs=options.costs and options.profiler == "pytorch",
        parent=options.parent,
        # A trigger may request any of them.
        ranks=() if options.idle else options.record_ranks,
    )


def _tells_no_steps(options: argparse.Namespace) -> bool:
    return options.step == "window" or options.idle or options.skip > 0 or options.profiler == "loops"


def _is_in_background() -> bool:
    """Returns whether this is a background job of a terminal. The terminal would stop such a job if it changed the
    settings, and the terminal's input belongs to the shell."""
    # It is None if the file is closed.
    if os.name != "posix" or sys.stdin is None or not sys.stdin.isatty():
        return False
    try:
        return os.tcgetpgrp(sys.stdin.fileno()) != os.getpgrp()
    except OSError:
        return False  # It is not our controlling terminal, so it stops nobody.


def _boot() -> str:
    """Returns the folder whose `sitecustomize.py` wakes the agent."""
    return os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "boot")


def _environment(config: Config) -> dict[str, str]:
    inherited = os.environ.get("PYTHONPATH")
    path = _boot() if not inherited else _boot() + os.pathsep + inherited
    return {**os.environ, "PYTHONPATH": path, VARIABLE: config.to_environment()}


def _signal_name(status: int) -> str | None:
    """Returns the name of the signal in an exit status."""
    try:
        return signal.Signals(status - 128).name if status > 128 else None
    except ValueError:
        return None
