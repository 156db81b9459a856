import {removeCppTag} from './cpp-edits/remove-tag.js';
import {tagCppFunction} from './cpp-edits/tag-function.js';
import {wrapStatements} from './cpp-edits/wrap-statements.js';
import {cppString} from './cpp/strings.js';
import type {ParsedText} from './parsed-text.js';
import type {TagAction} from './python-actions.js';

/** Returns the actions on tags in C, C++ and CUDA at the selection. */
export function cppTagActions(parsed: ParsedText, from: number, to: number, isC: boolean): TagAction[] {
  const wrapped = from < to ? wrapStatements(parsed, from, to, isC) : null;
  const tagged = isC ? null : tagCppFunction(parsed, from);
  const removed = removeCppTag(parsed, from);
  const actions: (TagAction | null)[] = [
    wrapped && {title: `Wrap selection in NVTX range ${cppString(wrapped.name)}`, edit: wrapped},
    tagged && {title: `Tag this function: NVTX3_FUNC_RANGE (${tagged.name})`, edit: tagged},
    removed && {title: `Remove tag ${cppString(removed.name)}`, edit: removed},
  ];
  return actions.filter(action => action !== null);
}
