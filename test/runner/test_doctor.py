"""The facts that the doctor tells of an interpreter and its torch."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import torch

RUNNER = Path(__file__).parents[2] / "src" / "runner"


def ask(tmp_path: Path, torch_module: str | None) -> dict[str, object]:
    """Returns what the doctor prints, with a module in the place of torch."""
    path = [str(RUNNER)]
    if torch_module is not None:
        (tmp_path / "torch.py").write_text(torch_module, encoding="utf-8")
        path.insert(0, str(tmp_path))
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path)}
    command = [sys.executable, "-m", "gpulens_runner.doctor"]
    done = subprocess.run(command, env=environment, cwd=RUNNER, capture_output=True, text=True, check=True)
    facts = json.loads(done.stdout.splitlines()[-1])
    assert facts["v"] == 1
    return facts


def test_tells_of_the_interpreter_and_its_torch(tmp_path: Path) -> None:
    facts = ask(tmp_path, None)
    assert facts["python"] == ".".join(map(str, sys.version_info[:3]))
    assert os.path.samefile(str(facts["executable"]), sys.executable)
    found = facts["torch"]
    assert isinstance(found, dict)
    assert found["version"] == torch.__version__
    assert found["cudaVersion"] == torch.version.cuda
    assert len(found["devices"]) == torch.cuda.device_count()
    activities = torch.profiler.supported_activities()
    assert found["recordsCuda"] == (torch.profiler.ProfilerActivity.CUDA in activities)


def test_says_why_torch_cannot_be_imported(tmp_path: Path) -> None:
    facts = ask(tmp_path, "print('a build that prints')\nraise OSError('libcudart.so.12: cannot open\\nadvice')\n")
    assert facts["torch"] is None
    assert facts["torchError"] == "libcudart.so.12: cannot open"


def test_survives_a_torch_that_lacks_everything(tmp_path: Path) -> None:
    module = """
import types
__version__ = "2.2.0"
version = types.SimpleNamespace(cuda="12.1")
def _fails():
    raise RuntimeError("Found no NVIDIA driver")
cuda = types.SimpleNamespace(init=_fails)
"""
    found = ask(tmp_path, module)["torch"]
    assert isinstance(found, dict)
    assert found["cudaError"] == "Found no NVIDIA driver"
    assert (found["devices"], found["hasMps"], found["recordsCuda"]) == ([], False, False)
