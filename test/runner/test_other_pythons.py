"""Python 3.9 and later: the oldest torch runs on them, and whoever starts the runner may have another one at hand."""

from __future__ import annotations

import pathlib
import subprocess
import sys

import pytest
from conftest import RUNNER, Run, other_python, runner_command
from small_model import MODEL

OTHERS = ("python3.9", "python3.10", "python3.12", "python3.13")

LOADS_EVERYTHING = """
import importlib, pkgutil, sys, types
class Kind(type):
    def __getattr__(cls, name):
        if name.startswith("__"): raise AttributeError(name)
        return cls
class Anything(metaclass=Kind): pass
class Torch(types.ModuleType):
    __path__ = []
    def __getattr__(self, name):
        if name.startswith("__"): raise AttributeError(name)
        return Anything
class Finder:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] == "torch": return importlib.machinery.ModuleSpec(name, self)
    def create_module(self, spec): return Torch(spec.name)
    def exec_module(self, module): pass
import importlib.machinery
sys.meta_path.insert(0, Finder())
sys.path.insert(0, sys.argv[1])
count = 0
for package in ("gpulens_runner", "gpulens_bench", "gpulens_proof"):
    for module in pkgutil.iter_modules(importlib.import_module(package).__path__):
        importlib.import_module(package + "." + module.name)
        count += 1
print(count)
"""


@pytest.mark.parametrize("name", OTHERS)
def test_every_module_is_understood_by_every_python(name: str) -> None:
    command = [other_python(name), "-B", "-W", "error", "-c", LOADS_EVERYTHING, str(RUNNER)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert int(done.stdout) == len([path for path in RUNNER.glob("gpulens_*/*.py") if path.stem != "__init__"])


@pytest.mark.parametrize("name", ["python3.9", "python3.13"])
def test_the_python_that_starts_a_run_may_be_another_than_that_of_the_script(tmp_path: pathlib.Path, name: str) -> None:
    script = tmp_path / "train.py"
    script.write_text(MODEL + "with torch.no_grad():\n    for _ in range(7): net(data())\n")
    command = [other_python(name), "-B", *runner_command(tmp_path, tmp_path, sys.executable, str(script))[1:]]
    done = subprocess.run(command, capture_output=True, text=True)
    run = Run(done.returncode, done.stdout, done.stderr, tmp_path)
    assert run.status == 0, run.stderr
    assert (run.event("trace")["kind"], run.event("trace")["steps"]) == ("steps", 3)
