import type {ParsedText} from '../parsed-text.js';
import {LineIndex} from '../line-index.js';
import {Bindings} from './bindings.js';
import {findImports, type Imports} from './imports.js';
import {VariableBlocks} from './variable-blocks.js';

/** The data on a Python text during a search for tags. */
export interface PythonText extends ParsedText {
  readonly lines: LineIndex;
  readonly imports: Imports;
  readonly bindings: Bindings;
  readonly variableBlocks: VariableBlocks;
}

export function pythonText(parsed: ParsedText): PythonText {
  const {text, tree} = parsed;
  return {
    ...parsed,
    lines: new LineIndex(text),
    imports: findImports(tree, text),
    bindings: new Bindings(tree, text),
    variableBlocks: new VariableBlocks(tree, text),
  };
}
