/** The lines of a text as it is now. */
export interface LinesNow {
  readonly lineCount: number;
  /** CRC-32 of a line, from 1, in UTF-8 without its end. */
  readonly crcAt: (line: number) => number;
}

/**
 * Line now → the line that it was when the text was recorded, both from 1; null for one that was not there, or may have
 * been several. Lines above and below all edits are told by their place, those between by their checksums, in order; a
 * line that was edited in its place stays what it was.
 *
 * @param recorded line (from 0) → its checksum
 */
export function recordedLines(
  recorded: readonly number[],
  {lineCount, crcAt}: LinesNow,
): (line: number) => number | null {
  // An editor has an empty line behind the last line's end, a runner need not; CRC-32 of nothing is 0.
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

  /** The lines between those above and below all edits that are wanted. */
  function between(end: number, isWanted: (line: number) => boolean): number[] {
    const found: number[] = [];
    for (let line = head + 1; line <= end - tail; line++) if (isWanted(line)) found.push(line);
    return found;
  }
}
