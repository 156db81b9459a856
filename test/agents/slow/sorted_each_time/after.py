"""Sorted each time, after the change."""

import random

random.seed(5)
waiting = [random.random() for _ in range(1_500)]
order = sorted(waiting, key=lambda value: (value * 7919) % 1)
print(order[0], order[-1], len(order))
