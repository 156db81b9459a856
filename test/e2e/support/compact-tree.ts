/** Of rows, options and cells of one kind beside each other, a reader needs one to know how the others are read. */
const alike = /^- '?(?:row|option|listitem) /;
/** Characters of the icons' font, which no screen reader says: their buttons have names. */
const glyphs = /:? ?[\uE000-\uF8FF]+/gu;

/**
 * A page's accessibility tree as YAML (Playwright's `ariaSnapshot`), short enough to be read: of the rows and options
 * beside each other the first is kept, and what each row repeats of its cells is left out.
 */
export function compactTree(tree: string): string {
  const kept: string[] = [];
  /** How deep the part is that is left out; -1 for none. */
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
