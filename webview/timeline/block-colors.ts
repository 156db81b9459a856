import type {ThemeKind} from '../../src/core/layout/mark-colors.js';
import {kernelClass, type KernelClass} from '../../src/core/names/kernel-class.js';
import {hueColors, kindColors, nameColors, neutralColors, type MarkColors} from '../shared/colors.js';
import {groupingOf, type Coloring} from './timeline-state.js';

type ColoredClass = Exclude<KernelClass, 'other'>;

/**
 * Hue, saturation and shade of each class. Hues alone are not enough: lightness tells those apart that look alike without
 * one kind of cones, in every theme (test/webview/palette.test.ts), and names on them stay readable.
 */
const paintOfClass: Readonly<Record<ColoredClass, readonly [hue: number, saturation: number, shade: number]>> = {
  'matrix product': [228, 68, 8],
  attention: [272, 65, 1],
  convolution: [218, 57, 21],
  normalisation: [192, 71, 0],
  softmax: [163, 16, 11],
  reduction: [23, 74, 0],
  elementwise: [26, 64, 12],
  copy: [2, 46, 14],
  communication: [320, 61, 21],
};

/** The colours of a class of kernels: the same for all of them. */
export function classColors(of: ColoredClass, theme: ThemeKind): MarkColors {
  const [hue, saturation, shade] = paintOfClass[of];
  return hueColors(hue, shade, theme, saturation);
}

const classes = new Map<string, KernelClass>();
const rememberedNames = 50_000;

/** The class of a kernel by its name, remembered: it is asked for in every frame. */
export function classOf(name: string): KernelClass {
  let known = classes.get(name);
  if (known === undefined) {
    if (classes.size > rememberedNames) classes.clear();
    classes.set(name, (known = kernelClass(name)));
  }
  return known;
}

/**
 * The colours of a block: kernels by class or by name, others by kind or by name; by range or rank all by their group.
 *
 * @param group the name of the block's range or process, null for none
 */
export function blockColors(
  kind: string,
  name: string,
  coloring: Coloring,
  theme: ThemeKind,
  group: string | null = null,
): MarkColors {
  if (groupingOf(coloring)) return group === null ? neutralColors(theme) : nameColors(group, theme);
  if (coloring === 'name') return nameColors(name, theme);
  if (kind === 'gpu_memcpy' || kind === 'gpu_memset') return classColors('copy', theme);
  if (kind !== 'kernel') return kindColors(kind, name, theme);
  const own = classOf(name);
  return own === 'other' ? nameColors(name, theme) : classColors(own, theme);
}
