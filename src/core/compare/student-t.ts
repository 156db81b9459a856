/**
 * Returns the probability that Student's t with `freedom` degrees of freedom is at least `t` away from 0.
 *
 * @see Abramowitz and Stegun, Handbook of Mathematical Functions, 26.7.1 and 26.5.8
 */
export function studentTail(t: number, freedom: number): number {
  if (!Number.isFinite(t)) return 0;
  return incompleteBeta(freedom / (freedom + t * t), freedom / 2, 0.5);
}

/** Returns the distance from 0 that Student's t exceeds with the probability `tail`; infinite if `tail` is 0. */
export function studentQuantile(tail: number, freedom: number): number {
  if (tail <= 0) return Infinity;
  const top = Math.exp(logGamma((freedom + 1) / 2) - logGamma(freedom / 2)) / Math.sqrt(freedom * Math.PI);
  // Newton's method from 0: the density falls, so no step overshoots. The last step is below a double's precision.
  let t = 0;
  for (let step = Infinity; step > 1e-13 * t; t += step) {
    const density = top * Math.exp((-(freedom + 1) / 2) * Math.log1p((t * t) / freedom));
    step = (studentTail(t, freedom) - tail) / (2 * density);
  }
  return t;
}

/** Returns the regularised incomplete beta function. */
function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log(1 - x));
  // The fraction converges fast only on one side of the mean.
  if (x > (a + 1) / (a + b + 2)) return 1 - (front * betaFraction(1 - x, b, a)) / b;
  return (front * betaFraction(x, a, b)) / a;
}

const mostTerms = 300;

/** Returns the continued fraction of the incomplete beta function, by Lentz's method. */
function betaFraction(x: number, a: number, b: number): number {
  let c = 1;
  let d = 1 / away(1 - ((a + b) * x) / (a + 1));
  let result = d;
  for (let m = 1; m <= mostTerms; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / away(1 + even * d);
    c = away(1 + even / c);
    result *= c * d;
    d = 1 / away(1 + odd * d);
    c = away(1 + odd / c);
    result *= c * d;
    if (Math.abs(c * d - 1) < 1e-14) break;
  }
  return result;
}

/** Keeps a divisor away from 0. */
const away = (value: number): number => (Math.abs(value) < 1e-300 ? 1e-300 : value);

/** Lanczos's approximation with g = 5 and six terms; its relative error is below 2e-10 for positive numbers. */
const lanczos = [
  76.18009172947146, -86.50532032941677, 24.01409824083091, -1.231739572450155, 0.1208650973866179e-2,
  -0.5395239384953e-5,
] as const;

function logGamma(x: number): number {
  const shifted = x + 5.5;
  const series = lanczos.reduce((sum, term, at) => sum + term / (x + 1 + at), 1.000000000190015);
  return (x + 0.5) * Math.log(shifted) - shifted + Math.log((2.5066282746310005 * series) / x);
}
