/** Returns the rows of a CSV by header; fields with a comma are quoted, and quotes in them are doubled. */
export function readCsv(text: string): Record<string, string>[] {
  const [names = [], ...rows] = text.trim().split(/\r?\n/).map(cellsOf);
  return rows.map(cells => Object.fromEntries(cells.map((cell, i) => [names[i] ?? '', cell])));
}

function cellsOf(line: string): string[] {
  // With a comma before the line, every cell begins with one, so that no match is empty.
  const cells = `,${line}`.matchAll(/,(?:"((?:[^"]|"")*)"|([^,]*))/g);
  return Array.from(cells, cell => cell[1]?.replaceAll('""', '"') ?? cell[2] ?? '');
}
