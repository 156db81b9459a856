import {describe, expect, it} from 'vitest';
import {isEnough, isFaster, isSlower, lookNumber, pairedChange} from '../../../src/core/prove/paired-changes.js';
import {seededRandom} from '../../support/random.js';

/** Runs of two commits of which the second takes `factor` as long, until the procedure stops: what it says then. */
function race(random: () => number, factor: number, noise: (random: () => number) => number) {
  const [base, changed]: [number[], number[]] = [[], []];
  for (let pairs = 1; ; pairs++) {
    base.push(1000 * Math.exp(noise(random)));
    changed.push(1000 * factor * Math.exp(noise(random)));
    const look = lookNumber(pairs);
    const change = look === null ? null : pairedChange(base, changed, look);
    if (change && isEnough(change, pairs)) return {change, pairs};
  }
}

const normal = (random: () => number) =>
  0.05 * Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
/** One run in ten is held up, by up to three times as long. */
const heldUp = (random: () => number) => normal(random) + (random() < 0.1 ? random() : 0);

describe('paired changes', () => {
  it('looks at 4, 6, 9, 13, 19, 28, 42 and 63 pairs', () => {
    const looked = Array.from({length: 63}, (_, at) => at + 1).filter(pairs => lookNumber(pairs) !== null);
    expect(looked).toEqual([4, 6, 9, 13, 19, 28, 42, 63]);
    expect(lookNumber(9)).toBe(3);
  });

  it.each([
    {name: 'normal noise', noise: normal},
    {name: 'runs that are held up', noise: heldUp},
  ])('takes one commit for faster or slower than itself in fewer than 2 % of all proofs: $name', ({noise}) => {
    const random = seededRandom(7);
    const proofs = Array.from({length: 800}, () => race(random, 1, noise).change);
    expect(proofs.filter(isFaster).length / proofs.length).toBeLessThan(0.012);
    expect(proofs.filter(isSlower).length / proofs.length).toBeLessThan(0.012);
  });

  it.each([
    {name: 'normal noise', noise: normal},
    {name: 'runs that are held up', noise: heldUp},
  ])('proves a step that takes half as long, with the truth in the interval: $name', ({noise}) => {
    const random = seededRandom(8);
    const proofs = Array.from({length: 300}, () => race(random, 0.5, noise));
    expect(proofs.every(({change}) => isFaster(change))).toBe(true);
    const misses = proofs.filter(
      ({
        change: {
          intervalPercent: [low, high],
        },
      }) => low > -50 || high < -50,
    );
    expect(misses.length / proofs.length).toBeLessThan(0.03);
  });

  it('goes on until a step that takes half as long again is told to be slower, where runs differ much', () => {
    const random = seededRandom(9);
    const proofs = Array.from({length: 300}, () => race(random, 1.5, from => 3 * normal(from)).change);
    expect(proofs.filter(isSlower)).toHaveLength(300);
  });

  it('has the interval of Wilcoxon’s signed ranks where that is narrower', () => {
    // 13 pairs at the fourth look: 2 ÷ 2^13 = 0.00024 of all orders have no rank on one side, and 0.01 ÷ 20 = 0.0005 may
    // miss: the interval is the range of all means of two ratios.
    const base = Array.from({length: 13}, () => 100);
    const changed = [50, 51, 52, 50, 51, 52, 50, 51, 52, 50, 51, 52, 99];
    const change = pairedChange(base, changed, 4);
    expect(change?.intervalPercent[0]).toBeCloseTo(-50, 6);
    expect(change?.intervalPercent[1]).toBeLessThan(-0.9);
  });

  it('says nothing of a single pair', () => {
    expect(pairedChange([1], [2], 1)).toBeNull();
  });
});
