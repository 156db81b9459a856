"""Mean of twenty runs, after the change."""

import time

best = 1e9
total = 0
for _run in range(20):
    began = time.perf_counter()
    total = 0
    whole, rest = divmod(200_000, 13)
    total = whole * sum(range(13)) + sum(range(rest))
    best = min(best, time.perf_counter() - began)
print("total", total)
print(f"time {best:.6f} s")
