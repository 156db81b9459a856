import type {TimePart} from '../../src/core/summary/time-parts.js';
import {svg} from '../shared/svg.js';
import type {Theme} from '../shared/theme.js';
import {hatchFor} from './hatches.js';
import {partColors} from '../shared/part-colors.js';

/** Returns a small square in the colour of a part. */
export function swatch(part: TimePart, theme: Theme): SVGElement {
  const box = {x: 0.5, y: 0.5, width: 11, height: 11};
  const edge = theme.isHighContrast ? theme.foreground : 'none';
  const hatch = hatchFor(part);
  return svg('svg', {class: 'swatch', width: 12, height: 12, 'aria-hidden': 'true'}, [
    svg('rect', {...box, fill: partColors(part, theme).fill, stroke: edge}),
    ...(hatch === null ? [] : [svg('rect', {...box, fill: hatch})]),
  ]);
}
