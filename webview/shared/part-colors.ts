import {isIdlePart, type TimePart} from '../../src/core/summary/time-parts.js';
import {classColors, isColoredClass, type ColoredClass} from '../../src/core/layout/class-colors.js';
import {hueColors, type MarkColors, type ThemeKind} from './colors.js';

/** Hue, shade and saturation of the parts that are not a class of kernels; time lost has warm colours. */
const paints: Readonly<
  Record<Exclude<TimePart, ColoredClass>, readonly [hue: number, shade: number, saturation: number]>
> = {
  other: [219, 2, 15],
  graph: [219, 20, 30],
  memcpy: [76, 4, 58],
  memset: [90, 14, 35],
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

/** Returns the colour of a part of the time: a class of kernels has the same colour as in the timeline. */
export function partColors(part: TimePart, theme: ThemeKind): MarkColors {
  if (isColoredClass(part)) return classColors(part, theme);
  const [hue, shade, saturation] = paints[part];
  return hueColors(hue, shade, theme, saturation);
}

/** Whether a part is hatched, so that the GPU's idle time is recognisable without colour. */
export const isHatched = (part: TimePart): boolean => isIdlePart(part);
