import type {SyntaxNode} from '@lezer/common';
import type {TagKind} from '../../core/source/tag-kind.js';
import type {ParsedText} from '../parsed-text.js';
import {definedName} from '../python/definitions.js';
import {moduleForwards} from '../python/modules.js';
import {closest} from '../syntax.js';
import {isTagged, tagDefinition} from './tag-function.js';
import type {TagEdit} from './wrap-selection.js';

/**
 * Tags the `forward` of the class at an offset, and of every class of the file that it uses as a submodule, at any
 * depth. Null if there is none left to tag.
 */
export function tagSubmodules(parsed: ParsedText, offset: number, kind: TagKind): TagEdit | null {
  const {text, tree} = parsed;
  const owner = closest(tree.resolveInner(offset, 1), new Set(['ClassDefinition']));
  if (!owner) return null;
  const forwards = new Map<string, SyntaxNode>();
  for (const {className, offset: at} of moduleForwards(parsed)) {
    const forward = closest(tree.resolveInner(at, 1), new Set(['FunctionDefinition']));
    if (forward) forwards.set(className, forward);
  }
  if (!forwards.has(definedName(owner, text))) return null;
  const used = [...usedFrom(definedName(owner, text), forwards, text)].map(className => forwards.get(className));
  return tagAll(
    parsed,
    used.filter(forward => forward !== undefined),
    kind,
  );
}

/** Tags the `forward` of every class of a text that has a base. Null if there is none left to tag. */
export function tagEveryForward(parsed: ParsedText, kind: TagKind): TagEdit | null {
  const forwards = moduleForwards(parsed)
    .map(({offset}) => closest(parsed.tree.resolveInner(offset, 1), new Set(['FunctionDefinition'])))
    .filter(forward => forward !== null);
  return tagAll(parsed, forwards, kind);
}

function tagAll(parsed: ParsedText, forwards: readonly SyntaxNode[], kind: TagKind): TagEdit | null {
  const edits = forwards
    .filter(forward => !isTagged(parsed, forward))
    .map(forward => tagDefinition(parsed, forward, kind))
    .filter(edit => edit !== null);
  if (edits.length === 0) return null;
  // Each edit contains the import: one is enough.
  const replacements = new Map(
    edits.flatMap(edit => edit.replacements.map(one => [`${String(one.from)} ${one.text}`, one])),
  );
  return {name: edits.map(({name}) => name).join(', '), replacements: [...replacements.values()]};
}

/** Returns a class and the classes that it names, directly or through others. */
function usedFrom(className: string, forwards: ReadonlyMap<string, SyntaxNode>, text: string): Set<string> {
  const used = new Set([className]);
  // The set grows during the iteration.
  for (const name of used) {
    const definition = closest(forwards.get(name) ?? null, new Set(['ClassDefinition']));
    definition?.cursor().iterate(({name: kind, from, to}) => {
      const word = kind === 'VariableName' ? text.slice(from, to) : '';
      if (forwards.has(word)) used.add(word);
    });
  }
  return used;
}
