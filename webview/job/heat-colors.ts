import {interpolateCividis, interpolateRgb, scaleSequential} from 'd3';
import type {Theme} from '../shared/theme.js';

/**
 * Returns the colour of a value: larger values are further from the background. Cividis looks the same with red-green
 * colour blindness; in high contrast there is no hue at all.
 */
export function heatColors(leastValue: number, mostValue: number, theme: Theme): (value: number) => string {
  const {isDark, isHighContrast, background, foreground} = theme;
  const ofTheme = isDark ? interpolateCividis : (part: number) => interpolateCividis(1 - part);
  const high = interpolateRgb(interpolateRgb(background, foreground)(0.15), foreground);
  const scale = scaleSequential(isHighContrast ? high : ofTheme).domain([leastValue, mostValue]);
  // Equal values get the colour in the middle, not at an end.
  return value => scale(mostValue > leastValue ? value : NaN) || (isHighContrast ? high(0.5) : ofTheme(0.5));
}
