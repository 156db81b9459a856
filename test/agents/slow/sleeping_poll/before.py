"""Sleeping poll, before the change."""

import time

done = 0
for request in range(12):
    time.sleep(0.08)
    done += request
print("done", done)
