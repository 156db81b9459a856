import {cppTags} from '../cpp-tags.js';
import {functionName} from '../cpp/cpp-text.js';
import type {ParsedText} from '../parsed-text.js';
import {indentAt, lineBreak} from '../python-edits/lines.js';
import type {TagEdit} from '../python-edits/wrap-selection.js';
import {closest} from '../syntax.js';
import {isDeviceCode, missingInclude} from './nvtx-include.js';

/**
 * Opens a range with the function's name in the function whose header is at an offset. Null if it has such a range
 * already.
 */
export function tagCppFunction(parsed: ParsedText, offset: number): TagEdit | null {
  const {text, tree} = parsed;
  const definition = closest(tree.resolveInner(offset, 1), new Set(['FunctionDefinition']));
  const body = definition?.getChild('CompoundStatement');
  if (!definition || !body || offset > body.from || isDeviceCode(definition, text)) return null;
  const isTagged = cppTags(parsed).some(
    tag => tag.api === 'NVTX3_FUNC_RANGE' && tag.offset > body.from && tag.offset < body.to,
  );
  if (isTagged) return null;
  const isOneLine = !text.slice(body.from, body.to).includes('\n');
  const indent = /\n([ \t]+)\S/.exec(text.slice(body.from, body.to))?.[1] ?? `${indentAt(text, definition.from)}  `;
  const added = isOneLine ? ' NVTX3_FUNC_RANGE();' : `${lineBreak(text)}${indent}NVTX3_FUNC_RANGE();`;
  const at = body.from + 1;
  const replacements = [missingInclude(parsed, true), {from: at, to: at, text: added}];
  return {name: functionName(definition, text), replacements: replacements.filter(one => one !== null)};
}
