"""Starts the user's command with the agent in its environment, follows it, and reports how it ended.

The command runs in a terminal of its own where there is one to pass on, so that progress bars and colours stay.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import threading
from typing import IO, Any

from .config import VARIABLE, Config
from .events import emit
from .git_commit import git_commit
from .process_group import stop_on_signals
from .tail import Tail


def main(arguments: list[str] | None = None) -> int:
    """Runs the command after `--`; returns its exit status, 128 + n where signal n ended it."""
    options = _parse(sys.argv[1:] if arguments is None else arguments)
    config = Config(
        out=os.path.abspath(options.out),
        events=os.path.abspath(options.events),
        root=os.path.abspath(options.root),
        git_commit=git_commit(options.root),
        warmup=options.warmup,
        active=options.active,
        shapes=not options.no_shapes,
        stack=options.stack,
        memory=options.memory,
        opening_seconds=options.opening_seconds,
    )
    os.makedirs(config.out, exist_ok=True)
    tail = Tail()
    emit(config.events, "started", command=options.command)
    try:
        status = _run(options.command, _environment(config), tail)
    except OSError as error:
        emit(config.events, "exit", status=127, tail=[f"{options.command[0]}: {error.strerror}"])
        print(f"{options.command[0]}: {error.strerror}", file=sys.stderr)
        return 127
    emit(config.events, "exit", status=status, tail=tail.lines())
    return status


def _parse(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="gpulens_runner", description="Records a PyTorch script without changing it.")
    parser.add_argument("--out", required=True, help="folder for traces")
    parser.add_argument("--events", required=True, help="file that progress is written to")
    parser.add_argument("--root", default=os.getcwd(), help="workspace that source paths are relative to")
    parser.add_argument("--warmup", type=int, default=Config.warmup, help="steps before the recording")
    parser.add_argument("--active", type=int, default=Config.active, help="steps to record")
    parser.add_argument("--no-shapes", action="store_true", help="do not record tensor shapes")
    parser.add_argument("--stack", action="store_true", help="record Python stacks")
    parser.add_argument("--memory", action="store_true", help="record allocations")
    seconds = Config.opening_seconds
    parser.add_argument("--opening-seconds", type=float, default=seconds, help="limit for a script without steps")
    parser.add_argument("command", nargs="+", help="the command, after --")
    return parser.parse_args(arguments)


def _environment(config: Config) -> dict[str, str]:
    boot = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "boot")
    inherited = os.environ.get("PYTHONPATH")
    path = boot if not inherited else boot + os.pathsep + inherited
    return {**os.environ, "PYTHONPATH": path, VARIABLE: config.to_environment()}


def _run(command: list[str], environment: dict[str, str], tail: Tail) -> int:
    if os.name == "posix" and sys.stdout.isatty() and sys.stdin.isatty():
        from .terminal import run_in_terminal

        return run_in_terminal(command, environment, tail)
    child = subprocess.Popen(
        command,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=os.name == "posix",
    )
    stop_on_signals(child.pid)
    copies = [_copy(child.stdout, sys.stdout.buffer, tail), _copy(child.stderr, sys.stderr.buffer, tail)]
    status = child.wait()
    for copy in copies:
        copy.join(timeout=2.0)
    return status if status >= 0 else 128 - status


def _copy(source: IO[bytes] | None, target: Any, tail: Tail) -> threading.Thread:
    def copy() -> None:
        assert source is not None
        while data := os.read(source.fileno(), 1 << 16):
            tail.feed(data)
            try:
                target.write(data)
                target.flush()
            except OSError:
                pass  # Nobody reads us any more; the command must still be able to write.

    thread = threading.Thread(target=copy, daemon=True)
    thread.start()
    return thread
