import type {SourceTag} from './source-tag.js';

/** Returns the tag whose range is open on a line: the shortest that covers it; null if none does. */
export function tagAround(tags: readonly SourceTag[], line: number): SourceTag | null {
  let best: SourceTag | null = null;
  for (const tag of tags) {
    if (line < tag.line || line > tag.endLine) continue;
    if (!best || tag.endLine - tag.line <= best.endLine - best.line) best = tag;
  }
  return best;
}
