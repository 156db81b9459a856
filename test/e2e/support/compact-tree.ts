/** Of adjacent rows, options and cells of the same kind, one is enough to show how the others are read. */
const alike = /^- '?(?:row|option|listitem) /;
/** Characters of the icon font, which no screen reader reads: their buttons have names. */
const glyphs = /:? ?[\uE000-\uF8FF]+/gu;

/**
 * Shortens a page's accessibility tree as YAML (Playwright's `ariaSnapshot`): keeps the first of adjacent rows and
 * options, and drops what each row repeats of its cells.
 */
export function compactTree(tree: string): string {
  const kept: string[] = [];
  /** Depth of the dropped part; -1 for none. */
  let without = -1;
  /** By depth, whether a row or an option was kept there since its parent began. */
  let seen: boolean[] = [];
  for (const line of tree.replaceAll(glyphs, '').split('\n')) {
    const depth = line.search(/\S/);
    if (without >= 0 && depth > without) continue;
    without = -1;
    seen = seen.slice(0, depth + 1);
    if (!alike.test(line.slice(depth))) {
      kept.push(line);
      continue;
    }
    if (seen[depth]) {
      without = depth;
      if (kept.at(-1)?.trim() !== '- …') kept.push(`${' '.repeat(depth)}- …`);
    } else {
      seen[depth] = true;
      kept.push(line.replace(/- ('?)row ".*"('?)(?=:| \[)/, '- row'));
    }
  }
  return `${kept.join('\n')}\n`;
}
