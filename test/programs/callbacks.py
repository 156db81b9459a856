"""As minGPT: a Trainer of the person's own, with callbacks at the end of each batch."""

from collections import defaultdict

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(3407)


class Trainer:
    def __init__(self, model, dataset):
        self.model, self.dataset = model, dataset
        self.callbacks = defaultdict(list)
        self.optimizer = torch.optim.AdamW(model.parameters(), lr=5e-4)

    def add_callback(self, event, callback):
        self.callbacks[event].append(callback)

    def trigger_callbacks(self, event):
        for callback in self.callbacks[event]:
            callback(self)

    def run(self):
        loader = DataLoader(self.dataset, batch_size=4, shuffle=True)
        self.model.train()
        self.iter_num = 0
        data_iter = iter(loader)
        while True:  # figure: loop
            try:
                batch = next(data_iter)  # figure: data loading
            except StopIteration:
                data_iter = iter(loader)
                batch = next(data_iter)
            x, y = batch
            logits = self.model(x)  # figure: forward
            self.loss = nn.functional.cross_entropy(logits, y)  # figure: loss
            self.model.zero_grad(set_to_none=True)
            self.loss.backward()  # figure: backward
            self.optimizer.step()  # figure: optimizer
            self.trigger_callbacks("on_batch_end")
            self.iter_num += 1
            if self.iter_num >= 24:
                break


def batch_end_callback(trainer):
    if trainer.iter_num % 5 == 0:
        print(f"iter {trainer.iter_num}: loss {trainer.loss.item():.6f}")


model = nn.Sequential(nn.Linear(8, 32), nn.GELU(), nn.Linear(32, 4))
trainer = Trainer(model, TensorDataset(torch.randn(40, 8), torch.randint(0, 4, (40,))))
trainer.add_callback("on_batch_end", batch_end_callback)
trainer.run()
