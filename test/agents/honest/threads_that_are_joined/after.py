"""Threads that are joined, after the change."""

import threading
import time

threads = [threading.Thread(target=time.sleep, args=(0.05,)) for _ in range(8)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print("loaded", 8)
