import type {SyntaxNode} from '@lezer/common';
import type {Replacement} from '../../core/source/replacement.js';
import type {TagKind} from '../../core/source/tag-kind.js';
import type {ParsedText} from '../parsed-text.js';
import {findImports} from '../python/imports.js';
import {childrenOf} from '../syntax.js';
import {lineBreak, lineEnd, lineStart} from './lines.js';
import {endOf} from './statements.js';

/** How a file refers to the function that opens a range, and the import that it lacks for it. */
export interface TagSpelling {
  readonly callee: string;
  readonly missingImport: Replacement | null;
}

const dotted = {
  record_function: ['torch.profiler.record_function', 'torch.autograd.profiler.record_function'],
  nvtx: ['torch.cuda.nvtx.range'],
} as const satisfies Record<TagKind, readonly string[]>;

const imports = {
  record_function: 'from torch.profiler import record_function',
  nvtx: 'import torch',
} as const satisfies Record<TagKind, string>;

/**
 * Returns the file's own spelling, else the usual name with its import.
 *
 * @param before where the tag will be: imports after it do not count
 */
export function tagSpelling(parsed: ParsedText, kind: TagKind, before: number): TagSpelling {
  const isKnown = ({parent, to}: SyntaxNode) => parent?.name === 'Script' && to <= before;
  const {names} = findImports(parsed.tree, parsed.text, isKnown);
  for (const name of dotted[kind]) {
    for (const [local, imported] of names) {
      if (imported === name) return {callee: local, missingImport: null};
    }
  }
  for (const name of kind === 'nvtx' ? dotted.nvtx : []) {
    for (const [local, imported] of names) {
      if (name.startsWith(`${imported}.`)) {
        return {callee: local + name.slice(imported.length), missingImport: null};
      }
    }
  }
  const callee = kind === 'nvtx' ? dotted.nvtx[0] : 'record_function';
  return {callee, missingImport: importAt(parsed, imports[kind], before)};
}

/** Puts the import after those at the file's beginning; without any, before the first statement. */
function importAt({text, tree}: ParsedText, line: string, before: number): Replacement {
  const breakOf = lineBreak(text);
  const statements = childrenOf(tree.topNode).filter(({name}) => name !== 'Comment');
  let last: number | null = null;
  for (const [at, node] of statements.entries()) {
    const isText = at === 0 && node.name === 'ExpressionStatement' && (node.firstChild?.name ?? '').endsWith('String');
    if ((node.name !== 'ImportStatement' && !isText) || node.from >= before) break;
    last = endOf(node, text);
  }
  if (last !== null) {
    const end = lineEnd(text, last);
    return {from: end, to: end, text: breakOf + line};
  }
  const start = statements[0] ? lineStart(text, statements[0].from) : text.length;
  return {from: start, to: start, text: `${line}${breakOf}${breakOf}`};
}

/** Returns a Python string literal with this value. */
export function pythonString(value: string): string {
  const escaped = value.replace(/[\\"]/g, '\\$&').replace(/[\u0000-\u001f\u007f]/g, control => {
    return `\\x${control.charCodeAt(0).toString(16).padStart(2, '0')}`;
  });
  return `"${escaped}"`;
}
