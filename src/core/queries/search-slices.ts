import type {StringTable} from '../table/string-table.js';
import type {Trace} from '../trace/trace.js';
import {sliceDetails, type SliceDetails} from './slice-details.js';

/** What names are looked for. */
export interface SearchQuery {
  readonly text: string;
  /** Whether the text is a regular expression; else any name that contains it fits. Case never counts. */
  readonly isRegex: boolean;
  /** Whether a name must be the text, to the letter. */
  readonly isWhole?: boolean;
}

/** Where a search goes on. */
export interface SearchStep {
  /** The slice before, -1 to begin at `fromNs`. */
  readonly after: number;
  readonly fromNs: number;
  readonly direction: -1 | 1;
}

export interface SearchResult {
  /** Slices whose name fits. */
  readonly count: number;
  /** Place of the hit among them in order of time, from 1; 0 where there is none. */
  readonly position: number;
  readonly hit: SliceDetails | null;
}

/** String index → 1 for names that fit; 0 everywhere for an empty text. */
export function matchingNames(strings: StringTable, fits: (name: string) => boolean): Uint8Array {
  const found = new Uint8Array(strings.length);
  for (let name = 1; name < found.length; name++) if (fits(strings.get(name))) found[name] = 1;
  return found;
}

/** Whether a name fits a query without a regular expression. */
export function textTest({text, isWhole = false}: SearchQuery): (name: string) => boolean {
  if (isWhole) return name => name === text;
  const wanted = text.toLowerCase();
  return name => wanted !== '' && name.toLowerCase().includes(wanted);
}

/**
 * The next slice with one of the names in order of start, then row; after the last comes the first again.
 *
 * One pass over the rows and no memory, however many fit.
 *
 * @param fits string index → 1 for the names
 */
export function searchSlices(trace: Trace, fits: Uint8Array, {after, fromNs, direction}: SearchStep): SearchResult {
  const {name, startNs, length} = trace.slices;
  const from = startOf(trace, after, fromNs, direction);
  // Whether the first comes later in the direction of the search.
  const isBehind = (a: number, aNs: number, b: number, bNs: number) => direction * (aNs - bNs || a - b) > 0;
  const nearer = (best: number, row: number) =>
    best < 0 || isBehind(best, startNs[best], row, startNs[row]) ? row : best;
  let count = 0;
  let best = -1;
  let wrapped = -1;
  for (let row = 0; row < length; row++) {
    if (fits[name[row]] === 0) continue;
    count++;
    if (isBehind(row, startNs[row], from.row, from.ns)) best = nearer(best, row);
    else wrapped = nearer(wrapped, row);
  }
  const hit = best >= 0 ? best : wrapped;
  return {count, position: hit < 0 ? 0 : placeOf(trace, fits, hit), hit: sliceDetails(trace, hit)};
}

/** Where a search goes on: at a slice, or before or behind everything that starts at a time. */
function startOf(
  {slices}: Trace,
  after: number,
  fromNs: number,
  direction: -1 | 1,
): {readonly row: number; readonly ns: number} {
  if (Number.isInteger(after) && after >= 0 && after < slices.length) return {row: after, ns: slices.startNs[after]};
  return {row: direction > 0 ? -1 : slices.length, ns: fromNs};
}

function placeOf({slices}: Trace, fits: Uint8Array, hit: number): number {
  const {name, startNs, length} = slices;
  const hitNs = startNs[hit];
  let place = 0;
  for (let row = 0; row < length; row++) {
    if (fits[name[row]] === 1 && (startNs[row] < hitNs || (startNs[row] === hitNs && row <= hit))) place++;
  }
  return place;
}
