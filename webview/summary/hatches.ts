import type {Selection} from 'd3';
import type {TimePart} from '../../src/core/summary/time-parts.js';
import type {Theme} from '../shared/theme.js';
import {isHatched, partColors} from '../shared/part-colors.js';

/** A picture under construction. */
type Svg = Selection<SVGSVGElement, unknown, null, undefined>;

const idOf = (part: TimePart): string => `hatch-${part.replace(/\W/g, '-')}`;

/** Defines the hatching of hatched parts. */
export function hatches(svg: Svg, parts: readonly TimePart[], theme: Theme): Svg {
  const defs = svg.append('defs');
  for (const part of parts.filter(isHatched)) {
    defs
      .append('pattern')
      .attr('id', idOf(part))
      .attr('width', 6)
      .attr('height', 6)
      .attr('patternUnits', 'userSpaceOnUse')
      .attr('patternTransform', 'rotate(45)')
      .append('line')
      .attr('y2', 6)
      .attr('stroke', partColors(part, theme).text)
      .attr('stroke-opacity', 0.25)
      .attr('stroke-width', 3);
  }
  return svg;
}

/** Returns the fill for a part's hatching; null for a part without one. */
export const hatchFor = (part: TimePart): string | null => (isHatched(part) ? `url(#${idOf(part)})` : null);
