"""Repeated sum, after the change."""

values = [number % 17 for number in range(3_000)]
means = []
total = 0
for end in range(1, len(values)):
    total += values[end - 1]
    means.append(total / end)
print("last mean", means[-1], "sum", sum(means))
