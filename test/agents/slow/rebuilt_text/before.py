"""Rebuilt text, before the change."""

text = ""
for number in range(60_000):
    text = f"{number % 10}" + text
print(len(text), text[:20])
