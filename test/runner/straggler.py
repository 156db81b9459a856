"""DistributedDataParallel on Gloo, with one core and one thread per rank: one rank sleeps in its backward pass, if
requested.

The case of TraceML's issue 252: gradients are synchronised in each step, so the steps of all ranks are equally long.
The sleep begins when the other rank waits for the gradients, because other programs may hold that rank up for longer.
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
options.add_argument("--tell", help="folder for how long others had each rank's core, as a part of the time")
chosen = options.parse_args()

rank = int(os.environ["RANK"])
cores = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []
has_core = len(cores) >= int(os.environ["WORLD_SIZE"])
# Before there are threads, because they stay on the core of the thread that starts them.
if has_core:
    os.sched_setaffinity(0, {cores[rank]})
dist.init_process_group("gloo")
torch.set_num_threads(1)

torch.manual_seed(rank)
width = 256
model = torch.nn.Sequential(*[layer for _ in range(4) for layer in (torch.nn.Linear(width, width), torch.nn.ReLU())])


# A file in the working folder, which belongs to this run alone.
arrivals = dist.FileStore("arrivals", 2) if chosen.late_rank >= 0 else None
if arrivals is not None and rank != chosen.late_rank:
    # These gradients are the last ones of a backward pass.
    model[0].weight.register_post_accumulate_grad_hook(lambda _: arrivals.set(f"step {step}", ""))


class Late(torch.autograd.Function):
    """The identity, whose backward pass takes a given time."""

    @staticmethod
    def forward(ctx: object, values: torch.Tensor) -> torch.Tensor:
        """Return the values unchanged."""
        return values.view_as(values)

    @staticmethod
    def backward(ctx: object, gradients: torch.Tensor) -> torch.Tensor:
        """Return the gradients unchanged, later than the other rank on the chosen one."""
        if arrivals is not None and rank == chosen.late_rank:
            arrivals.wait([f"step {step}"])
            time.sleep(chosen.late_ms / 1000)
        return gradients


def others_s() -> float:
    """Return how long others have used the core of this rank: its busy time, less the time of this process."""
    name = f"cpu{cores[rank]} "
    fields = next(line for line in pathlib.Path("/proc/stat").read_text().splitlines() if line.startswith(name)).split()
    # user, nice, system, then idle and waiting for devices, then interrupts, soft interrupts and time taken by the
    # host.
    busy = sum(int(field) for field in [*fields[1:4], *fields[6:9]])
    return busy / os.sysconf("SC_CLK_TCK") - time.process_time()


parallel = torch.nn.parallel.DistributedDataParallel(model)
optimizer = torch.optim.SGD(parallel.parameters(), lr=0.01)
for step in range(chosen.steps):
    if step == 2 and chosen.tell and has_core:
        before_s, start_s = others_s(), time.monotonic()
    optimizer.zero_grad()
    outputs = parallel(torch.randn(128, width))
    Late.apply(outputs).square().mean().backward()
    optimizer.step()
if chosen.tell and has_core:
    part = (others_s() - before_s) / (time.monotonic() - start_s)
    pathlib.Path(chosen.tell, f"others.{rank}").write_text(str(part))
dist.destroy_process_group()
