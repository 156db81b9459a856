"""Programs first on PATH that restore the recorder if a script overwrites PYTHONPATH (`export PYTHONPATH=src`)."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from collections.abc import Iterator

_PROGRAMS = ("python", "python3", "torchrun", "accelerate", "deepspeed", "jupyter", "ipython", "pytest")
"""The programs that scripts start by name; one that is not on PATH gets no stand-in."""

_SCRIPT = """\
#!/bin/sh
# Made by GPU Lens for one run: adds the recorder to PYTHONPATH, and runs the program of this name behind it on PATH.
boot={boot}
shims={shims}
name=${{0##*/}}
case ":$PYTHONPATH:" in
  *":$boot:"*) ;;
  *) PYTHONPATH=$boot${{PYTHONPATH:+:$PYTHONPATH}}; export PYTHONPATH ;;
esac
# A program that looks for the next one of its name on PATH (that of another run, or pyenv's) finds this one again, in
# the same process: then those that have been tried are left out.
case $GPULENS_SHIM in
  "$$:"*) ;;
  *) GPULENS_SHIM=$$: ;;
esac
GPULENS_SHIM=$GPULENS_SHIM$shims/$name:
export GPULENS_SHIM
IFS=:
set -f
for folder in $PATH; do
  program=${{folder:-.}}/$name
  case $GPULENS_SHIM in *":$program:"*) continue ;; esac
  if [ -f "$program" ] && [ -x "$program" ]; then
    unset IFS
    GPULENS_SHIM=$GPULENS_SHIM$program:
    exec "$program" "$@"
  fi
done
echo "$name: command not found" >&2
exit 127
"""


@contextlib.contextmanager
def shims(boot: str, path: str) -> Iterator[str]:
    """Creates the programs in a private folder for the duration of a run; yields PATH with that folder first.

    PATH is unchanged on Windows, whose shells do not set variables that way, and if programs may not be run from the
    folder.
    """
    folder = _make(boot, path) if os.name == "posix" else None
    try:
        yield path if folder is None else folder + os.pathsep + path
    finally:
        if folder is not None:
            shutil.rmtree(folder, ignore_errors=True)


def _make(boot: str, path: str) -> str | None:
    """Returns the folder; None if it cannot be made: the run continues without it."""
    try:
        folder = tempfile.mkdtemp(prefix="gpu-lens-shims-")
    except OSError:
        return None
    try:
        if _may_run(folder) and _make_all(boot, folder, path):
            return folder
    except OSError:
        pass  # There is no room for a file of a few lines.
    shutil.rmtree(folder, ignore_errors=True)
    return None


def _may_run(folder: str) -> bool:
    no_exec = getattr(os, "ST_NOEXEC", 0)
    return not (os.statvfs(folder).f_flag & no_exec)


def _make_all(boot: str, folder: str, path: str) -> bool:
    names = [name for name in _PROGRAMS if shutil.which(name, path=path) is not None]
    for name in names:
        program = os.path.join(folder, name)
        with open(program, "w", encoding="utf-8", errors="surrogateescape") as file:
            file.write(_SCRIPT.format(boot=_quoted(boot), shims=_quoted(folder)))
        os.chmod(program, 0o700)
    return bool(names)


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"
