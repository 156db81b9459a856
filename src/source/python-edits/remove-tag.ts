import type {SyntaxNode} from '@lezer/common';
import type {Replacement} from '../../core/source/replacement.js';
import type {SourceTag} from '../../core/source/source-tag.js';
import type {ParsedText} from '../parsed-text.js';
import {pythonTags} from '../python-tags.js';
import {childrenOf, closest} from '../syntax.js';
import {indentAt, lineEnd, lineStart, nextLine, reindent} from './lines.js';
import {endOf} from './statements.js';
import type {TagEdit} from './wrap-selection.js';

/**
 * Removes the tag whose call is on an offset's line: a decorator, or an item of a `with`. If it was the only item, the
 * body is unindented. Null for calls in other places, and if the block uses the tag's variable.
 */
export function removeTag(parsed: ParsedText, offset: number): TagEdit | null {
  const {text} = parsed;
  const line = lineStart(text, offset);
  const tag = pythonTags(parsed).find(found => lineStart(text, found.offset) === line);
  if (!tag) return null;
  const replacements = removal(parsed, tag);
  return replacements && {name: tag.pattern?.join('…') ?? tag.api, replacements};
}

function removal(parsed: ParsedText, tag: SourceTag): Replacement[] | null {
  const {text, tree} = parsed;
  const call = closest(tree.resolveInner(tag.offset, 1), new Set(['CallExpression', 'Decorator', 'Body']));
  if (call?.name === 'Decorator') {
    return [{from: lineStart(text, call.from), to: nextLine(text, endOf(call, text) - 1), text: ''}];
  }
  const statement = call?.parent?.name === 'WithStatement' ? call.parent : null;
  if (!call || !statement) return null;
  const items = itemsOf(statement);
  const item = items.find(({from}) => from === call.from);
  if (!item || (item.variable !== null && isUsed(item.variable, statement, text))) return null;
  return items.length > 1 ? withoutItem(items, item) : withoutBlock(parsed, statement);
}

/** `call as variable` in a `with`. */
interface Item {
  readonly from: number;
  readonly to: number;
  readonly variable: SyntaxNode | null;
}

function itemsOf(statement: SyntaxNode): Item[] {
  const items: {from: number; to: number; variable: SyntaxNode | null}[] = [];
  let isNext = true;
  for (const child of childrenOf(statement)) {
    if (child.name === 'Body') break;
    if (['with', 'async', 'Comment'].includes(child.name)) continue;
    if (child.name === ',') isNext = true;
    else if (isNext) {
      items.push({from: child.from, to: child.to, variable: null});
      isNext = false;
    } else {
      const item = items.at(-1);
      if (item && child.prevSibling?.name === 'as') Object.assign(item, {to: child.to, variable: child});
    }
  }
  return items;
}

function isUsed(variable: SyntaxNode, statement: SyntaxNode, text: string): boolean {
  const name = text.slice(variable.from, variable.to);
  let found = false;
  closest(statement.parent, new Set(['FunctionDefinition', 'Script']))
    ?.cursor()
    .iterate(({name: kind, from, to}) => {
      if (kind === 'VariableName' && from !== variable.from && text.slice(from, to) === name) found = true;
    });
  return found;
}

function withoutItem(items: readonly Item[], item: Item): Replacement[] {
  const at = items.indexOf(item);
  const [before, after] = [items[at - 1], items[at + 1]];
  if (after) return [{from: item.from, to: after.from, text: ''}];
  return before ? [{from: before.to, to: item.to, text: ''}] : [];
}

/** Returns the block's statements one level further out, without its header except for a comment. */
function withoutBlock(parsed: ParsedText, statement: SyntaxNode): Replacement[] | null {
  const {text} = parsed;
  const body = statement.getChild('Body');
  const first = body && childrenOf(body).find(({name}) => name !== ':' && name !== 'Comment');
  if (!body || !first) return null;
  const start = lineStart(text, statement.from);
  const outer = indentAt(text, statement.from);
  if (text.slice(start, statement.from).trim() !== '') return null;
  if (!text.slice(body.from, first.from).includes('\n')) return [{from: statement.from, to: first.from, text: ''}];
  const comment = text.slice(body.from + 1, lineEnd(text, body.from)).trim();
  const bodyStart = nextLine(text, body.from);
  const header = comment.startsWith('#') ? `${outer}${comment}${text.slice(lineEnd(text, body.from), bodyStart)}` : '';
  const moved = reindent(parsed, bodyStart, endOf(body, text), indentAt(text, first.from), outer);
  return [{from: start, to: bodyStart, text: header}, ...moved];
}
