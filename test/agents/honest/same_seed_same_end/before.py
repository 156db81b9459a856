"""Same seed same end, before the change."""

import random

random.seed(0)
error, step = 1.0, 0
while error > 0.001 and step < 400:
    error *= 0.98 + random.random() * 0.02
    step += 1
    for number in range(3_000):
        error += number * 0.0
print("stopped", "early" if error > 0.02 else "late")
print("error", error)
