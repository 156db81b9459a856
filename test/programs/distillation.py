"""Distillation: a teacher without gradients, a student, and batches of a generator."""

import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(0)


def batches():
    while True:
        yield torch.randn(8, 16)


class KD(nn.Module):
    def __init__(self, teacher, student):
        super().__init__()
        self.teacher, self.student = teacher.eval(), student

    def training_loss(self, x):
        with torch.no_grad():
            target = self.teacher(x).softmax(-1)  # figure: teacher
        return F.kl_div(self.student(x).log_softmax(-1), target, reduction="batchmean")  # figure: student, loss


def step(kd, optimizer, x):
    loss = kd.training_loss(x)  # figure: forward
    optimizer.zero_grad()
    loss.backward()  # figure: backward
    optimizer.step()  # figure: optimizer
    return loss.detach()


kd = KD(nn.Sequential(nn.Linear(16, 128), nn.ReLU(), nn.Linear(128, 4)), nn.Linear(16, 4))
optimizer = torch.optim.SGD(kd.student.parameters(), lr=0.1)
source = iter(batches())
n = 0
while n < 20:  # figure: loop
    x = next(source)  # figure: data loading
    loss = step(kd, optimizer, x)  # figure: step
    n += 1
print(f"{loss.item():.6f}")
