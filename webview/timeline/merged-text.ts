import {formatCount} from '../../src/core/format/count.js';
import {formatPercent} from '../../src/core/format/duration.js';
import type {VisibleInstants} from '../../src/core/layout/visible-instants.js';
import type {MergedSlices} from '../../src/core/questions/merged-slices.js';
import type {VisibleSlices} from '../../src/core/layout/visible-slices.js';
import {counted, t} from '../shared/translate.js';

/** The description of a mark that represents several things. */
export interface MergedText {
  readonly title: string;
  readonly lines: readonly string[];
}

const howToSee = t('Zoom in to tell them apart');

/** Describes a block: the number of its slices, their name, and how much of its width they cover. */
export function mergedSlicesText({blocks, names}: VisibleSlices, block: number): MergedText {
  const {count, name, busyFraction} = blocks;
  const ofName = name[block] < 0 ? t(' of several names') : t(' of {0}', names[name[block]]);
  const busy = t('{0} % of this width busy', Math.round(100 * busyFraction[block]));
  return {title: t('{0} slices{1}', formatCount(count[block]), ofName), lines: [busy, howToSee]};
}

/** Returns the names with the most time in a block, with their shares of the time of all its slices. */
export function largestLines({totalNs, largest, names}: MergedSlices): string[] {
  if (names < 2) return [];
  const lines = largest.map(({name, count, totalNs: ofName}) => {
    const share = totalNs > 0 ? ` · ${formatPercent(ofName, totalNs)}` : '';
    return `${name}${share} · ×${formatCount(count)}`;
  });
  const left = names - largest.length;
  return left > 0 ? [...lines, counted(left, 'and {0} more name', 'and {0} more names')] : lines;
}

/** Describes a marker of several instants. */
export function mergedInstantsText({markers}: VisibleInstants, marker: number): MergedText {
  return {title: t('{0} instants', formatCount(markers.count[marker])), lines: [howToSee]};
}
