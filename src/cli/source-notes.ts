import {plural} from '../core/format/count.js';
import {placeText} from '../core/source/source-index.js';
import type {Sources} from './sources.js';

/** This many of a kind are named; the others are counted. */
const mostNamed = 5;

/** What of the ranges and of the folder's tags has nothing on the other side, or several places there, as sentences. */
export function sourceNotes(names: readonly string[], sources: Sources): string[] {
  const missing = sources.unmatched(names);
  if (!missing) return [];
  const notes: string[] = [];
  const shared = names.filter(name => sources.placesOf(name) > 1);
  if (missing.ranges.length > 0) {
    notes.push(`No line of the folder opens ${plural(missing.ranges.length, 'range')}: ${listed(missing.ranges)}.`);
  }
  if (shared.length > 0) {
    notes.push(`Several lines open ${plural(shared.length, 'range')}, and share their figures: ${listed(shared)}.`);
  }
  if (missing.tags.length > 0) {
    const places = missing.tags.map(place => placeText(place.file, place));
    notes.push(`Not in this profile: ${plural(places.length, 'tag')}, at ${listed(places)}.`);
  }
  return notes;
}

function listed(items: readonly string[]): string {
  const others = items.length - mostNamed;
  const named = items.slice(0, mostNamed).join(', ');
  return others > 0 ? `${named} and ${plural(others, 'other')}` : named;
}
