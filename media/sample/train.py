"""Trains the model on random tokens: nothing to download, no profiler in sight.

    python train.py --steps 8
"""

import argparse

import torch
from model import Transformer
from torch import Tensor
from torch.nn import functional as F
from torch.profiler import record_function


@record_function("random_batch")
def random_batch(batch: int, length: int, vocabulary: int, device: str) -> tuple[Tensor, Tensor]:
    tokens = torch.randint(vocabulary, (batch, length + 1), device=device)
    return tokens[:, :-1], tokens[:, 1:]


def train_step(model: Transformer, optimizer: torch.optim.Optimizer, inputs: Tensor, targets: Tensor) -> float:
    with record_function("train_step"):
        with record_function("forward_pass"):
            logits = model(inputs)
            loss = F.cross_entropy(logits.flatten(0, 1), targets.flatten())
        with record_function("backward_pass"):
            loss.backward()
        with record_function("optimizer_step"):
            optimizer.step()
            optimizer.zero_grad()
    return loss.item()


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=8)
    parser.add_argument("--batch", type=int, default=4)
    parser.add_argument("--length", type=int, default=128)
    options = parser.parse_args()

    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model = Transformer().to(device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    for step in range(options.steps):
        inputs, targets = random_batch(options.batch, options.length, 1000, device)
        loss = train_step(model, optimizer, inputs, targets)
        print(f"step {step}: loss {loss:.3f}")


if __name__ == "__main__":
    main()
