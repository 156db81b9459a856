"""Integer instead of fraction, before the change."""

from fractions import Fraction

total = Fraction(0)
for number in range(1, 40_000):
    total += Fraction(number * 6, 3)
print("total", total)
