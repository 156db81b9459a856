import {getOrAdd} from '../table/get-or-add.js';
import {recordedLines, type LinesNow} from './recorded-lines.js';

/**
 * Line of a recorded text → where it stands now, both from 1; null where it is gone, or may be several.
 *
 * @param recorded line (from 0) → its checksum
 */
export function linesNow(recorded: readonly number[], now: LinesNow): (line: number) => number | null {
  const lineThen = recordedLines(recorded, now);
  const known = new Map<number, number | null>();
  return line => getOrAdd(known, line, () => find(line));

  function find(line: number): number | null {
    if (line < 1 || line > recorded.length) return null;
    const crc = recorded[line - 1];
    // Most edits are above or below; a line between them is looked for by its text.
    const shifted = line + now.lineCount - recorded.length;
    for (const candidate of [line, shifted, shifted - 1, shifted + 1]) if (isIt(candidate)) return candidate;
    for (let at = 1; at <= now.lineCount; at++) if (now.crcAt(at) === crc && isIt(at)) return at;
    return null;

    function isIt(candidate: number): boolean {
      return candidate >= 1 && candidate <= now.lineCount && lineThen(candidate) === line;
    }
  }
}
