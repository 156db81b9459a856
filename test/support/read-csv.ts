/** Rows of a CSV by header; fields are quoted where they hold a comma, quotes in them doubled. */
export function readCsv(text: string): Record<string, string>[] {
  const [names = [], ...rows] = text.trim().split(/\r?\n/).map(cellsOf);
  return rows.map(cells => Object.fromEntries(cells.map((cell, i) => [names[i] ?? '', cell])));
}

function cellsOf(line: string): string[] {
  // A comma before the line makes every cell begin with one: no match is empty.
  const cells = `,${line}`.matchAll(/,(?:"((?:[^"]|"")*)"|([^,]*))/g);
  return Array.from(cells, cell => cell[1]?.replaceAll('""', '"') ?? cell[2] ?? '');
}
