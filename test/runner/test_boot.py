"""What happens at the start of any Python that a command may run."""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys

import pytest
from conftest import RUNNER, other_python

BOOT = str(RUNNER / "boot")
OTHERS = ("python2.7", "python3.6", "python3.8", "python3.9", "python3.10", "python3.12", "python3.13")


def start(python: str, code: str, *paths: pathlib.Path, config: str = "{}") -> str:
    """What a Python prints that starts as one of a run's processes does."""
    path = os.pathsep.join([BOOT, *map(str, paths)])
    env = {**os.environ, "PYTHONPATH": path, "GPULENS_CONFIG": config, "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run([python, "-c", code], env=env, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


@pytest.mark.parametrize("name", [pathlib.Path(sys.executable).name, *OTHERS])
def test_every_python_starts_and_runs_the_users_own_sitecustomize(tmp_path: pathlib.Path, name: str) -> None:
    python = sys.executable if name == pathlib.Path(sys.executable).name else other_python(name)
    (tmp_path / "sitecustomize.py").write_text("import sys\nsys.mine = 'ran'\n")
    code = "import sys, sitecustomize; print('%s %s' % (sys.mine, sitecustomize.__file__))"
    assert start(python, code, tmp_path).split()[0] == "ran"
    assert str(tmp_path) in start(python, code, tmp_path)


def test_nothing_of_ours_is_loaded_without_torch() -> None:
    code = "import sys; print([name for name in sys.modules if 'gpulens' in name or name == 'importlib.util'])"
    bare = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert start(sys.executable, code) == bare


def test_a_python_that_belongs_to_no_run_gets_no_finder() -> None:
    code = "import sys; print([type(finder).__name__ for finder in sys.meta_path if not isinstance(finder, type)])"
    assert "_TorchFinder" not in start(sys.executable, code, config="")
    assert "_TorchFinder" in start(sys.executable, code)


def test_torch_is_found_by_whoever_can_find_it(tmp_path: pathlib.Path) -> None:
    (tmp_path / "elsewhere.py").write_text("__version__ = 'mine'\n")
    code = f"""
import importlib.util, sys
class Editable:
    def find_spec(self, name, path=None, target=None):
        if name == "torch":
            return importlib.util.spec_from_file_location("torch", {str(tmp_path / "elsewhere.py")!r})
sys.meta_path.insert(1, Editable())
importlib.util.find_spec("torch")
import torch
print(torch.__version__)
"""
    env = {**os.environ, "PYTHONPATH": BOOT, "GPULENS_CONFIG": "{}"}
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "mine\n")
    # It is no torch that could be hooked, which is said, and harms nothing.
    assert done.stderr.startswith("GPU Lens: profiling is off, the agent failed to start: ")
