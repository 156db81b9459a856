import type {KnownLine} from '../../core/source/known-lines.js';
import type {Trace} from '../../core/trace/trace.js';
import type {Texts} from '../texts.js';
import type {TableRows} from './table-source.js';

/** Lines that were noted when the profile was recorded: they stand beside it, not in it. */
export function lineRows(_: Trace, texts: Texts, lines: readonly KnownLine[]): TableRows {
  return {
    length: lines.length,
    columns: {
      name: () => row => texts.add(lines[row].name),
      kind: () => row => lines[row].kind,
      file: () => row => texts.add(lines[row].file),
      line: () => row => lines[row].line,
      count: () => row => lines[row].count,
    },
  };
}
