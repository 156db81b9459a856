"""A model that trains itself: `fit`, `train_step` and the optimizer are the module's, the loop is a library's shape."""

import torch
from torch import nn


class Trainable(nn.Module):
    def compile_for(self, optimizer, loss):
        self.optimizer, self.loss = optimizer, loss
        return self

    def train_step(self, batch):
        x, y = batch
        prediction = self(x)  # figure: forward
        loss = self.loss(prediction, y)  # figure: loss
        self.zero_grad()
        loss.backward()  # figure: backward
        self.optimizer.step()  # figure: optimizer
        return {"loss": loss.item()}

    def fit(self, data, epochs, validation):
        for epoch in range(epochs):
            logs = {}
            it = iter(data)
            while True:  # figure: loop
                try:
                    batch = next(it)
                except StopIteration:
                    break
                logs = self.train_step(batch)  # figure: call
            print(epoch, logs, self.evaluate(validation))

    @torch.no_grad()
    def evaluate(self, data):
        return sum(self.loss(self(x), y).item() for x, y in data)


class Classifier(Trainable):
    def __init__(self):
        super().__init__()
        self.features = nn.Conv2d(1, 4, 3)
        self.out = nn.Linear(4, 3)

    def forward(self, x):
        x = torch.relu(self.features(x)).mean((2, 3))  # figure: forward
        return self.out(x)  # figure: forward


torch.manual_seed(0)
model = Classifier()
model.compile_for(torch.optim.SGD(model.parameters(), lr=0.1), nn.CrossEntropyLoss())
data = [(torch.randn(4, 1, 8, 8), torch.randint(0, 3, (4,))) for _ in range(5)]
model.fit(data, 4, data[:2])
