"""Recompiled pattern, before the change."""

import re

lines = [f"step {step}: loss {step / 7:.4f}" for step in range(1_500)]
total = 0.0
for line in lines:
    re.purge()
    match = re.search(r"loss (\d+\.\d+)", line) if len(line) % 40 == 0 else re.compile(r"(\d+\.\d+)$").search(line)
    total += float(match[1])
print(f"total {total:.4f}")
