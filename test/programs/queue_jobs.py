"""A queue consumer: a thread takes jobs from a queue and answers them."""

import queue
import threading
import torch
from torch import nn

torch.manual_seed(0)
jobs, answers = queue.Queue(), queue.Queue()
model = nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, 4)).eval()


def handle(job):
    with torch.inference_mode():
        x = torch.tensor(job)  # figure: data
        return model(x).argmax().item()  # figure: forward


def serve():
    while (job := jobs.get()) is not None:  # figure: loop
        answers.put(handle(job))  # figure: job


thread = threading.Thread(target=serve)
thread.start()
for i in range(20):
    jobs.put([float(i)] * 16)
    print(answers.get())
jobs.put(None)
thread.join()
