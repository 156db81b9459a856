"""Sorted each time, before the change."""

import random

random.seed(5)
waiting = [random.random() for _ in range(1_500)]
order = []
while waiting:
    waiting.sort(key=lambda value: (value * 7919) % 1)
    order.append(waiting.pop(0))
print(order[0], order[-1], len(order))
