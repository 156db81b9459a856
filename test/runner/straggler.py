"""DistributedDataParallel on Gloo, a core and a thread a rank: one rank sleeps in its backward pass, if it is told to.

The case of TraceML's issue 252: gradients are synchronised in each step, so the steps of all ranks are equally long.
"""

import argparse
import os
import pathlib
import time

import torch
import torch.distributed as dist

options = argparse.ArgumentParser()
options.add_argument("--late-rank", type=int, default=-1)
options.add_argument("--late-ms", type=float, default=50)
options.add_argument("--steps", type=int, default=24)
options.add_argument("--tell", help="folder for what each rank's threads waited for their core, as a part of the time")
chosen = options.parse_args()

dist.init_process_group("gloo")
rank = dist.get_rank()
torch.set_num_threads(1)
cores = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []
if len(cores) >= dist.get_world_size():
    os.sched_setaffinity(0, {cores[rank]})

torch.manual_seed(rank)
width = 256
model = torch.nn.Sequential(*[layer for _ in range(4) for layer in (torch.nn.Linear(width, width), torch.nn.ReLU())])


class Late(torch.autograd.Function):
    """The identity, whose backward pass takes its time."""

    @staticmethod
    def forward(ctx: object, values: torch.Tensor) -> torch.Tensor:
        """Return the values as they are."""
        return values.view_as(values)

    @staticmethod
    def backward(ctx: object, gradients: torch.Tensor) -> torch.Tensor:
        """Return the gradients as they are, late on the chosen rank."""
        if rank == chosen.late_rank:
            time.sleep(chosen.late_ms / 1000)
        return gradients


def waited_ns() -> int:
    """How long threads of this process were ready to run and did not."""
    return sum(int(stat.read_text().split()[1]) for stat in pathlib.Path("/proc/self/task").glob("*/schedstat"))


parallel = torch.nn.parallel.DistributedDataParallel(model)
optimizer = torch.optim.SGD(parallel.parameters(), lr=0.01)
for step in range(chosen.steps):
    if step == 2 and chosen.tell:
        before_ns, start_ns = waited_ns(), time.monotonic_ns()
    optimizer.zero_grad()
    outputs = parallel(torch.randn(128, width))
    Late.apply(outputs).square().mean().backward()
    optimizer.step()
if chosen.tell:
    part = (waited_ns() - before_ns) / (time.monotonic_ns() - start_ns)
    pathlib.Path(chosen.tell, f"waited.{rank}").write_text(str(part))
dist.destroy_process_group()
