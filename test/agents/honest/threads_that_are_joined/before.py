"""Threads that are joined, before the change."""

import time

for _ in range(8):
    time.sleep(0.05)
print("loaded", 8)
