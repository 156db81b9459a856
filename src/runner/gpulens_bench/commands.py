"""Steps that are whole runs of a command."""

from __future__ import annotations

import functools
import os
import subprocess
import sys
import threading
from collections import deque
from typing import IO, Any, Callable

from .failure import is_out_of_memory
from .memory import resident_peak
from .point import Point
from .work import CommandFailed, Mark

_KEPT_LINES = 40


class Command:
    """A command. Each run to its end is a step; its memory is the peak memory of its largest process."""

    def __init__(self, point: Point) -> None:
        self._command = point.command
        self._environment = {**os.environ, **dict(point.environment)}
        self._step_bytes = self._peak_bytes = 0
        self._finish: Callable[[], None] = lambda: None

    def run(self, _mark: Mark) -> None:
        """Runs it to its end without a shell and without input; passes its output on."""
        lines: deque[str] = deque(maxlen=_KEPT_LINES)
        child = subprocess.Popen(
            self._command,
            env=self._environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        assert child.stdout is not None
        copy = threading.Thread(target=_copy, args=(child.stdout, lines), daemon=True)
        copy.start()
        self._finish = functools.partial(_finish, self._wait(child), copy, lines)

    def finish(self) -> None:
        """Passes on the rest of the output. Raises CommandFailed, or MemoryError."""
        self._finish()

    def start(self) -> None:
        """Begins with a step."""
        self._step_bytes = 0

    def stop(self) -> None:
        """Counts the memory of the runs since the start."""
        self._peak_bytes = max(self._peak_bytes, self._step_bytes)

    def read(self) -> dict[str, Any]:
        """Returns the peak resident bytes of its largest process, among those that it has waited for.

        Empty if that is no more than this process's own peak: Linux passes that on to child processes.
        """
        return {"peakBytes": self._peak_bytes, "counts": "resident"} if self._peak_bytes else {}

    def _wait(self, child: subprocess.Popen[bytes]) -> int:
        if os.name != "posix":
            return child.wait()
        _, status, usage = os.wait4(child.pid, 0)
        # Kilobytes everywhere but on macOS.
        needed = usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
        handed_on = (resident_peak() or 0) if sys.platform == "linux" else 0
        self._step_bytes = max(self._step_bytes, needed if needed > handed_on else 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        return child.returncode


def _copy(source: IO[bytes], lines: deque[str]) -> None:
    """Passes bytes on, because our output's encoding may lack some of the command's characters."""
    sys.stdout.flush()
    target: IO[bytes] | None = sys.stdout.buffer
    for line in iter(lambda: source.readline(65_536), b""):
        lines.append(line.decode("utf-8", "replace").rstrip())
        try:
            if target is not None:
                target.write(line)
                target.flush()
        except OSError:
            # Nobody reads the output any more; without a reader, the command would block.
            target = None


def _finish(status: int, copy: threading.Thread, lines: deque[str]) -> None:
    # Processes that it left running may hold the output open.
    copy.join(timeout=2.0)
    if status != 0:
        _fail(status, list(lines))


def _fail(status: int, lines: list[str]) -> None:
    last = next((line.strip() for line in reversed(lines) if line.strip()), "")
    if is_out_of_memory("\n".join(lines)):
        raise MemoryError(last)
    how = f"was ended by signal {-status}" if status < 0 else f"ended with status {status}"
    raise CommandFailed(f"The command {how}" + (f": {last}" if last else "."))
