"""Runs scripts under the runner, as the extension does."""

from __future__ import annotations

import dataclasses
import functools
import gzip
import json
import os
import pathlib
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from typing import Any, Callable, Literal

import pytest
from forked_runs import can_fork, run_forked

RUNNER = pathlib.Path(__file__).parents[2] / "src" / "runner"
QUICK = pathlib.Path(__file__).parent / "quick"

# OpenMP's threads wait for each other by spinning, which takes the cores from other tests' processes: a fifth of a
# recording's CPU time.
os.environ.setdefault("OMP_NUM_THREADS", "1")

# For all processes that tests start. It serves as a user's own sitecustomize, which ours must run, too.
os.environ["PYTHONPATH"] = os.pathsep.join([str(QUICK), *filter(None, [os.environ.get("PYTHONPATH")])])


#: How long a run may take on a slow and busy machine; a compiler may have to make all of a model's kernels.
PATIENCE_S = 400

GRACE = ("--grace", "60")
"""With this option, a process that has to wait for its turn is not killed before it tells that it writes its trace."""


@dataclasses.dataclass
class Run:
    """What a run left behind."""

    status: int
    stdout: str
    stderr: str
    out: pathlib.Path

    @property
    def events(self) -> list[dict[str, Any]]:
        """Everything that the runner reported, in order."""
        return [json.loads(line) for line in (self.out / "events.jsonl").read_text().splitlines()]

    def event(self, name: str) -> dict[str, Any]:
        """The only event of a name."""
        (event,) = [event for event in self.events if event["event"] == name]
        return event

    @property
    def traces(self) -> list[pathlib.Path]:
        """The traces that were reported."""
        return [pathlib.Path(event["path"]) for event in self.events if event["event"] == "trace"]

    def told(self, kind: str) -> list[dict[str, Any]]:
        """The reports of traces of a kind; the run must have ended without an error."""
        assert self.status == 0, self.stderr
        assert [event["message"] for event in self.events if event["event"] == "error"] == []
        return [event for event in self.events if event["event"] == "trace" and event["kind"] == kind]

    def trace(self) -> dict[str, Any]:
        """The only trace, read."""
        (path,) = self.traces
        return read_trace(path)

    def ranges(self) -> dict[str, int]:
        """The number of each annotation in the only trace."""
        names: dict[str, int] = {}
        for event in self.trace()["traceEvents"]:
            if event.get("cat") == "user_annotation":
                names[event["name"]] = names.get(event["name"], 0) + 1
        return names

    def sites(self) -> set[tuple[str, str, int]]:
        """The lines in the sidecar."""
        return {(site["name"], site["file"], site["line"]) for site in tag_sites(self.sidecar())}

    def sidecar(self) -> dict[str, Any]:
        """The sidecar of the only trace."""
        (path,) = self.traces
        return read_sidecar(path)


def tag_sites(sidecar: dict[str, Any]) -> list[dict[str, Any]]:
    """The sites of a sidecar that are tags of the script, without modules' forwards."""
    return [site for site in sidecar["sites"] if not site["name"].startswith("nn.Module: ")]


def read_sidecar(path: pathlib.Path) -> dict[str, Any]:
    """The sidecar of a trace that the runner has written."""
    return json.loads(path.with_name(path.name.replace(".pt.trace.json.gz", ".meta.json")).read_text())


def read_trace(path: pathlib.Path | str) -> dict[str, Any]:
    """A trace that the runner has written."""
    return json.loads(gzip.decompress(pathlib.Path(path).read_bytes()))


def runner_command(out: pathlib.Path, root: pathlib.Path, *command: str, options: tuple[str, ...] = ()) -> list[str]:
    """The command line that records `command`."""
    start = [sys.executable, str(RUNNER), "--out", str(out), "--events", str(out / "events.jsonl"), "--root", str(root)]
    return [*start, *options, "--", *command]


def runner_after(code: str, command: list[str]) -> list[str]:
    """A runner's command line (`runner_command`) whose process first runs `code`, for example to raise a limit."""
    start = "import runpy, sys\nsys.path.insert(0, sys.argv[1])\n"
    end = "\nsys.argv = sys.argv[1:]\nrunpy.run_path(sys.argv[0], run_name='__main__')"
    return [sys.executable, "-c", start + code + end, *command[1:]]


def other_python(name: str) -> str:
    """The program of a name, such as `python3.9`, on PATH or among pyenv's; skips the test if none runs."""
    pyenv = pathlib.Path(os.environ.get("PYENV_ROOT", pathlib.Path.home() / ".pyenv"))
    versions = pyenv.glob(f"versions/{name.replace('python', '')}.*/bin/{name}")
    for python in (shutil.which(name), *map(str, versions)):
        # pyenv's shims fail for a version that is not selected.
        if python is not None and subprocess.run([python, "-c", ""], capture_output=True).returncode == 0:
            return python
    pytest.skip(f"{name} is not installed")


def ends(pid: int) -> bool:
    """Returns whether a process ends within `PATIENCE_S`."""
    for _ in range(10 * PATIENCE_S):
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        try:
            stat = pathlib.Path(f"/proc/{pid}/stat").read_text()
        except OSError:
            stat = ""  # It ends just now, or the system has no such file.
        # A zombie whose parent is gone counts as ended.
        if " Z " in stat:
            return True
        time.sleep(0.1)
    return False


def record_in(
    folder: pathlib.Path,
    source: str,
    *arguments: str,
    options: tuple[str, ...] = (),
    env: dict[str, str] | None = None,
    name: str = "train.py",
    before: Sequence[str] = (),
    starts: Literal["fork", "python"] = "fork",
) -> Run:
    """Writes a script into a folder and runs it under the runner.

    The script's process is forked from one that has torch loaded; `starts="python"` starts an interpreter for a test
    that depends on how it starts or ends, as do options of the interpreter (`before`) and variables that it reads.
    """
    project, out = folder / "project", folder / "out"
    project.mkdir(exist_ok=True)
    out.mkdir()
    script = project / name
    script.write_text(source, encoding="utf-8")
    command = runner_command(out, project, sys.executable, *before, str(script), *arguments, options=options)
    whole = {**os.environ, **(env or {})}
    if starts == "fork" and not before and can_fork(env or {}):
        done = run_forked(command[1:], project, whole, folder, PATIENCE_S)
    else:
        done = subprocess.run(command, cwd=project, env=whole, capture_output=True, text=True, timeout=PATIENCE_S)
    return Run(done.returncode, done.stdout, done.stderr, out)


@pytest.fixture
def record(tmp_path: pathlib.Path) -> Callable[..., Run]:
    """Writes a script and runs it under the runner; takes the arguments of `record_in` after the folder."""
    return functools.partial(record_in, tmp_path)


def pytest_configure(config: pytest.Config) -> None:
    """Registers the marker of the tests that only ``npm run test:long`` runs."""
    config.addinivalue_line("markers", "long: takes too long for npm test; npm run test:long runs it")
