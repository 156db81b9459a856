import {describe, expect, it} from 'vitest';
import {formatPart} from '../../../src/core/format/duration.js';
import {defaultLineTemplate, lineTimingText, lineTimingTooltip} from '../../../src/core/text/line-timing.js';
import {lineFieldNames, lineFields} from '../../../src/core/text/line-fields.js';
import {fillTemplate} from '../../../src/core/format/text-template.js';
import type {LineTiming} from '../../../src/core/lines/line-timings.js';

const steps = 3;
const timing: LineTiming = {
  of: 'steps',
  steps,
  count: 32 * steps,
  names: [{name: 'attention', count: 32 * steps, workNs: 44_300_000 * steps}],
  nameCount: 1,
  leastWorkNs: 44_300_000 * steps,
  cpuWallNs: 12_100_000 * steps,
  gpuWorkNs: 14_200_000 * steps,
  backwardGpuWorkNs: 30_100_000 * steps,
  gpuBusyNs: 14_000_000 * steps,
  backwardGpuBusyNs: 30_000_000 * steps,
  gpuSpanNs: 15_000_000 * steps,
  operations: 320 * steps,
  launches: 300 * steps,
  stepDeviationNs: 100_000,
  peakBytes: NaN,
  allGpuWorkNs: 144_771_000 * steps,
  allWallNs: 245_000_000 * steps,
  isGpuProfile: true,
};
const style = {per: 'step', template: defaultLineTemplate} as const;

it.each([
  [14_200_000, 44_300_000, '14.2'],
  [0, 44_300_000, '0'],
  [3000, 44_300_000, '<0.01'],
  [310_000, 44_300_000, '0.31'],
  [950, 1500, '0.95'],
  [12, 950, '12'],
])('formatPart(%d, %d) is %s', (part, whole, text) => {
  expect(formatPart(part, whole)).toBe(text);
});

describe('fillTemplate(template, fields)', () => {
  it('leaves out parts with a field that has nothing to tell', () => {
    const fields = {work: '14.2 ms', backward: '', count: '32'};
    expect(fillTemplate('GPU {work} · bwd {backward} · ×{count}', fields)).toBe('GPU 14.2 ms · ×32');
  });

  it('shows a field that there is not as it was written', () => {
    expect(fillTemplate('{wrok} · {toString}', {work: '1 ms'})).toBe('{wrok} · {toString}');
  });

  it('takes what a field holds as it is', () => {
    expect(fillTemplate('{name} $&', {name: '$& {work}', work: 'x'})).toBe('$& {work} $&');
  });
});

describe('lineTimingText(timing, style)', () => {
  it('says the window that figures are scoped to, and gives them in all of it or per call', () => {
    const scoped: LineTiming = {...timing, of: {fromNs: 12_300_000, toNs: 45_600_000}, steps: 0};
    expect(lineTimingText(scoped, style)).toBe(
      'scoped to 12.3–45.6 ms · GPU 133 ms · 30.6 % · fwd 42.6 · bwd 90.3 · ×96',
    );
    expect(lineTimingText(scoped, {...style, per: 'all'})).toBe(lineTimingText(scoped, style));
    expect(lineTimingText(scoped, {...style, per: 'call'})).toContain('scoped to 12.3–45.6 ms · GPU 1.38 ms/call');
    expect(lineTimingTooltip(scoped)).toContain('in the window 12.3–45.6 ms that is marked in the timeline');
    const none = {...scoped, count: 0, operations: 0, gpuWorkNs: 0, backwardGpuWorkNs: 0, cpuWallNs: 0};
    expect(lineTimingText(none, style)).toBe('scoped to 12.3–45.6 ms · nothing in it');
    expect(lineTimingText({...none, count: 1, cpuWallNs: 5e6, isGpuProfile: false}, style)).toBe(
      'scoped to 12.3–45.6 ms · CPU 5.00 ms · 0.68 % of the window · ×1 · no GPU work in this profile',
    );
  });

  it('gives work per step, its share, its parts, and instances per step', () => {
    expect(lineTimingText(timing, style)).toBe('GPU 44.3 ms/step · 30.6 % · fwd 14.2 · bwd 30.1 · ×32');
  });

  it('says no more than there is', () => {
    expect(lineTimingText({...timing, backwardGpuWorkNs: 0}, style)).toBe('GPU 14.2 ms/step · 9.81 % · ×32');
    expect(lineTimingText({...timing, gpuWorkNs: 0, backwardGpuWorkNs: 0}, style)).toBe(
      'no GPU work · CPU 12.1 ms/step · ×32',
    );
    expect(lineTimingText({...timing, nameCount: 0, names: []}, style)).toBe('not in this profile');
    // A range that is open around all steps.
    expect(lineTimingText({...timing, count: 0}, style)).toBe('GPU 44.3 ms/step · 30.6 % · fwd 14.2 · bwd 30.1');
    expect(lineTimingText({...timing, count: 4}, style)).toMatch(/ · ×1\.3$/);
  });

  it('has the memory peak and the difference to the run before where they are known', () => {
    expect(lineTimingText({...timing, peakBytes: 3 * 2 ** 30}, style, '▲ +12 % (±3)')).toBe(
      'GPU 44.3 ms/step · 30.6 % · fwd 14.2 · bwd 30.1 · ×32 · peak 3.00 GiB · ▲ +12 % (±3)',
    );
  });

  it('is per call where the figures are of the profile, or in all by setting', () => {
    const whole: LineTiming = {...timing, of: 'profile', steps: 0};
    expect(lineTimingText(whole, style)).toBe('GPU 1.38 ms/call · 30.6 % · fwd 0.44 · bwd 0.94 · ×96');
    expect(lineTimingText(whole, {...style, per: 'call'})).toBe(lineTimingText(whole, style));
    expect(lineTimingText(whole, {...style, per: 'all'})).toBe('GPU 133 ms · 30.6 % · fwd 42.6 · bwd 90.3 · ×96');
  });

  it('gives CPU time on a profile without GPU work, and says so', () => {
    const cpu: LineTiming = {...timing, gpuWorkNs: 0, backwardGpuWorkNs: 0, allGpuWorkNs: 0, isGpuProfile: false};
    expect(lineTimingText(cpu, style)).toBe(
      'CPU 12.1 ms/step · 4.94 % of the step · ×32 · no GPU work in this profile',
    );
    expect(lineTimingText({...cpu, of: 'profile', steps: 0}, style)).toMatch(/^CPU 378 µs\/call · .* of the profile/);
  });

  it('follows a template of the user', () => {
    const template = '{work} of {share} · {launches} launches · {operations} ops · {names} · busy {busy} · CPU {cpu}';
    expect(lineTimingText(timing, {per: 'step', template})).toBe(
      '44.3 ms/step of 30.6 % · 300 launches · 320 ops · busy fwd 14.0 ms/step · CPU 12.1 ms/step',
    );
  });
});

it('lineFields(timing, per, delta) has every field that there is', () => {
  expect(Object.keys(lineFields(timing, 'step', '')).sort()).toEqual([...lineFieldNames].sort());
});

it('lineTimingTooltip(timing) explains the figures', () => {
  expect(lineTimingTooltip(timing)).toContain('the range "attention"');
  const names = ['a', 'b', 'c', 'd', 'e'].map(name => ({name, count: 1, workNs: 1}));
  expect(lineTimingTooltip({...timing, names, nameCount: 5})).toContain('5 ranges (a, b, c, d, …)');
  expect(lineTimingTooltip({...timing, names: [], nameCount: 0})).toContain('No range of the active profile');
});
