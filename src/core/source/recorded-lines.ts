/** The lines of a text's current version. */
export interface LinesNow {
  readonly lineCount: number;
  /** CRC-32 of a line, from 1, in UTF-8 without its end. */
  readonly crcAt: (line: number) => number;
}

/**
 * Returns a function that maps a current line to its line in the recorded text, both from 1; null if the line is new,
 * or ambiguous. Lines above and below all edits are matched by position; lines in between by their checksums, in order.
 * A line edited in place keeps its recorded line.
 *
 * @param recorded line (from 0) → its checksum
 */
export function recordedLines(
  recorded: readonly number[],
  {lineCount, crcAt}: LinesNow,
): (line: number) => number | null {
  // An editor has an empty line after the last line end, a runner may not. The CRC-32 of an empty line is 0.
  const then = recorded.at(-1) === 0 ? recorded.length - 1 : recorded.length;
  const now = lineCount > 0 && crcAt(lineCount) === 0 ? lineCount - 1 : lineCount;
  const most = Math.min(then, now);
  let head = 0;
  while (head < most && recorded[head] === crcAt(head + 1)) head++;
  let tail = 0;
  while (tail < most - head && recorded[then - 1 - tail] === crcAt(now - tail)) tail++;
  return line => {
    if (line <= head) return line;
    if (line > now - tail) return line + then - now;
    const crc = crcAt(line);
    const linesThen = between(then, at => recorded[at - 1] === crc);
    const linesNow = between(now, at => crcAt(at) === crc);
    if (linesThen.length === linesNow.length) return linesThen[linesNow.indexOf(line)] ?? null;
    const isInPlace = then === now && linesThen.length === 0;
    return isInPlace && between(now, at => crcAt(at) === recorded[line - 1]).length === 0 ? line : null;
  };

  /** Returns the wanted lines among those between the unchanged top and bottom. */
  function between(end: number, isWanted: (line: number) => boolean): number[] {
    const found: number[] = [];
    for (let line = head + 1; line <= end - tail; line++) if (isWanted(line)) found.push(line);
    return found;
  }
}
