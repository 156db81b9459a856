/** Returns one row of a Markdown table without a line feed. Cells must already be Markdown, with names escaped. */
export function markdownRow(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

/** Returns the titles of a Markdown table with the rule below them, which aligns columns of numbers to the right. */
export function markdownHead(titles: readonly string[], isNumeric: readonly boolean[]): string {
  return `${markdownRow(titles)}\n${markdownRow(isNumeric.map(numeric => (numeric ? '---:' : '---')))}`;
}

/** Returns a Markdown table without a final line feed. */
export function markdownTable(
  titles: readonly string[],
  isNumeric: readonly boolean[],
  rows: readonly (readonly string[])[],
): string {
  return [markdownHead(titles, isNumeric), ...rows.map(markdownRow)].join('\n');
}
