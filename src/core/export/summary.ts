import {markdownCell, oneLine, xmlText} from '../format/cells.js';
import {markdownTable} from '../format/markdown-table.js';

/** A table of a summary, as texts. */
export interface SummaryTable {
  readonly title: string;
  readonly columns: readonly {readonly title: string; readonly isNumeric: boolean}[];
  readonly rows: readonly (readonly string[])[];
  /** The total number of rows. */
  readonly length: number;
}

/** The contents of a short report on a profile. */
export interface Summary {
  readonly title: string;
  readonly facts: readonly (readonly [label: string, text: string])[];
  readonly tables: readonly SummaryTable[];
  /** Null if there is nothing to draw. */
  readonly picture: SummaryPicture | null;
}

interface SummaryPicture {
  readonly title: string;
  readonly svg: string;
}

/**
 * Returns the summary in Markdown.
 *
 * @param pictureFile the picture's path relative to the text; without it, the picture is omitted
 */
export function summaryMarkdown({title, facts, tables, picture}: Summary, pictureFile: string | null = null): string {
  const parts = [`# ${markdownCell(title)}\n`, markdownRows(['', ''], [false, false], facts)];
  if (picture && pictureFile !== null) parts.push(`![${picture.title}](${encodeURI(pictureFile)})\n`);
  for (const table of tables) {
    const titles = table.columns.map(column => column.title);
    const numeric = table.columns.map(({isNumeric}) => isNumeric);
    parts.push(`## ${table.title}\n`, markdownRows(titles, numeric, table.rows));
    if (table.rows.length < table.length) parts.push(`${leftOut(table)}\n`);
  }
  return parts.join('\n');
}

function markdownRows(
  titles: readonly string[],
  numeric: readonly boolean[],
  rows: readonly (readonly string[])[],
): string {
  const body = rows.map(cells => cells.map(markdownCell));
  return `${markdownTable(titles, numeric, body)}\n`;
}

const style = `
body { font: 14px/1.5 system-ui, sans-serif; margin: 2em auto; max-width: 1240px; padding: 0 1em; color: #1b1b1b; background: #fff; }
table { border-collapse: collapse; margin: 1em 0; }
th, td { border: 1px solid #d0d0d0; padding: 2px 8px; text-align: left; vertical-align: top; overflow-wrap: anywhere; }
th { background: #f3f3f3; }
.number { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
svg { max-width: 100%; height: auto; border: 1px solid #d0d0d0; }
`;

/** Returns the summary as one HTML page without scripts or external resources. */
export function summaryHtml({title, facts, tables, picture}: Summary): string {
  const rows = facts.map(([label, text]) => `<tr><th>${cell(label)}</th><td>${cell(text)}</td></tr>\n`).join('');
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="UTF-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${cell(title)}</title>
<style>${style}</style>
</head>
<body>
<h1>${cell(title)}</h1>
<table>
${rows}</table>
${picture === null ? '' : `<h2>${cell(picture.title)}</h2>\n${picture.svg}`}${tables.map(htmlTable).join('')}</body>
</html>
`;
}

function htmlTable(table: SummaryTable): string {
  const classOf = (at: number) => (table.columns[at].isNumeric ? ' class="number"' : '');
  const head = table.columns.map((column, at) => `<th${classOf(at)}>${cell(column.title)}</th>`).join('');
  const body = table.rows
    .map(cells => `<tr>${cells.map((text, at) => `<td${classOf(at)}>${cell(text)}</td>`).join('')}</tr>\n`)
    .join('');
  const rest = table.rows.length < table.length ? `<p>${leftOut(table)}</p>\n` : '';
  return `<h2>${cell(table.title)}</h2>\n<table>\n<tr>${head}</tr>\n${body}</table>\n${rest}`;
}

function leftOut({rows, length}: SummaryTable): string {
  return `The first ${String(rows.length)} of ${String(length)} rows.`;
}

function cell(text: string): string {
  return xmlText(oneLine(text));
}
