"""Rebuilt text, after the change."""

parts = []
for number in range(60_000):
    parts.append(f"{number % 10}")
text = "".join(reversed(parts))
print(len(text), text[:20])
