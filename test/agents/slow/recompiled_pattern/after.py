"""Recompiled pattern, after the change."""

import re

lines = [f"step {step}: loss {step / 7:.4f}" for step in range(1_500)]
pattern = re.compile(r"(\d+\.\d+)$")
total = 0.0
for line in lines:
    total += float(pattern.search(line)[1])
print(f"total {total:.4f}")
