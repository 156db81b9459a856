import type {KernelClass} from '../names/kernel-class.js';
import {hueColors, type MarkColors, type ThemeKind} from './mark-colors.js';

/** A class with the same colour in every view. */
export type ColoredClass = Exclude<KernelClass, 'other'>;

/**
 * Hue, saturation and shade of each class. Hues alone are not enough: colour-blind people tell similar hues apart by
 * lightness, in every theme (test/webview/palette.test.ts). Names on the colours stay readable.
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

/** Returns the colours of a class of kernels. */
export function classColors(of: ColoredClass, theme: ThemeKind): MarkColors {
  const [hue, saturation, shade] = paintOfClass[of];
  return hueColors(hue, shade, theme, saturation);
}

/** Returns whether a text names a class with its own colour. */
export function isColoredClass(text: string): text is ColoredClass {
  return Object.hasOwn(paintOfClass, text);
}
