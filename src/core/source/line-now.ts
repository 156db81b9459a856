import {getOrAdd} from '../table/get-or-add.js';
import {recordedLines, type LinesNow} from './recorded-lines.js';

/**
 * Returns a function that maps a line of a recorded text to its current line, both from 1; null if the line is gone, or
 * ambiguous.
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
    // Most edits are above or below. Otherwise, the line is searched for by its text.
    const shifted = line + now.lineCount - recorded.length;
    for (const candidate of [line, shifted, shifted - 1, shifted + 1]) if (isIt(candidate)) return candidate;
    for (let at = 1; at <= now.lineCount; at++) if (now.crcAt(at) === crc && isIt(at)) return at;
    return null;

    function isIt(candidate: number): boolean {
      return candidate >= 1 && candidate <= now.lineCount && lineThen(candidate) === line;
    }
  }
}
