// Summarises figures in words.

/** Returns the figure below which `fraction` of them are. */
function percentile(values, fraction) {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(fraction * sorted.length))] ?? NaN;
}

/** Returns the median, the 95th percentile and the maximum of some times. */
export function spread(values, unit = 'ms') {
  const [median, p95, most] = [0.5, 0.95, 1].map(fraction => short(percentile(values, fraction)));
  return `${median} / ${p95} / ${most} ${unit}`;
}

/** Returns a number with three digits. */
export function short(value) {
  return value >= 100 ? value.toFixed(0) : value.toPrecision(value >= 10 ? 3 : 2);
}

/** Returns the fraction of frames that came later than after 34 ms. */
export function late(intervalMs) {
  const count = intervalMs.filter(ms => ms > 34).length;
  return `${((100 * count) / intervalMs.length).toFixed(1)} % of ${String(intervalMs.length)}`;
}
