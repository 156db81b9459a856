"""Quadratic search, before the change."""

import random

random.seed(3)
values = [random.random() for _ in range(2_500)]

found = 0
for value in values:
    if value in values and values.index(value) >= 0:
        found += 1
print("found", found)
