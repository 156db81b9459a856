import {plural} from '../format/count.js';
import {formatDuration} from '../format/duration.js';
import {markdownText} from '../format/markdown-text.js';
import {shortenMiddle} from '../format/shorten-middle.js';
import {callsText, noiseText, rowsWithWork, signedDuration, signedPercent, summaryLines} from './comparison-text.js';
import type {ComparisonRow, RunComparison} from './run-comparison.js';
import {workKinds, type WorkKind} from './work-groups.js';

/** A page is read, not searched: the command line has all rows. */
const mostRows = 25;
const widestPath = 90;

const kindTitles: Readonly<Record<WorkKind, string>> = {
  range: 'Ranges',
  module: 'Modules',
  op: 'Operators',
  class: 'Kernel classes',
  kernel: 'Kernels',
};

/**
 * Returns a comparison as a page of Markdown: the verdict, then for each kind the rows that changed most.
 *
 * @param names what the runs are called, the base first
 */
export function comparisonPage(comparison: RunComparison, names: readonly [base: string, changed: string]): string {
  const [verdict, ...others] = summaryLines(comparison);
  const total = others.pop() ?? '';
  const [base, changed] = names.map(markdownText);
  return [
    `# ${changed} compared with ${base}`,
    `**${markdownText(verdict)}** ${markdownText(total)}`,
    ...(others.length === 0 ? [] : [others.map(reason => `- ${markdownText(reason)}`).join('\n')]),
    ...workKinds.flatMap(kind => kindSection(comparison, kind)),
    'Rows of each table add up to the change of the total. "By calls" is what fewer or more calls explain.',
    noiseText(comparison.noise),
  ]
    .map(part => `${part}\n`)
    .join('\n');
}

/** Nothing for a kind that has no row but buckets, such as modules of a profile without any. */
function kindSection({rows, total}: RunComparison, kind: WorkKind): string[] {
  const ofKind = rowsWithWork(rows.filter(row => row.kind === kind));
  if (ofKind.every(({path}) => path.startsWith('('))) return [];
  const shown = ofKind.slice(0, mostRows);
  const per = total.per === 'step' ? ' a step' : '';
  const titles = [
    '',
    `Before${per}`,
    `After${per}`,
    'Change',
    '%',
    'Noise',
    'Verdict',
    'Calls',
    'By calls',
    'By time a call',
  ];
  const rule = titles.map((_, at) => (at === 0 || at === 6 ? '---' : '---:'));
  const table = [titles, rule, ...shown.map(cellsOf)].map(cells => `| ${cells.join(' | ')} |`).join('\n');
  return [`## ${kindTitles[kind]}`, table, ...restText(ofKind.slice(mostRows))];
}

function restText(rest: readonly ComparisonRow[]): string[] {
  if (rest.length === 0) return [];
  const deltaNs = rest.reduce((sum, row) => sum + row.deltaNs, 0);
  return [`${plural(rest.length, 'more row')} changed by ${signedDuration(deltaNs)} together.`];
}

function cellsOf(row: ComparisonRow): string[] {
  const {path, before, after, deltaNs, deltaPercent, noiseNs, verdict} = row;
  return [
    markdownText(shortenMiddle(path, widestPath)),
    formatDuration(before.gpuWorkNs),
    formatDuration(after.gpuWorkNs),
    signedDuration(deltaNs),
    deltaPercent === null ? '' : signedPercent(deltaPercent),
    noiseNs === null ? '' : `± ${formatDuration(noiseNs)}`,
    verdict === 'faster' || verdict === 'slower' ? `**${verdict}**` : verdict,
    before.count === after.count ? callsText(after.count) : `${callsText(before.count)} → ${callsText(after.count)}`,
    signedDuration(row.callsDeltaNs),
    signedDuration(row.perCallDeltaNs),
  ];
}
