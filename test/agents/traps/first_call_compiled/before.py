"""First call compiled, before the change."""

import functools


@functools.cache
def compiled(name):
    """Takes long at the first call, as a compiler does."""
    total = 0
    for number in range(1_500_000):
        total += number % 7
    return lambda value: value * 2 + total % 2


outputs = [compiled("step")(value) for value in range(50)]
print("outputs", sum(outputs))
