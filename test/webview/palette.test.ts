import {describe, expect, it} from 'vitest';
import type {ThemeKind} from '../../src/core/layout/mark-colors.js';
import {kernelClasses} from '../../src/core/stats/kernel-class.js';
import {blockColors, classColors} from '../../webview/timeline/block-colors.js';
import {stepColors} from '../../webview/timeline/draw-steps.js';
import {contrastOf, seenAs, seenDistance, visions} from '../support/color-vision.js';

const themes: Readonly<Record<string, ThemeKind>> = {
  dark: {isDark: true, isHighContrast: false},
  light: {isDark: false, isHighContrast: false},
  'high contrast': {isDark: true, isHighContrast: true},
  'high contrast light': {isDark: false, isHighContrast: true},
};
/** More than twice what is just noticed. */
const leastDistance = 0.05;

const classes = kernelClasses.filter(own => own !== 'other');
const cases = Object.keys(themes).flatMap(theme => visions.map(vision => ({theme, vision})));

describe('colours of classes, which stand side by side on a stream', () => {
  it.each(cases)('are told apart in $theme with vision: $vision', ({theme, vision}) => {
    const kind = themes[theme];
    if (!kind) throw new Error(theme);
    const tooNear = classes.flatMap((one, at) =>
      classes.slice(at + 1).flatMap(other => {
        const distance = seenDistance(classColors(one, kind).fill, classColors(other, kind).fill, vision);
        return distance < leastDistance ? [`${one}, ${other}: ${distance.toFixed(3)}`] : [];
      }),
    );
    expect(tooNear).toEqual([]);
  });

  it.each(Object.entries(themes))('have readable names in %s', (_, kind) => {
    for (const one of classes) {
      const {fill, text} = classColors(one, kind);
      expect([one, contrastOf(fill, text) >= 4.5]).toEqual([one, true]);
    }
  });

  it('are those of every kernel of the class, and of copies and memsets', () => {
    const dark = themes['dark'] ?? {isDark: true, isHighContrast: false};
    const of = (kind: string, name: string) => blockColors(kind, name, 'class', dark);
    expect(of('kernel', 'ampere_sgemm_128')).toEqual(of('kernel', 'cutlass_gemm'));
    expect(of('gpu_memcpy', 'Memcpy HtoD')).toEqual(classColors('copy', dark));
    expect(of('gpu_memset', 'Memset')).toEqual(classColors('copy', dark));
  });
});

it.each(cases)('steps alternate in $theme with vision: $vision', ({theme, vision}) => {
  const [one, other] = [0, 1].map(
    step => stepColors(step, themes[theme] ?? {isDark: true, isHighContrast: false}).fill,
  );
  expect(seenDistance(one ?? '', other ?? '', vision)).toBeGreaterThanOrEqual(leastDistance);
});

describe('seenDistance(one, other, vision)', () => {
  it('has the figures of OKLab and of the simulation', () => {
    // Ottosson: white is (1, 0, 0), pure red (0.628, 0.225, 0.126).
    expect(seenAs('#ffffff', 'normal').map(value => Math.abs(value).toFixed(3))).toEqual(['1.000', '0.000', '0.000']);
    expect(seenAs('#ff0000', 'normal').map(value => value.toFixed(3))).toEqual(['0.628', '0.225', '0.126']);
    expect(seenAs('hsl(0 100% 50%)', 'normal')).toEqual(seenAs('#ff0000', 'normal'));
    expect(seenDistance('#ffffff', '#000000', 'tritanopia')).toBeCloseTo(1, 2);
  });

  it('is small for the red and green that are confused, and only for those who confuse them', () => {
    const [red, green] = ['#b05a00', '#737300'];
    expect(seenDistance(red, green, 'normal')).toBeGreaterThan(0.1);
    expect(seenDistance(red, green, 'deuteranopia')).toBeLessThan(0.06);
  });
});

it('contrastOf(one, other) is WCAG’s: 21 of black on white', () => {
  expect(contrastOf('#ffffff', '#000000')).toBeCloseTo(21, 9);
  expect(contrastOf('#767676', '#ffffff')).toBeCloseTo(4.54, 2);
});
