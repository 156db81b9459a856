import {displayName} from '../names/slice-name.js';
import type {StringTable} from '../table/string-table.js';
import type {Trace, Track} from '../trace/trace.js';
import {sliceDetails, type SliceDetails} from './slice-details.js';

/** The names to search for. */
export interface SearchQuery {
  readonly text: string;
  /** Whether the text is a regular expression; otherwise, names that contain it match. Case is always ignored. */
  readonly isRegex: boolean;
  /** Whether a name must equal the text exactly. */
  readonly isWhole?: boolean;
}

/** The slices to search: GPU work, slices on other tracks, or all. */
export type SearchPlace = 'gpu' | 'elsewhere' | 'all';

/** Where a search continues. */
export interface SearchStep {
  /** "all" if absent. */
  readonly in?: SearchPlace;
  /** The previous hit, -1 to begin at `fromNs`. */
  readonly after: number;
  readonly fromNs: number;
  readonly direction: -1 | 1;
  /** Whether the previous hit may be found again if its name still matches, as while the user types. */
  readonly mayStay?: boolean;
}

export interface SearchResult {
  /** The number of matching slices. */
  readonly count: number;
  /** The hit's position among them in order of time, from 1; 0 if there is none. */
  readonly position: number;
  readonly hit: SliceDetails | null;
}

/** Returns, for each string, 1 if the name matches; all 0 for an empty text. */
export function matchingNames(strings: StringTable, fits: (name: string) => boolean): Uint8Array {
  const found = new Uint8Array(strings.length);
  for (let name = 1; name < found.length; name++) if (fits(strings.get(name))) found[name] = 1;
  return found;
}

/** Returns a test of whether a name matches a query without a regular expression. */
export function textTest({text, isWhole = false}: SearchQuery): (name: string) => boolean {
  // Slices are shown with the shorter `displayName`, so it matches, too.
  if (isWhole) return name => name === text || displayName(name) === text;
  const wanted = text.toLowerCase();
  return name => wanted !== '' && name.toLowerCase().includes(wanted);
}

/**
 * Returns the next slice with one of the names, in order of start, then row. After the last slice, the search continues
 * at the first.
 *
 * Reads each row's name once and needs no memory, whatever the number of matches.
 *
 * @param fits string index → 1 for matching names
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

/** Returns whether a search in this place covers a track. */
export function isIn({kind}: Track, place: SearchPlace): boolean {
  return place === 'all' || (kind === 'stream') === (place === 'gpu');
}

/** A position in the order of starts, then rows: where a slice is, or would be. */
interface Place {
  readonly row: number;
  readonly ns: number;
}

/**
 * Returns where a search continues: at a slice or right before it, or before or after everything that starts at a time.
 */
function placeOf({slices}: Trace, {after, fromNs, direction, mayStay = false}: SearchStep): Place {
  if (Number.isInteger(after) && after >= 0 && after < slices.length)
    return {row: mayStay ? after - direction : after, ns: slices.startNs[after]};
  return {row: direction > 0 ? -1 : slices.length, ns: fromNs};
}

/**
 * Returns the nearest matching slice beyond a position in a direction, -1 for none. If the search wraps around, this is
 * the first match up to the position.
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
    // A track's slices are sorted by start. A continued search skips the slice that it starts from.
    const split = firstNotBefore(trace, firstSlice, endSlice, direction > 0 ? {...from, row: from.row + 1} : from);
    const isUpper = direction > 0 !== isAgain;
    const [first, end] = isUpper ? [split, endSlice] : [firstSlice, split];
    const row = direction > 0 ? firstFit(trace, fits, first, end) : lastFit(trace, fits, first, end);
    if (row >= 0 && (best < 0 || direction * (startNs[row] - startNs[best] || row - best) < 0)) best = row;
  }
  return best;
}

/** Returns the first of a track's rows, in a range of rows, that does not come before a position. */
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
