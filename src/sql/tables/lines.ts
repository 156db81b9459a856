import type {Trace} from '../../core/trace/trace.js';
import type {Texts} from '../texts.js';
import type {Beside, TableRows} from './table-source.js';

/** Lines that were saved when the profile was recorded, in its sidecar. */
export function lineRows(_: Trace, texts: Texts, {lines}: Beside): TableRows {
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
