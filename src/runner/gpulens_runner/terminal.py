"""Runs a command in a pseudo-terminal and passes it through to ours."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import sys
import termios
import time
import tty
from typing import Any, Callable

from .stream_copy import MarkFilter
from .tail import Tail


def run_in_terminal(
    command: list[str],
    environment: dict[str, str],
    tail: Tail,
    begins: Callable[[int], None],
    is_waiting: Callable[[], bool],
) -> int:
    """Runs `command`; returns its exit status, 128 + n if signal n ended it.

    `begins` receives the process id. Output is passed on while the command runs, and after that as long as
    `is_waiting`. Raises OSError if it cannot be started.
    """
    failure_read, failure_write = os.pipe()
    pid, terminal = pty.fork()
    if pid == 0:
        try:
            os.execvpe(command[0], command, environment)
        except OSError as error:
            os.write(failure_write, str(error.errno).encode())
            os._exit(127)
    os.close(failure_write)
    begins(pid)
    _follow_size(terminal)
    before = termios.tcgetattr(sys.stdin)
    tty.setraw(sys.stdin, termios.TCSADRAIN)
    try:
        status = _pass_through(terminal, tail, pid, is_waiting)
    finally:
        try:
            termios.tcsetattr(sys.stdin, termios.TCSADRAIN, before)
        except termios.error:
            pass  # The terminal is gone, or is used by another process group.
    errno = os.read(failure_read, 16)
    if errno:
        raise OSError(int(errno), os.strerror(int(errno)))
    return os.waitstatus_to_exitcode(status) if os.WIFEXITED(status) else 128 + os.WTERMSIG(status)


def open_raw(like: int) -> tuple[int, int]:
    """Opens a terminal of the same size as another one, which does not change what is written to it.

    Returns the end to read and the end to write.
    """
    source, target = pty.openpty()
    tty.setraw(target)
    fcntl.ioctl(target, termios.TIOCSWINSZ, fcntl.ioctl(like, termios.TIOCGWINSZ, b"\0" * 8))
    return source, target


_POLL_SECONDS = 0.1
"""How often to check whether the command has ended."""
_LAST_WORDS_SECONDS = 2.0
"""How long to wait for output after its end if other processes continue to write."""


def _pass_through(terminal: int, tail: Tail, pid: int, is_waiting: Callable[[], bool]) -> int:
    """Copies in both directions until the command has ended; returns its status, as from `waitpid`.

    A service that the command started may keep the terminal open for ever, so this waits only for the command itself.
    """
    sources = [terminal, sys.stdin.fileno()]
    status, deadline = None, 0.0
    marks = MarkFilter()
    while terminal in sources:
        ready, _, _ = select.select(sources, [], [], _POLL_SECONDS)
        for source in ready:
            try:
                data = os.read(source, 1 << 16)
            except OSError:
                data = b""  # Linux reports the end of a terminal as an error.
            if not data:
                sources.remove(source)
            elif source == terminal:
                _show(marks.feed(data), tail)
            else:
                _write(terminal, data)
        if terminal not in ready:
            _show(marks.rest(), tail)
        if status is not None:
            if (terminal not in ready or time.monotonic() > deadline) and not is_waiting():
                break
        else:
            ended, ended_status = os.waitpid(pid, os.WNOHANG)
            if ended == pid:
                status, deadline = ended_status, time.monotonic() + _LAST_WORDS_SECONDS
    _show(marks.rest(), tail)
    return os.waitpid(pid, 0)[1] if status is None else status


def _show(data: bytes, tail: Tail) -> None:
    tail.feed(data)
    _write(sys.stdout.fileno(), data)


def _write(target: int, data: bytes) -> None:
    try:
        while data:
            data = data[os.write(target, data) :]
    except OSError:
        pass  # The other side is gone; the command continues.


def _follow_size(terminal: int) -> None:
    """Gives the command's terminal the size of ours, now and whenever it changes."""

    def copy_size(_number: int = 0, _frame: Any = None) -> None:
        try:
            size = fcntl.ioctl(sys.stdout.fileno(), termios.TIOCGWINSZ, b"\0" * 8)
            fcntl.ioctl(terminal, termios.TIOCSWINSZ, size)
        except OSError:
            pass  # Our terminal is gone.

    copy_size()
    signal.signal(signal.SIGWINCH, copy_size)
