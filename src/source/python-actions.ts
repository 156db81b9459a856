import type {TagKind} from '../core/source/tag-kind.js';
import type {ParsedText} from './parsed-text.js';
import {removeTag} from './python-edits/remove-tag.js';
import {tagFunction} from './python-edits/tag-function.js';
import {tagSubmodules} from './python-edits/tag-modules.js';
import {pythonString} from './python-edits/tag-spelling.js';
import {wrapSelection, type TagEdit} from './python-edits/wrap-selection.js';

/** A change that is offered at a place. */
export interface TagAction {
  readonly title: string;
  readonly edit: TagEdit;
}

/** Returns the actions on tags at the selection: wrap the selection, tag a function at its header, or remove a tag. */
export function tagActions(parsed: ParsedText, from: number, to: number, kind: TagKind): TagAction[] {
  const opener = kind === 'nvtx' ? 'nvtx.range' : 'record_function';
  const wrapped = from < to ? wrapSelection(parsed, from, to, kind) : null;
  const tagged = tagFunction(parsed, from, kind);
  const modules = isClassHeader(parsed.text, from) ? tagSubmodules(parsed, from, kind) : null;
  const removed = removeTag(parsed, from);
  const actions: (TagAction | null)[] = [
    wrapped && {title: `Wrap selection in ${opener}(${pythonString(wrapped.name)})`, edit: wrapped},
    tagged && {title: `Tag this function: ${opener}(${pythonString(tagged.name)})`, edit: tagged},
    modules && {title: `Tag every submodule's forward: ${modules.name}`, edit: modules},
    removed && {title: `Remove tag ${pythonString(removed.name)}`, edit: removed},
  ];
  return actions.filter(action => action !== null);
}

/** Submodules are offered only on a class's line: a lightbulb on every line would be meaningless. */
function isClassHeader(text: string, offset: number): boolean {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  return /^\s*class\b/.test(text.slice(start, start + 200));
}
