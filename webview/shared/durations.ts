import {scaleLinear} from 'd3';
import {formatCount} from '../../src/core/format/count.js';
import {formatDuration} from '../../src/core/format/duration.js';
import {greatest} from '../../src/core/table/extremes.js';
import type {RowDurations} from '../../src/core/tabs/row-durations.js';
import {svg, svgText, titled} from './svg.js';
import {counted, t} from './translate.js';

const [widthPx, heightPx, bottomPx] = [520, 110, 18];

/** Describes a histogram. */
export function durationLines(durations: RowDurations): string[] {
  const {count, leastNs, lowerNs, medianNs, upperNs, mostNs, outliers, outlierNs, outlierAboveNs} = durations;
  const spread = t(
    '{0}: median {1}, half from {2} to {3}, all from {4} to {5}.',
    formatCount(count),
    formatDuration(medianNs),
    formatDuration(lowerNs),
    formatDuration(upperNs),
    formatDuration(leastNs),
    formatDuration(mostNs),
  );
  if (outliers === 0) return [spread, t('No outliers.')];
  return [
    spread,
    counted(
      outliers,
      '{0} outlier above {1}, {2} together. The longest:',
      '{0} outliers above {1}, {2} together. The longest:',
      formatDuration(outlierAboveNs),
      formatDuration(outlierNs),
    ),
  ];
}

/** Returns the histogram as a picture. @param ownNs a duration to mark; an outlier is marked at the end */
export function drawDurations(durations: RowDurations, ownNs: number | null = null): SVGElement {
  const {bins, leastNs, binsToNs, count, outliers} = durations;
  const picture = svg('svg', {
    ...{width: widthPx, height: heightPx, role: 'img'},
    'aria-label': t(
      'Histogram of {0} durations from {1} to {2}',
      formatCount(count - outliers),
      formatDuration(leastNs),
      formatDuration(binsToNs),
    ),
  });
  const most = greatest(bins);
  const y = scaleLinear([0, Math.max(1, most)], [0, heightPx - bottomPx - 4]);
  const binPx = widthPx / bins.length;
  const binNs = (binsToNs - leastNs) / bins.length;
  bins.forEach((slices, at) => {
    // A bar of few among many would be narrower than a pixel, but must be visible.
    const barPx = slices === 0 ? 0 : Math.max(1, y(slices));
    const mark = svg('rect', {
      ...{x: at * binPx, width: Math.max(1, binPx - 1), y: heightPx - bottomPx - barPx, height: barPx, class: 'mark'},
    });
    const [from, to] = [leastNs + at * binNs, leastNs + (at + 1) * binNs];
    picture.append(titled(mark, t('{0} to {1}: {2}', formatDuration(from), formatDuration(to), formatCount(slices))));
  });
  picture.append(svgText(formatDuration(leastNs), {x: 0, y: heightPx - 4, class: 'number'}));
  picture.append(
    svgText(formatDuration(binsToNs), {x: widthPx, y: heightPx - 4, class: 'number', 'text-anchor': 'end'}),
  );
  if (ownNs !== null) picture.append(ownMark(durations, ownNs));
  return picture;
}

/** Marks a duration with a line, and with a triangle if it lies beyond the picture. */
function ownMark({leastNs, binsToNs}: RowDurations, ownNs: number): SVGElement {
  const isBeyond = ownNs > binsToNs;
  const part = binsToNs > leastNs ? Math.min(1, (ownNs - leastNs) / (binsToNs - leastNs)) : 0;
  const x = Math.max(1, Math.min(widthPx - 1, part * widthPx));
  const tip = isBeyond ? `M${String(x - 8)},0 l8,5 l-8,5 z` : `M${String(x - 5)},0 h10 l-5,8 z`;
  return titled(
    svg('g', {class: 'own'}, [svg('line', {x1: x, x2: x, y1: 0, y2: heightPx - bottomPx}), svg('path', {d: tip})]),
    t('This one: {0}', formatDuration(ownNs)),
  );
}
