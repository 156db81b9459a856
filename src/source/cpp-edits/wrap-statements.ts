import type {SyntaxNode} from '@lezer/common';
import {functionAround, functionName, lastSegment} from '../cpp/cpp-text.js';
import {cppString} from '../cpp/strings.js';
import type {ParsedText} from '../parsed-text.js';
import {indentAt, lineBreak, lineEnd, lineStart} from '../python-edits/lines.js';
import type {TagEdit} from '../python-edits/wrap-selection.js';
import {childrenOf, closest} from '../syntax.js';
import {isDeviceCode, missingInclude} from './nvtx-include.js';

const noStatements = new Set(['{', '}', 'LineComment', 'BlockComment', '⚠']);
const jumps = new Set(['ReturnStatement', 'BreakStatement', 'ContinueStatement', 'GotoStatement', 'ThrowStatement']);
const longestName = 60;

/**
 * Puts a range around the statements of a block that a selection touches: between a push and a pop, or, if a statement
 * leaves the block, with an object that lives to the block's end. Null if neither is possible.
 *
 * @param isC whether the text is C, which has no such objects
 */
export function wrapStatements(parsed: ParsedText, from: number, to: number, isC: boolean): TagEdit | null {
  const {text} = parsed;
  const found = statementsAt(parsed, from, to);
  if (!found || isDeviceCode(functionAround(found.first), text)) return null;
  const start = lineStart(text, found.first.from);
  const end = lineEnd(text, found.last.to);
  const isAlone =
    text.slice(start, found.first.from).trim() === '' && /^\s*(?:\/\/.*)?$/.test(text.slice(found.last.to, end));
  const leaves = found.nodes.some(hasJump);
  if (!isAlone || (leaves && (isC || !found.isToEnd))) return null;
  const name = proposedName(found.nodes, text);
  const [indent, breakOf] = [indentAt(text, found.first.from), lineBreak(text)];
  const opening = leaves ? `nvtx3::scoped_range range{${cppString(name)}};` : `nvtxRangePushA(${cppString(name)});`;
  const replacements = [
    missingInclude(parsed, leaves),
    {from: start, to: start, text: `${indent}${opening}${breakOf}`},
    leaves ? null : {from: end, to: end, text: `${breakOf}${indent}nvtxRangePop();`},
  ];
  return {name, replacements: replacements.filter(one => one !== null)};
}

interface Found {
  readonly nodes: readonly SyntaxNode[];
  readonly first: SyntaxNode;
  readonly last: SyntaxNode;
  /** Whether they are the last ones of their block. */
  readonly isToEnd: boolean;
}

function statementsAt({tree, text}: ParsedText, from: number, to: number): Found | null {
  let [start, end] = [from, to];
  while (start < end && /\s/.test(text.charAt(start))) start++;
  while (end > start && /\s/.test(text.charAt(end - 1))) end--;
  const blocks = new Set(['CompoundStatement']);
  let block = closest(tree.resolveInner(start, 1), blocks);
  while (block && (end > block.to || start <= block.from)) block = closest(block.parent, blocks);
  if (!block) return null;
  const all = childrenOf(block).filter(({name}) => !noStatements.has(name));
  const nodes = all.filter(node => node.to > start && node.from < end);
  const [first, last] = [nodes[0], nodes.at(-1)];
  return first && last ? {nodes, first, last, isToEnd: last === all.at(-1)} : null;
}

function hasJump(node: SyntaxNode): boolean {
  let found = false;
  node.cursor().iterate(({name}) => {
    found ||= jumps.has(name);
    return !found && name !== 'LambdaExpression';
  });
  return found;
}

/** Returns the name of the first function that the statements call, else of the function that contains them. */
function proposedName(nodes: readonly SyntaxNode[], text: string): string {
  for (const node of nodes) {
    const called = firstCall(node, text);
    if (called !== '') return called;
  }
  const around = nodes[0] ? functionAround(nodes[0]) : null;
  const name = around ? functionName(around, text) : '';
  return name === '' ? 'block' : name;
}

/** Returns the name of the first function that a statement calls; '' for none. */
function firstCall(statement: SyntaxNode, text: string): string {
  let found = '';
  statement.cursor().iterate(({name, node: {firstChild: callee}}) => {
    if (found !== '') return false;
    const word = name === 'CallExpression' && callee ? lastSegment(text.slice(callee.from, callee.to)) : '';
    if (/^\w+$/.test(word) && word.length <= longestName) found = word;
    return true;
  });
  return found;
}
