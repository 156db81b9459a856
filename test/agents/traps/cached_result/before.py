"""Cached result, before the change."""

import random

random.seed(1)
total = 0.0
for _ in range(600_000):
    total += random.random()
print(f"total {total:.6f}")
