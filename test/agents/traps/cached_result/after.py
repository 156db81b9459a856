"""Cached result, after the change."""

import os
import random

cache = os.path.join(os.path.dirname(os.path.abspath(__file__)), "result.txt")
if os.path.exists(cache):
    with open(cache) as file:
        total = float(file.read())
else:
    random.seed(1)
    total = 0.0
    for _ in range(600_000):
        total += random.random()
    with open(cache, "w") as file:
        file.write(repr(total))
print(f"total {total:.6f}")
