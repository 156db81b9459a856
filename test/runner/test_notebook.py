"""`%%gpulens` in a real IPython shell."""

from __future__ import annotations

import json
import pathlib
import subprocess
import sys
import textwrap

import pytest
from conftest import PATIENCE_S, RUNNER, read_trace

IPython = pytest.importorskip("IPython", reason="IPython is not installed")

CELLS = """
import torch
model = torch.nn.Linear(8, 8)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
# %%
%load_ext gpulens
# %%
%%gpulens --active 2
for step in range(12):
    loss = model(torch.ones(4, 8)).sum()
    loss.backward()
    optimizer.step()
# %%
for step in range(5):
    model(torch.ones(4, 8)).sum().backward()
    optimizer.step()
# %%
%%gpulens
with torch.autograd.profiler.record_function("once"):
    result = model(torch.ones(4, 8))
# %%
print("result", tuple(result.shape), step)
# %%
%%gpulens
1 + 1
# %%
%%gpulens --no-such
1 + 1
# %%
%%gpulens
raise ValueError("from the cell")
"""

DRIVER = """
import sys
from IPython.core.interactiveshell import InteractiveShell
sys.path.append(sys.argv[1])
shell = InteractiveShell.instance(colors="nocolor")
for cell in open(sys.argv[2]).read().split("# %%\\n"):
    result = shell.run_cell(cell.lstrip("\\n"), store_history=True)
print("failed" if not result.success else "passed")
"""


def run_cells(folder: pathlib.Path, cells: str) -> subprocess.CompletedProcess[str]:
    """Runs cells that `# %%` separates in one shell."""
    (folder / "cells.txt").write_text(textwrap.dedent(cells))
    command = [sys.executable, "-c", DRIVER, str(RUNNER), str(folder / "cells.txt")]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=PATIENCE_S)


def test_cells_are_recorded_one_by_one(tmp_path: pathlib.Path) -> None:
    run = run_cells(tmp_path, CELLS)
    assert run.returncode == 0, run.stderr
    runs = sorted((tmp_path / ".gpu-lens" / "runs").iterdir())
    profiles = [json.loads((folder / "cell.json").read_text())["profiles"] for folder in runs]
    assert [len(found) for found in profiles] == [1, 1, 0, 0]
    assert "GPU Lens recorded 2 training steps: .gpu-lens/runs/" in run.stdout
    assert "GPU Lens recorded the whole cell: .gpu-lens/runs/" in run.stdout
    assert "GPU Lens recorded nothing: the cell did nothing with PyTorch." in run.stderr
    # What the cell binds is the notebook's, and a cell that fails fails as ever.
    assert "result (4, 8) 4" in run.stdout
    assert run.stdout.count("ValueError: from the cell") == 1
    assert run.stdout.endswith("The cell failed.\nfailed\n")
    assert "unrecognized arguments: --no-such" in run.stderr
    assert (tmp_path / ".gpu-lens" / ".gitignore").read_text() == "*\n!/rules/\n!/rules/*.sql\n"

    events = read_trace(profiles[0][0])["traceEvents"]
    steps = {event["name"] for event in events if event.get("name", "").startswith("ProfilerStep#")}
    assert len(steps) == 2

    sidecar = json.loads(pathlib.Path(profiles[1][0].replace(".pt.trace.json.gz", ".meta.json")).read_text())
    # The magic's own line is the first of the cell.
    assert [(site["name"], site["line"]) for site in sidecar["sites"] if site["name"] == "once"] == [("once", 2)]


def steps_of_cells(folder: pathlib.Path) -> list[int]:
    """The number of steps in the profile of each recorded cell, in order."""
    counts = []
    for run in sorted((folder / ".gpu-lens" / "runs").iterdir()):
        (profile,) = json.loads((run / "cell.json").read_text())["profiles"]
        names = {event.get("name", "") for event in read_trace(profile)["traceEvents"]}
        counts.append(len([name for name in names if name.startswith("ProfilerStep#")]))
    return counts


def test_an_optimizer_of_an_earlier_cell_is_not_waited_for(tmp_path: pathlib.Path) -> None:
    cell = """
        %%gpulens --active 2
        model = torch.nn.Linear(8, 8)
        optimizers.append(torch.optim.SGD(model.parameters()))
        for step in range({steps}):
            model(torch.ones(4, 8)).sum().backward()
            optimizers[-1].step()
    """
    cells = ["\nimport torch\n%load_ext gpulens\noptimizers = []\n", cell.format(steps=2), cell.format(steps=9)]
    run = run_cells(tmp_path, "# %%".join(map(textwrap.dedent, cells)))
    assert run.returncode == 0, run.stderr
    assert steps_of_cells(tmp_path) == [0, 2]


def test_a_model_of_an_earlier_cell_is_not_waited_for_though_something_was_compiled(tmp_path: pathlib.Path) -> None:
    cell = """
        %%gpulens --active 2
        models.append(torch.nn.Linear(8, 8))
        with torch.no_grad():
            for step in range({steps}):
                models[-1](torch.ones(4, 8))
        torch.compile(lambda x: x + 1, backend="eager")(torch.ones(2))
    """
    cells = ["\nimport torch\n%load_ext gpulens\nmodels = []\n", cell.format(steps=2), cell.format(steps=9)]
    run = run_cells(tmp_path, "# %%".join(map(textwrap.dedent, cells)))
    assert run.returncode == 0, run.stderr
    assert steps_of_cells(tmp_path) == [0, 2]


MODEL_CELLS = """
%load_ext gpulens
import os, torch
# %%
%%gpulens
class Net(torch.nn.Module):
    def forward(self, x): return x + 1
Net()(torch.ones(2))
# %%
if os.fork() == 0:
    Net()(torch.ones(2))
    weight = torch.ones(2, requires_grad=True)
    optimizer = torch.optim.SGD([weight])
    for _ in range(9):
        weight.sum().backward()
        optimizer.step()
    os._exit(0)
os.wait()
# %%
%%gpulens

class Net(torch.nn.Module):
    def forward(self, x): return x + 2
Net()(torch.ones(2))
# %%
%%gpulens
%%time
Net()(torch.ones(2))
# %%
%%gpulens
weight = torch.ones(2, requires_grad=True)
optimizer = torch.optim.SGD([weight])
for _ in range(2):
    weight.sum().backward()
    optimizer.step()
"""


def test_cells_that_are_run_again_are_recorded_as_they_are_then(tmp_path: pathlib.Path) -> None:
    run = run_cells(tmp_path, MODEL_CELLS)
    assert run.returncode == 0, run.stderr
    told = [line.split(": ")[0] for line in run.stdout.splitlines() if line.startswith("GPU Lens")]
    few = "GPU Lens recorded the beginning of the cell, because it took too few steps"
    assert told == [*["GPU Lens recorded the whole cell"] * 3, few]
    assert run.stdout.count("Wall time") == 1
    folders = sorted((tmp_path / ".gpu-lens" / "runs").iterdir())
    # A process that is forked between cells records nothing.
    assert [len(list(folder.glob("*.pt.trace.json.gz"))) for folder in folders] == [1, 1, 1, 1]
    sites = [json.loads(next(folder.glob("*.meta.json")).read_text())["sites"] for folder in folders]
    assert [[site["line"] for site in found if site["name"] == "nn.Module: Net"] for found in sites[:2]] == [[3], [4]]


def test_nothing_is_hooked_between_cells(tmp_path: pathlib.Path) -> None:
    run = run_cells(
        tmp_path,
        """
        %load_ext gpulens
        # %%
        %%gpulens
        import torch
        torch.nn.Linear(2, 2)(torch.ones(2))
        # %%
        from torch.nn.modules import module
        print("hooks", len(module._global_forward_pre_hooks), len(module._global_forward_hooks))
        """,
    )
    assert "hooks 0 0" in run.stdout, run.stderr
