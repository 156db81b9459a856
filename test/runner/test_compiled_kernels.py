"""Lines of the kernels that torch.compile makes, as Inductor knows them."""

from __future__ import annotations

import os
import pathlib
import shutil
import subprocess
import sys
from types import SimpleNamespace
from typing import Any, Callable

import pytest
from conftest import RUNNER, Run, runner_command

sys.path.insert(0, str(RUNNER))

from gpulens_runner.compiled_kernels import CompiledKernels  # noqa: E402 -- the runner is no installed package.
from gpulens_runner.source_paths import SourcePaths  # noqa: E402

Record = Callable[..., Run]

SCRIPT = """\
import torch

class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(16, 16)
    def forward(self, x):
        y = self.layer(x)
        y = torch.relu(y) * 2
        return torch.softmax(y, dim=-1).sum()

net = Net()
step = torch.compile(net)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(4):
    step(torch.randn(8, 16)).backward()
    optimizer.step()
"""


def fused_kernels(run: Run) -> list[dict[str, Any]]:
    """The compiled kernels of its sidecar that have the softmax; all are in the script."""
    kernels = run.sidecar()["compiledKernels"]
    assert {kernel["file"] for kernel in kernels} == {"train.py"}
    return [kernel for kernel in kernels if kernel["name"].startswith("cpp_fused_") and "softmax" in kernel["name"]]


def test_a_script_that_compiles_nothing_has_none_and_does_not_import_the_compiler(record: Record) -> None:
    source = (
        SCRIPT.replace("step = torch.compile(net)", "step = net")
        + 'import sys; print("torch._inductor.debug" in sys.modules)'
    )
    run = record(source, options=("--active", "1"))
    assert run.stdout.strip() == "False"
    assert run.sidecar()["compiledKernels"] == []


def test_kernels_of_a_graph_that_failed_are_not_kept_with_the_next(tmp_path: pathlib.Path) -> None:
    class Graph:
        pass

    def write_code(kernel: str, fails: bool) -> Graph:
        frame = f'File "{tmp_path}/train.py", line 1, in forward\n    y = {kernel}(x)'
        debug.set_kernel_post_grad_provenance_tracing(SimpleNamespace(get_stack_traces=lambda: [frame]), kernel)
        if fails:
            raise RuntimeError("no code")
        return output.CompiledFxGraph()

    # What Inductor calls of its own, in its order.
    debug: Any = SimpleNamespace(set_kernel_post_grad_provenance_tracing=lambda nodes, kernel: None)
    graphs: Any = SimpleNamespace(compile_fx=lambda graph: graph, fx_codegen_and_compile=write_code)
    output: Any = SimpleNamespace(CompiledFxGraph=type("Kept", (Graph,), {"after_deserialization": lambda self: self}))
    kernels = CompiledKernels(SourcePaths(str(tmp_path), "/torch"))
    kernels._hook_code(debug)
    kernels._hook_graphs(graphs)
    kernels._hook_cache(output)
    with pytest.raises(RuntimeError):
        graphs.fx_codegen_and_compile("failed", True)
    kept = vars(graphs.fx_codegen_and_compile("written", False))
    assert [name for kernels in kept.values() for name, _ in kernels] == ["written"]


@pytest.mark.skipif(shutil.which("g++") is None, reason="Inductor needs a C++ compiler")
def test_the_sidecar_has_the_lines_of_compiled_kernels_which_out_of_the_cache_are_those_of_the_script_now(
    record: Record, tmp_path: pathlib.Path
) -> None:
    told = """
from torch._dynamo.utils import counters
hits = counters["inductor"]["fxgraph_cache_hit"] + counters["aot_autograd"]["autograd_cache_hit"]
print("hits", hits, "misses", counters["inductor"]["fxgraph_cache_miss"])
"""
    # Vectors do not matter here: to find out which of them the compiler can do takes six compilations, 6 s.
    env = {"TORCHINDUCTOR_CACHE_DIR": str(tmp_path / "cache"), "TORCHINDUCTOR_VEC_ISA_OK": "0"}
    # Compiled from another checkout, and recorded there, with an empty cache.
    other = tmp_path / "other"
    other.mkdir()
    (other / "train.py").write_text(SCRIPT + told)
    command = runner_command(other / "out", other, sys.executable, str(other / "train.py"), options=("--active", "1"))
    compiled = subprocess.run(command, env={**os.environ, **env}, capture_output=True, text=True, check=True)
    assert compiled.stdout.startswith("hits 0 ")
    fused = fused_kernels(Run(compiled.returncode, compiled.stdout, compiled.stderr, other / "out"))
    # One kernel has relu and the product of line 9, softmax and sum of line 10.
    assert {(kernel["file"], kernel["line"]) for kernel in fused} >= {("train.py", 9), ("train.py", 10)}
    assert {kernel["line"]: kernel["code"] for kernel in fused}[9] == "y = torch.relu(y) * 2"
    assert {kernel["function"] for kernel in fused} == {"forward"}
    run = record("# one\n# more\n" + SCRIPT + told, options=("--active", "1"), env=env)
    assert run.status == 0, run.stderr
    assert int(run.stdout.split()[1]) > 0 and run.stdout.split()[3] == "0", run.stdout
    fused = fused_kernels(run)
    # Two lines further down than where they were compiled.
    assert {(kernel["file"], kernel["line"]) for kernel in fused} >= {("train.py", 11), ("train.py", 12)}
    assert {kernel["line"]: kernel["code"] for kernel in fused}[11] == "y = torch.relu(y) * 2"
