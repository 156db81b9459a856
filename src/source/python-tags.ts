import type {SyntaxNode} from '@lezer/common';
import {parser} from '@lezer/python';
import {hasText, type NamePattern} from '../core/source/name-pattern.js';
import type {SourceTag, TagApi} from '../core/source/source-tag.js';
import {LineIndex} from './line-index.js';
import {blockEnd} from './python-blocks.js';
import {findImports, type Imports} from './python-imports.js';
import {patternOf} from './python-strings.js';

/** Dotted names under which the tags are known; what a file imports under another name is followed to these. */
const apiOfName: Readonly<Record<string, TagApi>> = {
  'torch.profiler.record_function': 'record_function',
  'torch.autograd.profiler.record_function': 'record_function',
  'torch.cuda.nvtx.range': 'torch.cuda.nvtx.range',
  'torch.cuda.nvtx.range_push': 'torch.cuda.nvtx.range_push',
};

/** What a name must contain for the file to be parsed at all: most files of a workspace open no range. */
const anyTag = /record_function|range_push|nvtx/;

/**
 * The places of a Python text that open a tagged range, in the order of the text.
 *
 * Takes context managers, decorators and plain calls. The parser mends what it cannot read, so that an unfinished line
 * costs no other line's tags.
 */
export function findPythonTags(text: string): SourceTag[] {
  if (!anyTag.test(text)) return [];
  const tree = parser.parse(text);
  const imports = findImports(tree, text);
  const lines = new LineIndex(text);
  const tags: SourceTag[] = [];
  tree.iterate({
    enter({name, node}) {
      const call = callAt(name, node);
      const api = call ? apiOf(text.slice(call.from, call.to), imports) : null;
      if (!call || api === null) return;
      const line = lines.lineAt(call.from);
      const end = blockEnd(node, text);
      const endLine = end === null ? line : lines.lineAt(end);
      tags.push({api, pattern: firstArgument(call.list, text), line, endLine, offset: call.from});
    },
  });
  return tags;
}

/** A call's name, as a part of the text, and its arguments. */
interface Call {
  readonly from: number;
  readonly to: number;
  readonly list: SyntaxNode;
}

/** The call that a node makes: a call expression, or a decorator with arguments. */
function callAt(name: string, node: SyntaxNode): Call | null {
  if (name !== 'CallExpression' && name !== 'Decorator') return null;
  const list = node.getChild('ArgList');
  if (!list) return null;
  // A decorator's dotted name is a run of siblings after the "@".
  return {from: name === 'Decorator' ? node.from + 1 : node.from, to: list.from, list};
}

function apiOf(callee: string, imports: Imports): TagApi | null {
  const dotted = callee.replace(/\s+/g, '');
  const [first = '', ...rest] = dotted.split('.');
  const resolved = [imports.get(first) ?? first, ...rest].join('.');
  if (Object.hasOwn(apiOfName, resolved)) return apiOfName[resolved] ?? null;
  return apiBySuffix(resolved);
}

/** A name that came by a star import, a re-export or an attribute still ends as its documentation has it. */
function apiBySuffix(dotted: string): TagApi | null {
  if (/(^|\.)record_function$/.test(dotted)) return 'record_function';
  if (/(^|\.)nvtx\.range$/.test(dotted)) return 'torch.cuda.nvtx.range';
  return /(^|\.)nvtx\.range_push$/.test(dotted) ? 'torch.cuda.nvtx.range_push' : null;
}

/** The pattern of the first argument, given by position or as `name=` or `msg=`. */
function firstArgument(list: SyntaxNode, text: string): NamePattern | null {
  let argument = list.firstChild?.nextSibling ?? null;
  if (argument?.name === 'VariableName' && argument.nextSibling?.name === 'AssignOp') {
    argument = argument.nextSibling.nextSibling;
  }
  const pattern = argument ? patternOf(argument, text) : null;
  return pattern && hasText(pattern) ? pattern : null;
}
