/** Rows of a CSV by header; fields are quoted where they hold a comma, quotes in them doubled. */
export function readCsv(text: string): Record<string, string>[] {
  const [names = [], ...rows] = csvCells(text);
  return rows.map(cells => Object.fromEntries(cells.map((cell, i) => [names[i] ?? '', cell])));
}

/** The cells of a CSV, line by line. */
export function csvCells(text: string): string[][] {
  return text
    .trim()
    .split(/\r?\n/)
    .map(line => [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(cell => cell[1] ?? cell[2] ?? ''));
}
