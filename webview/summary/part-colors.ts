import {isIdlePart, type TimePart} from '../../src/core/summary/time-parts.js';
import {hueColors, type MarkColors, type ThemeKind} from '../shared/colors.js';

/** Hue, shade and saturation: work has cool colours, what is in the way warm ones. */
const paints: Readonly<Record<TimePart, readonly [hue: number, shade: number, saturation: number]>> = {
  'matrix product': [219, 12, 60],
  attention: [272, 16, 40],
  convolution: [190, 4, 55],
  normalisation: [153, 2, 40],
  softmax: [130, 12, 35],
  reduction: [206, 20, 60],
  elementwise: [240, 6, 45],
  copy: [172, 14, 35],
  other: [219, 2, 15],
  graph: [219, 20, 30],
  memcpy: [76, 4, 58],
  memset: [90, 14, 35],
  communication: [329, 12, 60],
  'idle/loader': [15, 8, 70],
  'idle/allocation': [48, 6, 65],
  'idle/wait': [2, 14, 70],
  'idle/launch': [33, 14, 70],
  'idle/other': [24, 2, 25],
  outside: [0, 3, 0],
  'cpu/loader': [15, 8, 70],
  'cpu/work': [206, 10, 60],
  'cpu/other': [0, 3, 0],
};

/** What a part of the time is painted with. */
export function partColors(part: TimePart, theme: ThemeKind): MarkColors {
  const [hue, shade, saturation] = paints[part];
  return hueColors(hue, shade, theme, saturation);
}

/** Whether a part is hatched: time in which the GPU does nothing is told apart without its colour, too. */
export const isHatched = (part: TimePart): boolean => isIdlePart(part);
