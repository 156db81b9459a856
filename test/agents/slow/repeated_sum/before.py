"""Repeated sum, before the change."""

values = [number % 17 for number in range(3_000)]
means = []
for end in range(1, len(values)):
    means.append(sum(values[:end]) / end)
print("last mean", means[-1], "sum", sum(means))
