import {formatDuration} from '../format/duration.js';
import {markdownTable} from '../format/markdown-table.js';
import {markdownText} from '../format/markdown-text.js';
import {say} from '../base/say.js';
import {counted} from '../format/count.js';
import {bucketText} from '../names/bucket-name.js';
import {shortenMiddle} from '../format/shorten-middle.js';
import {kindTitle} from './comparison-sections.js';
import type {MatrixRow, RunMatrix} from './run-matrix.js';
import {workKinds} from '../gpu-work/work-groups.js';

/** A cell of a matrix: the work of a run, and whether it is the least or the most of its row. */
interface MatrixCell {
  readonly text: string;
  /** In ns; null if the run has none. */
  readonly value: number | null;
  readonly mark: 'best' | 'worst' | null;
}

/** A row of a matrix: its full path, its path on a page, and a cell for each run. */
export interface MatrixSectionRow {
  readonly path: string;
  readonly text: string;
  readonly cells: readonly MatrixCell[];
}

/** A table of a matrix: the rows of one kind with the largest spread. */
export interface MatrixSection {
  readonly title: string;
  readonly rows: readonly MatrixSectionRow[];
  /** A sentence about what was omitted; null if nothing was. */
  readonly rest: string | null;
}

/** A page shows the rows with the largest spread. The command line and the view, which can be filtered, show all. */
const mostOnPage = 25;
const widestPath = 60;

/**
 * Returns a table for each kind that has a row that is not a bucket, after a table with all GPU work of each run.
 *
 * @param mostRows the largest number of rows of each kind
 */
export function matrixSections({runs, rows}: RunMatrix, mostRows = mostOnPage): MatrixSection[] {
  const values = runs.map(({gpuWorkNs}) => gpuWorkNs);
  const sorted = [...values].sort((a, b) => a - b);
  const isEqual = sorted[0] === sorted[sorted.length - 1];
  const [best, worst] = isEqual ? [null, null] : [values.indexOf(sorted[0]), values.indexOf(sorted[sorted.length - 1])];
  const per = runs[0]?.per === 'step' ? say('GPU work a step') : say('GPU work in all');
  const total = {title: per, rows: [rowOf({path: say('total'), values, best, worst})], rest: null};
  const ofKinds = workKinds.flatMap(kind => {
    const found = rows.filter(row => row.kind === kind && row.values.some(value => (value ?? 0) > 0));
    if (found.every(({path}) => path.startsWith('('))) return [];
    const rest = found.length - mostRows;
    return [
      {
        title: kindTitle(kind),
        rows: found.slice(0, mostRows).map(rowOf),
        rest: rest > 0 ? counted(rest, '{0} more row differs less.', '{0} more rows differ less.') : null,
      },
    ];
  });
  return [total, ...ofKinds];
}

function rowOf({path, values, best, worst}: Omit<MatrixRow, 'kind'>): MatrixSectionRow {
  const cells = values.map((value, run): MatrixCell => ({
    text: value === null ? '' : formatDuration(value),
    value,
    mark: run === best ? 'best' : run === worst ? 'worst' : null,
  }));
  return {path, text: shortenMiddle(bucketText(path), widestPath), cells};
}

/** Returns the runs that cannot be compared with the first one, or only in part, a sentence each. */
export function matrixReasons({runs}: RunMatrix, names: readonly string[]): string[] {
  return runs.flatMap(({comparable: {verdict, reasons}}, run) => {
    if (verdict === 'yes') return [];
    const texts = reasons.map(({text}) => text).join(' ');
    return [
      say(
        verdict === 'no' ? '{0} is not comparable with {1}: {2}' : '{0} is partly comparable with {1}: {2}',
        names[run] ?? '',
        names[0] ?? '',
        texts,
      ),
    ];
  });
}

/** Returns a matrix as a page of Markdown: the best run of each row in bold, the worst in italics. */
export function matrixPage(matrix: RunMatrix, names: readonly string[]): string {
  const tables = matrixSections(matrix).flatMap(({title, rows, rest}) => {
    const head = ['', ...names.map(markdownText)];
    const body = rows.map(({text, cells}) => [markdownText(text), ...cells.map(markdownCellOf)]);
    const isNumeric = head.map((_, at) => at > 0);
    return [`## ${title}`, markdownTable(head, isNumeric, body), ...(rest === null ? [] : [rest])];
  });
  const reasons = matrixReasons(matrix, names).map(text => `- ${markdownText(text)}`);
  return [
    `# ${counted(names.length, '{0} run compared', '{0} runs compared')}`,
    ...(reasons.length > 0 ? [reasons.join('\n')] : []),
    ...tables,
    matrixLegend(),
  ]
    .map(part => `${part}\n`)
    .join('\n');
}

/** Returns what the marks mean, which prove nothing. */
export const matrixLegend = (): string =>
  say(
    'In each row, the least work is bold and the most is italic. Noise is not considered: to see whether a difference is real, compare two of the runs.',
  );

function markdownCellOf({text, mark}: MatrixCell): string {
  return mark === 'best' ? `**${text}**` : mark === 'worst' ? `_${text}_` : text;
}
