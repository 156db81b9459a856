import {matchesName} from '../names/name-pattern.js';
import {isPyTorchRange} from './pytorch-ranges.js';
import type {SourceIndex, TagPlace} from './source-index.js';

/** What of a profile and of a workspace has nothing on the other side. */
export interface Unmatched {
  /** Ranges that no line opens: "range not found in the workspace". PyTorch's own are not among them. */
  readonly ranges: readonly string[];
  /** Tags that opened no range: "not in this profile". Those whose names are computed are not among them. */
  readonly tags: readonly TagPlace[];
}

/**
 * What matched nothing, in both directions.
 *
 * @param names of the profile's tagged ranges, each once
 * @param isPlaced whether something else than the source says which line opens a range, such as the runner's sidecar
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
