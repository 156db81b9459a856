import type {SourceTag} from './source-tag.js';

/** The tag whose range is open on a line: of those that cover it, the one that covers least; null where none does. */
export function tagAround(tags: readonly SourceTag[], line: number): SourceTag | null {
  let best: SourceTag | null = null;
  for (const tag of tags) {
    if (line < tag.line || line > tag.endLine) continue;
    if (!best || tag.endLine - tag.line <= best.endLine - best.line) best = tag;
  }
  return best;
}
