import {displayName} from '../names/slice-name.js';
import type {StringTable} from '../table/string-table.js';
import type {Trace, Track} from '../trace/trace.js';
import {sliceDetails, type SliceDetails} from './slice-details.js';

/** What names are looked for. */
export interface SearchQuery {
  readonly text: string;
  /** Whether the text is a regular expression; else any name that contains it fits. Case never counts. */
  readonly isRegex: boolean;
  /** Whether a name must be the text, to the letter. */
  readonly isWhole?: boolean;
}

/** Which slices a search is about: what GPUs execute, what is on other tracks, or all. */
export type SearchPlace = 'gpu' | 'elsewhere' | 'all';

/** Where a search goes on. */
export interface SearchStep {
  /** "all" where it is left out. */
  readonly in?: SearchPlace;
  /** The slice before, -1 to begin at `fromNs`. */
  readonly after: number;
  readonly fromNs: number;
  readonly direction: -1 | 1;
  /** Whether the slice before is found again where its name fits, as while a name is typed. */
  readonly mayStay?: boolean;
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
  // Slices are shown without what `displayName` leaves out.
  if (isWhole) return name => name === text || displayName(name) === text;
  const wanted = text.toLowerCase();
  return name => wanted !== '' && name.toLowerCase().includes(wanted);
}

/**
 * The next slice with one of the names in order of start, then row; after the last comes the first again.
 *
 * One look at each row's name and no memory, however many fit.
 *
 * @param fits string index → 1 for the names
 */
export function searchSlices(trace: Trace, fits: Uint8Array, step: SearchStep): SearchResult {
  const from = placeOf(trace, step);
  const {direction, in: place = 'all'} = step;
  const tracks = trace.tracks.filter(track => isIn(track, place));
  const ahead = nearest(trace, tracks, fits, from, direction, false);
  const hit = ahead >= 0 ? ahead : nearest(trace, tracks, fits, from, direction, true);
  const last = {row: hit, ns: hit < 0 ? -Infinity : trace.slices.startNs[hit]};
  let count = 0;
  let position = 0;
  for (const {firstSlice, endSlice} of tracks) {
    const end = firstNotBefore(trace, firstSlice, endSlice, {...last, row: last.row + 1});
    const before = countFits(trace, fits, firstSlice, end);
    position += before;
    count += before + countFits(trace, fits, end, endSlice);
  }
  return {count, position, hit: sliceDetails(trace, hit)};
}

/** Returns whether a track is one that a search in this place looks at. */
export function isIn({kind}: Track, place: SearchPlace): boolean {
  return place === 'all' || (kind === 'stream') === (place === 'gpu');
}

/** A place in the order of starts, then rows: where a slice is, or would be. */
interface Place {
  readonly row: number;
  readonly ns: number;
}

/** Where a search goes on: at a slice or right before it, or before or behind everything that starts at a time. */
function placeOf({slices}: Trace, {after, fromNs, direction, mayStay = false}: SearchStep): Place {
  if (Number.isInteger(after) && after >= 0 && after < slices.length)
    return {row: mayStay ? after - direction : after, ns: slices.startNs[after]};
  return {row: direction > 0 ? -1 : slices.length, ns: fromNs};
}

/**
 * The nearest fitting slice beyond a place in a direction, -1 for none; for a search that begins again at the other end,
 * the first one up to the place.
 */
function nearest(
  trace: Trace,
  tracks: readonly Track[],
  fits: Uint8Array,
  from: Place,
  direction: -1 | 1,
  isAgain: boolean,
): number {
  const {startNs} = trace.slices;
  let best = -1;
  for (const {firstSlice, endSlice} of tracks) {
    // Slices of a track are sorted by start. A search that goes on does not find the slice again that it comes from.
    const split = firstNotBefore(trace, firstSlice, endSlice, direction > 0 ? {...from, row: from.row + 1} : from);
    const isUpper = direction > 0 !== isAgain;
    const [first, end] = isUpper ? [split, endSlice] : [firstSlice, split];
    const row = direction > 0 ? firstFit(trace, fits, first, end) : lastFit(trace, fits, first, end);
    if (row >= 0 && (best < 0 || direction * (startNs[row] - startNs[best] || row - best) < 0)) best = row;
  }
  return best;
}

/** The first row of a track, between two of its rows, that does not come before a place. */
function firstNotBefore({slices: {startNs}}: Trace, first: number, end: number, {row, ns}: Place): number {
  while (first < end) {
    const middle = (first + end) >>> 1;
    if (startNs[middle] < ns || (startNs[middle] === ns && middle < row)) first = middle + 1;
    else end = middle;
  }
  return first;
}

function firstFit({slices: {name}}: Trace, fits: Uint8Array, first: number, end: number): number {
  for (let row = first; row < end; row++) if (fits[name[row]] === 1) return row;
  return -1;
}

function lastFit({slices: {name}}: Trace, fits: Uint8Array, first: number, end: number): number {
  for (let row = end - 1; row >= first; row--) if (fits[name[row]] === 1) return row;
  return -1;
}

function countFits({slices: {name}}: Trace, fits: Uint8Array, first: number, end: number): number {
  let count = 0;
  for (let row = first; row < end; row++) count += fits[name[row]];
  return count;
}
