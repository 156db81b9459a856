import {describe, expect, it} from 'vitest';
import {
  areaColor,
  kindColors,
  nameColors,
  namePaints,
  paintOfKind,
  type MarkColors,
  type ThemeKind,
} from '../../src/core/layout/mark-colors.js';
import {kernelClasses} from '../../src/core/names/kernel-class.js';
import {classColors} from '../../src/core/layout/class-colors.js';
import {blockColors} from '../../webview/timeline/block-colors.js';
import {stepColors} from '../../webview/timeline/draw-steps.js';
import {contrastOf, seenAs, seenDistance, visions, type Vision} from '../support/color-vision.js';

const themes: Readonly<Record<string, ThemeKind>> = {
  dark: {isDark: true, isHighContrast: false},
  light: {isDark: false, isHighContrast: false},
  'high contrast': {isDark: true, isHighContrast: true},
  'high contrast light': {isDark: false, isHighContrast: true},
};
/**
 * Demanded of any two colours: more than twice what is just noticed (0.02), since marks are small and stand apart. Much
 * more cannot be had of ten calm colours on which white, or black, letters stay readable: a search finds 0.053.
 */
const leastDistance = 0.05;

function themeOf(name: string): ThemeKind {
  const theme = themes[name];
  if (!theme) throw new Error(name);
  return theme;
}

const classes = kernelClasses.filter(own => own !== 'other');
const cases = Object.keys(themes).flatMap(theme => visions.map(vision => ({theme, vision})));

describe('colours of classes, which stand side by side on a stream', () => {
  it.each(cases)('are told apart in $theme with vision: $vision', ({theme, vision}) => {
    const colors = classes.map(one => [one, classColors(one, themeOf(theme))] as const);
    expect(tooNear(colors, vision)).toEqual([]);
  });

  it.each(Object.entries(themes))('have readable names in %s', (_, kind) => {
    for (const one of classes) {
      const {fill, text} = classColors(one, kind);
      expect([one, contrastOf(fill, text) >= 4.5]).toEqual([one, true]);
    }
  });

  it('are those of every kernel of the class, and of copies and memsets', () => {
    const dark = themeOf('dark');
    const of = (kind: string, name: string) => blockColors(kind, name, 'class', dark);
    expect(of('kernel', 'ampere_sgemm_128')).toEqual(of('kernel', 'cutlass_gemm'));
    expect(of('gpu_memcpy', 'Memcpy HtoD')).toEqual(classColors('copy', dark));
    expect(of('gpu_memset', 'Memset')).toEqual(classColors('copy', dark));
  });
});

/** The pairs of some colours that look alike to someone, in a theme. */
function tooNear(colors: readonly (readonly [what: string, MarkColors])[], vision: Vision): string[] {
  return colors.flatMap(([one, {fill}], at) =>
    colors.slice(at + 1).flatMap(([other, {fill: otherFill}]) => {
      const distance = seenDistance(fill, otherFill, vision);
      return distance < leastDistance ? [`${one}, ${other}: ${distance.toFixed(3)}`] : [];
    }),
  );
}

/** Some names whose colours are all that names have. */
function colorsOfNames(theme: ThemeKind): Map<string, MarkColors> {
  const names = Array.from({length: 500}, (_, i) => `layer_${String(i)}`);
  return new Map(names.map(name => [nameColors(name, theme).fill, nameColors(name, theme)]));
}

describe('colours of names, and of ranges and ranks', () => {
  it.each(cases)('are told apart in $theme with vision: $vision', ({theme, vision}) => {
    const colors = [...colorsOfNames(themeOf(theme))];
    expect(colors).toHaveLength(namePaints.length);
    expect(tooNear(colors, vision)).toEqual([]);
  });

  it.each(Object.entries(themes))('have readable labels in %s', (_, kind) => {
    for (const [, {fill, text}] of colorsOfNames(kind)) {
      expect([fill, contrastOf(fill, text) >= 4.5]).toEqual([fill, true]);
    }
  });

  it('are spread over names, so that few neighbours share one', () => {
    const counts = new Map<string, number>();
    for (let i = 0; i < 12_000; i++) {
      const {fill} = nameColors(`aten::op_${String(i)}`, themeOf('dark'));
      counts.set(fill, (counts.get(fill) ?? 0) + 1);
    }
    expect(Math.max(...counts.values())).toBeLessThan(1.2 * Math.min(...counts.values()));
  });
});

describe('colours of kinds, which stand side by side on a thread', () => {
  // Two of a kind: one for each half of the names.
  const ofKinds = (theme: ThemeKind) => {
    const paints = new Map(Object.entries(paintOfKind).map(([kind, paint]) => [paint, kind]));
    return [...paints.values()].map(kind =>
      Array.from({length: 20}, (_, i) => [kind, kindColors(kind, `call_${String(i)}`, theme)] as const),
    );
  };

  it.each(cases)('are told apart in $theme with vision: $vision', ({theme, vision}) => {
    const kinds = ofKinds(themeOf(theme));
    expect(kinds.length).toBeGreaterThan(4);
    const near = kinds.flatMap((one, at) =>
      kinds.slice(at + 1).flatMap(other => one.flatMap(a => other.flatMap(b => tooNear([a, b], vision)))),
    );
    expect(near).toEqual([]);
  });

  it.each(Object.entries(themes))('have readable labels in %s', (_, kind) => {
    for (const [what, {fill, text}] of ofKinds(kind).flat()) {
      expect([what, contrastOf(fill, text) >= 4.5]).toEqual([what, true]);
    }
  });
});

it.each(cases)('steps alternate in $theme with vision: $vision', ({theme, vision}) => {
  const [one, other] = [0, 1].map(step => stepColors(step, themeOf(theme)).fill);
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

describe('areaColor(hue)', () => {
  it.each([165, 200])('stands out from the backgrounds of dark and light themes: hue %d', hue => {
    for (const background of ['#1f1f1f', '#ffffff'])
      expect(contrastOf(areaColor(hue), background)).toBeGreaterThanOrEqual(3);
  });
});
