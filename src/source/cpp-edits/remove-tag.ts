import type {SyntaxNode} from '@lezer/common';
import type {Replacement} from '../../core/source/replacement.js';
import type {SourceTag} from '../../core/source/source-tag.js';
import {cppTags} from '../cpp-tags.js';
import {functionAround} from '../cpp/cpp-text.js';
import type {ParsedText} from '../parsed-text.js';
import {lineEnd, lineStart, nextLine} from '../python-edits/lines.js';
import type {TagEdit} from '../python-edits/wrap-selection.js';

const removable = new Set(['nvtxRangePush', 'nvtx3::scoped_range', 'NVTX3_FUNC_RANGE', 'RECORD_FUNCTION']);

/**
 * Removes the tag whose call is alone on an offset's line; a push must have exactly one pop. Null for others, and if
 * several pops may close it.
 */
export function removeCppTag(parsed: ParsedText, offset: number): TagEdit | null {
  const {text} = parsed;
  const line = lineStart(text, offset);
  const tag = cppTags(parsed).find(found => lineStart(text, found.offset) === line);
  if (!tag || !removable.has(tag.api) || !isStatement(text, tag.offset)) return null;
  const own = {from: line, to: nextLine(text, tag.offset), text: ''};
  const pop = tag.api === 'nvtxRangePush' ? popOf(parsed, tag) : own;
  if (!pop) return null;
  const name = tag.pattern?.join('…') ?? tag.api;
  return {name, replacements: pop === own ? [own] : [own, pop]};
}

/** Returns whether a line contains exactly one statement. */
function isStatement(text: string, offset: number): boolean {
  return /^\s*[^;]*;\s*(?:\/\/.*)?$/.test(text.slice(lineStart(text, offset), lineEnd(text, offset)));
}

function popOf(parsed: ParsedText, tag: SourceTag): Replacement | null {
  const {text, tree} = parsed;
  const around: SyntaxNode | null = functionAround(tree.resolveInner(tag.offset, 1));
  if (!around) return null;
  const inside = [...text.slice(tag.offset, around.to).matchAll(/\bnvtx(?:Domain)?Range(Push|Pop)\w*\s*\(/g)];
  let depth = 0;
  for (const [at, match] of inside.entries()) {
    depth += match[1] === 'Push' ? 1 : -1;
    if (depth > 0) continue;
    // A pop without a push of its own closes the same range on another exit.
    const others = inside.slice(at + 1).filter(other => other[1] === 'Pop').length;
    const pushes = inside.slice(at + 1).length - others;
    const place = tag.offset + match.index;
    if (others > pushes || !isStatement(text, place)) return null;
    return {from: lineStart(text, place), to: nextLine(text, place), text: ''};
  }
  return null;
}
