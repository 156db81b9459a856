import type {SyntaxNode} from '@lezer/common';
import type {Replacement} from '../../core/source/replacement.js';
import type {ParsedText} from '../parsed-text.js';
import {lineBreak, lineEnd} from '../python-edits/lines.js';

/** Returns the include that a text lacks for NVTX's C calls, or for its C++ classes and macros; null for none. */
export function missingInclude({text}: ParsedText, needsClasses: boolean): Replacement | null {
  const has = (file: string) => new RegExp(`^[ \\t]*#[ \\t]*include[ \\t]*[<"](?:nvtx3/)?${file}[>"]`, 'm').test(text);
  if (has('nvtx3\\.hpp') || (!needsClasses && has('nvToolsExt\\.h'))) return null;
  const line = `#include <nvtx3/${needsClasses ? 'nvtx3.hpp' : 'nvToolsExt.h'}>`;
  const last = [...text.matchAll(/^[ \t]*#[ \t]*include\b.*$/gm)].at(-1);
  const breakOf = lineBreak(text);
  if (!last) return {from: 0, to: 0, text: `${line}${breakOf}`};
  const end = lineEnd(text, last.index);
  return {from: end, to: end, text: breakOf + line};
}

/** Returns whether a function runs on the GPU, where no range can be opened. */
export function isDeviceCode(definition: SyntaxNode | null, text: string): boolean {
  const body = definition?.getChild('CompoundStatement');
  if (!definition || !body) return false;
  // The parser treats unknown words as something before the function.
  const header = text.slice(Math.max(0, text.lastIndexOf('\n', definition.from - 1)), body.from);
  return /\b__global__\b|\b__device__\b|\bconstexpr\b|\bconsteval\b/.test(header);
}
