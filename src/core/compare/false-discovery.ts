/**
 * Returns which of many tests found a difference, such that at most the fraction `rate` of the findings is expected to
 * be chance. If nothing differs at all, the probability of any finding is at most `rate`.
 *
 * @see Benjamini and Hochberg, Journal of the Royal Statistical Society B 57 (1995)
 */
export function discoveries(probabilities: readonly number[], rate: number): boolean[] {
  const sorted = [...probabilities].sort((a, b) => a - b);
  let most = -1;
  sorted.forEach((probability, at) => {
    if (probability <= (rate * (at + 1)) / sorted.length) most = probability;
  });
  return probabilities.map(probability => probability <= most);
}
