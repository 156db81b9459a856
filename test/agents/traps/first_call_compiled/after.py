"""First call compiled, after the change."""

import functools


@functools.cache
def compiled(name):
    """Takes long at the first call, as a compiler does."""
    total = 0
    for number in range(1_500_000):
        total += number % 7
    return lambda value: value * 2 + total % 2


compiled("step")
# The clock that the script prints starts here, behind the first call.
outputs = [compiled("step")(value) for value in range(50)]
print("outputs", sum(outputs))
