"""Integer instead of fraction, after the change."""

total = 0
for number in range(1, 40_000):
    total += number * 6 // 3
print("total", total)
