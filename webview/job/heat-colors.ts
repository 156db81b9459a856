import {interpolateCividis, interpolateRgb, scaleSequential} from 'd3';
import type {Theme} from '../shared/theme.js';

/**
 * Returns the colour of a value: the more it is, the further from the background. Cividis is the same for eyes without
 * one kind of cones; in high contrast there is no hue at all.
 */
export function heatColors(leastValue: number, mostValue: number, theme: Theme): (value: number) => string {
  const {isDark, isHighContrast, background, foreground} = theme;
  const ofTheme = isDark ? interpolateCividis : (part: number) => interpolateCividis(1 - part);
  const high = interpolateRgb(interpolateRgb(background, foreground)(0.15), foreground);
  const scale = scaleSequential(isHighContrast ? high : ofTheme).domain([leastValue, mostValue]);
  // All alike are in the middle, not at an end.
  return value => scale(mostValue > leastValue ? value : NaN) || (isHighContrast ? high(0.5) : ofTheme(0.5));
}
