"""Quadratic search, after the change."""

import random

random.seed(3)
values = [random.random() for _ in range(2_500)]

places = {value: place for place, value in enumerate(values)}
found = 0
for value in values:
    if places[value] >= 0:
        found += 1
print("found", found)
