import {plural} from '../../core/format/count.js';
import {deltaText, lineDifference} from '../../core/format/delta-text.js';
import {lineTimingText, type LineStyle} from '../../core/format/line-timing.js';
import type {LineAnnotation} from './annotations.js';

/** What stands above a line or at its end, with what a reader must know of it. */
export function annotationText({timing, before, isStale, otherLines}: LineAnnotation, style: LineStyle): string {
  const parts = [lineTimingText(timing, style, deltaText(lineDifference(timing, before)))];
  if (isStale) parts.unshift('$(history) before your edit');
  if (otherLines > 0) parts.push(`shared with ${plural(otherLines, 'other line')}`);
  return parts.join(' · ');
}
