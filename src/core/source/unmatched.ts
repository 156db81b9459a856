import {matchesName} from '../names/name-pattern.js';
import {isPyTorchRange} from './pytorch-ranges.js';
import type {SourceIndex, TagPlace} from './source-index.js';

/** Ranges and tags of a profile and a workspace that have no counterpart. */
export interface Unmatched {
  /** Ranges that no line opens: "range not found in the workspace", without PyTorch's own. */
  readonly ranges: readonly string[];
  /** Tags that opened no range: "not in this profile", without tags whose names are computed. */
  readonly tags: readonly TagPlace[];
}

/**
 * Returns the ranges and tags without a counterpart.
 *
 * @param names names of the profile's tagged ranges, each once
 * @param isPlaced returns whether something other than the source gives the line of a range, such as the runner's
 *   sidecar
 */
export function unmatched(
  index: SourceIndex,
  names: readonly string[],
  isPlaced: (name: string) => boolean = () => false,
): Unmatched {
  const known = new Set(names);
  const ran = ({tag: {pattern}}: TagPlace) =>
    !pattern || (pattern.length === 1 ? known.has(pattern[0]) : names.some(name => matchesName(pattern, name)));
  return {
    ranges: names.filter(name => !isPlaced(name) && !isPyTorchRange(name) && index.placesFor(name).length === 0),
    tags: index.tags.filter(place => !ran(place)),
  };
}
