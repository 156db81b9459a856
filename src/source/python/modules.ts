import type {SyntaxNode} from '@lezer/common';
import type {ModuleForward} from '../../core/source/module-forward.js';
import {LineIndex} from '../line-index.js';
import type {ParsedText} from '../parsed-text.js';
import {lastVisible} from '../syntax.js';
import {definedName} from './definitions.js';

/** Returns whether a text may contain a module's `forward`. */
export function mayHaveModules(text: string): boolean {
  return /\bdef\s+forward\b/.test(text);
}

/**
 * Returns the `forward` methods of the classes of a text that have a base, which may be defined in another file. Static
 * methods are those of autograd functions, and are left out.
 */
export function moduleForwards({text, tree}: ParsedText): ModuleForward[] {
  if (!mayHaveModules(text)) return [];
  const lines = new LineIndex(text);
  const found: ModuleForward[] = [];
  tree.iterate({
    enter(ref) {
      if (ref.name !== 'ClassDefinition') return;
      const forward = forwardOf(ref.node, text);
      if (!forward) return;
      const {from, to} = forward;
      const [line, endLine] = [lines.lineAt(from), lines.lineAt(lastVisible(text, from, to))];
      found.push({className: definedName(ref.node, text), line, endLine, offset: from});
    },
  });
  return found;
}

function forwardOf(definition: SyntaxNode, text: string): SyntaxNode | null {
  const bases = definition.getChild('ArgList');
  const body = definition.getChild('Body');
  if (!bases || !body || bases.to - bases.from <= 2) return null;
  let found: SyntaxNode | null = null;
  for (let member = body.firstChild; member; member = member.nextSibling) {
    const isDecorated = member.name === 'DecoratedStatement';
    if (isDecorated && /@\s*staticmethod\b/.test(text.slice(member.from, member.getChild('FunctionDefinition')?.from)))
      continue;
    const method = isDecorated ? member.getChild('FunctionDefinition') : member;
    // If two are defined, the later one counts.
    if (method?.name === 'FunctionDefinition' && definedName(method, text) === 'forward') found = method;
  }
  return found;
}
