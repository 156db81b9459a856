import type {Replacement} from '../../core/source/replacement.js';
import type {TagKind} from '../../core/source/tag-kind.js';
import type {ParsedText} from '../parsed-text.js';
import {indentAt, indentUnit, lineBreak, reindent} from './lines.js';
import {proposedName} from './propose-name.js';
import {statementsIn, type Statements} from './statements.js';
import {pythonString, tagSpelling} from './tag-spelling.js';

/** A change of a text, and the name of the tag that it adds or removes. */
export interface TagEdit {
  readonly name: string;
  readonly replacements: readonly Replacement[];
}

/**
 * Puts a tag around the statements that a selection touches. Indents them and their comments; strings over several
 * lines stay unchanged. Null if nothing can be put into a block.
 */
export function wrapSelection(parsed: ParsedText, from: number, to: number, kind: TagKind): TagEdit | null {
  const statements = statementsIn(parsed, from, to);
  return statements && wrapStatements(parsed, statements, kind, proposedName(statements, parsed.text));
}

/** Puts a tag of this name around statements. */
export function wrapStatements(parsed: ParsedText, statements: Statements, kind: TagKind, name: string): TagEdit {
  const {text} = parsed;
  const {callee, missingImport} = tagSpelling(parsed, kind, statements.from);
  const indent = indentAt(text, statements.from);
  const header = `${indent}with ${callee}(${pythonString(name)}):${lineBreak(text)}`;
  const [first, ...others] = reindent(parsed, statements.from, statements.to, indent, indent + indentUnit(parsed));
  // The header precedes the indentation of the first line, in the same replacement.
  const opening = first && {...first, text: header + first.text};
  return {name, replacements: [missingImport, opening, ...others].filter(one => one !== null && one !== undefined)};
}
