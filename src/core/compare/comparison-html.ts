import {language, say} from '../base/say.js';
import {oneLine, xmlText} from '../format/cells.js';
import {differenceLegend} from '../flame/difference-text.js';
import {differenceSides} from '../flame/flame-difference.js';
import {flameSvg} from '../flame/flame-svg.js';
import {greatest} from '../table/extremes.js';
import type {ComparedFlames} from './compare-flames.js';
import {
  comparisonSections,
  isFound,
  sumsText,
  type ChangeColumn,
  type ComparisonSection,
} from './comparison-sections.js';
import {differenceGraph} from './difference-graph.js';
import {noiseText, summaryLines} from './comparison-text.js';
import type {RunComparison} from './run-comparison.js';

/** Colour-blind people can tell blue and orange apart. The bar's side and the word of the verdict show the same. */
const style = `
:root { color-scheme: light dark; --line: #c8c8c8; --faster: #0b6bcb; --slower: #b35900; --other: #767676; }
@media (prefers-color-scheme: dark) { :root { --line: #4a4a4a; --faster: #5eb0ff; --slower: #ffa24d; --other: #9a9a9a; } }
body { font: 14px/1.5 system-ui, sans-serif; margin: 2em auto; max-width: 1240px; padding: 0 1em; }
table { border-collapse: collapse; margin: 1em 0; }
th, td { border: 1px solid var(--line); padding: 2px 8px; text-align: left; vertical-align: top; overflow-wrap: anywhere; }
.number { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
.faster { color: var(--faster); font-weight: 600; }
.slower { color: var(--slower); font-weight: 600; }
td svg { display: block; fill: var(--other); }
svg.faster { fill: var(--faster); }
svg.slower { fill: var(--slower); }
div.picture { overflow-x: auto; }
line { stroke: var(--line); }
`;

/** Half of the width of a column of bars, in CSS pixels. */
const halfWidth = 60;

/**
 * Returns a comparison as one HTML page without scripts or external resources: the verdict, then for each kind the rows
 * that changed most. A bar extends to the left of the middle for less work, and to the right for more.
 *
 * @param names the names of the runs, the base first
 * @param notes lines below the reasons, such as the results of budgets
 * @param flames both runs as one tree; null for no flame graph
 */
export function comparisonHtml(
  comparison: RunComparison,
  names: readonly [base: string, changed: string],
  notes: readonly string[] = [],
  flames: ComparedFlames | null = null,
): string {
  const [verdict, ...others] = summaryLines(comparison);
  const total = others.pop() ?? '';
  const title = cell(say('{0} compared with {1}', names[1], names[0]));
  const items = [...others, ...notes].map(text => `<li>${cell(text)}</li>\n`).join('');
  return `<!DOCTYPE html>
<html lang="${language()}">
<head>
<meta charset="UTF-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<h1>${title}</h1>
<p><strong>${cell(verdict)}</strong> ${cell(total)}</p>
${items === '' ? '' : `<ul>\n${items}</ul>\n`}${comparisonSections(comparison).map(sectionHtml).join('')}${flames ? flameHtml(flames) : ''}<p>${cell(sumsText())}</p>
<p>${cell(noiseText(comparison.noise))}</p>
</body>
</html>
`;
}

/**
 * Returns the flame graphs of both sides. Removed blocks have no width after, and new blocks none before, so both are
 * needed to see everything.
 */
function flameHtml(flames: ComparedFlames): string {
  const [before, after] = differenceSides.map(side => differenceGraph(flames, side, 'total'));
  const notes = after.notes.map(text => `<p>${cell(text)}</p>\n`).join('');
  return `<h2>${cell(say('Flame graph of the change'))}</h2>
<p>${cell(differenceLegend('after'))}</p>
${notes}<div class="picture">${flameSvg(after)}</div>
<details>
<summary>${cell(say('As wide as the time before'))}</summary>
<div class="picture">${flameSvg(before)}</div>
</details>
`;
}

function sectionHtml({title, columns, rows, rest}: ComparisonSection): string {
  const most = greatest(rows.map(({deltaNs}) => Math.abs(deltaNs)));
  const classOf = ({isText}: ChangeColumn) => (isText ? '' : ' class="number"');
  const head = columns.map(column => `<th${classOf(column)}>${cell(column.title)}</th>`).join('');
  const body = rows.map(row => {
    const {verdict, deltaNs} = row;
    const color = isFound(row) ? verdict : '';
    const data = columns.map(column => {
      const text = column.text(row);
      const attribute = column.isVerdict && color !== '' ? ` class="${color}"` : classOf(column);
      return `<td${attribute}>${cell(text)}</td>`;
    });
    return `<tr>${data.join('')}<td>${bar(most > 0 ? deltaNs / most : 0, color)}</td></tr>\n`;
  });
  const table = `<table>\n<tr>${head}<th>${cell(say('Less | more'))}</th></tr>\n${body.join('')}</table>\n`;
  return `<h2>${cell(title)}</h2>\n${table}${rest === null ? '' : `<p>${cell(rest)}</p>\n`}`;
}

/** Returns a bar from the middle. @param part share of the half width, from -1 to 1 */
function bar(part: number, color: string): string {
  const width = Math.abs(part) * halfWidth;
  const left = part < 0 ? halfWidth - width : halfWidth;
  const middle = String(halfWidth);
  const size = `width="${String(2 * halfWidth)}" height="12"`;
  return `<svg class="${color}" ${size} aria-hidden="true"><rect x="${left.toFixed(1)}" y="2" width="${width.toFixed(1)}" height="8"/><line x1="${middle}" y1="0" x2="${middle}" y2="12"/></svg>`;
}

function cell(text: string): string {
  return xmlText(oneLine(text));
}
