"""Records five small programs in one of two forms: python pairs.py before|after FOLDER TURN."""

import os
import sys
import time

import torch
from torch.profiler import ProfilerActivity, profile, record_function, schedule

torch.manual_seed(0)
torch.set_num_threads(1)

FORM, FOLDER, TURN = sys.argv[1:4]
AFTER = FORM == "after"
STEPS = 24

model = torch.nn.Sequential(torch.nn.Linear(256, 256), torch.nn.ReLU(), torch.nn.Linear(256, 256))
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
values = [torch.tensor(float(number)) for number in range(4000)]
kept = torch.zeros(4_000_000)


class Samples(torch.utils.data.Dataset):
    """Samples that take a while to make, as if they were decoded."""

    def __init__(self, seconds):
        self.seconds = seconds

    def __len__(self):
        """How many samples there are."""
        return 8 * (STEPS + 4)

    def __getitem__(self, index):
        """A sample, after a while."""
        time.sleep(self.seconds)
        return torch.full((16, 256), float(index % 7))


def train(x):
    """One step of training."""
    optimizer.zero_grad()
    loss = model(x).square().mean()
    loss.backward()
    optimizer.step()
    return loss


def sleep_removed(x):
    """A step behind a pause."""
    with record_function("pause"):
        if not AFTER:
            time.sleep(0.008)
    return train(x)


def item_removed(x):
    """A step behind many values that are read one by one."""
    if not AFTER:
        for value in values:
            value.item()
    return train(x)


def loop_batched(x):
    """A step behind small products, one by one or all together."""
    weight = model[0].weight.detach()
    rows = x[:128]
    with record_function("products"):
        if AFTER:
            rows.matmul(weight)
        else:
            for row in range(128):
                rows[row : row + 1].matmul(weight)
    return train(x)


def allocation_hoisted(x):
    """A step behind a large allocation."""
    with record_function("allocate"):
        buffer = kept if AFTER else torch.full((4_000_000,), 0.5)
    buffer[0] = 1
    return train(x)


def loader_workers(x):
    """A step alone: its batches take a while."""
    return train(x)


def record(work, path, workers=0, seconds=0.0):
    """Records some steps of a program."""
    loader = torch.utils.data.DataLoader(Samples(seconds), batch_size=8, num_workers=workers)
    wanted = schedule(wait=3, warmup=1, active=STEPS - 3, repeat=1)
    with profile(activities=[ProfilerActivity.CPU], schedule=wanted) as recorder:
        for step, batch in enumerate(loader):
            if step == STEPS + 1:
                break
            work(batch.reshape(-1, 256))
            recorder.step()
    recorder.export_chrome_trace(path)


def main():
    """Records all programs once."""
    for work in (sleep_removed, item_removed, loop_batched, allocation_hoisted, loader_workers):
        is_loading = work is loader_workers
        path = os.path.join(FOLDER, f"{work.__name__}-{TURN}.pt.trace.json")
        record(work, path, workers=2 if is_loading and AFTER else 0, seconds=0.003 if is_loading else 0.0)


if __name__ == "__main__":
    main()
