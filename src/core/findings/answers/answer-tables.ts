import {studentQuantile} from '../../compare/student-t.js';
import type {SummaryTable} from '../../export/summary.js';
import {formatCount} from '../../format/count.js';
import {formatDuration} from '../../format/duration.js';
import {formatQuantity} from '../../format/quantity.js';
import type {Question} from './question.js';

/** The answer of a query. */
export interface Answer {
  readonly question: Question;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | number | bigint | null)[])[];
  /** Why there is no answer; null if there is one. */
  readonly problem: string | null;
}

/**
 * Returns answers as tables, with formatted numbers. If an answer has `mean_ns`, `std_ns` and `n`, the 95 % confidence
 * interval of the mean (Student’s t) is added.
 */
export function answerTables(answers: readonly Answer[]): SummaryTable[] {
  return answers.map((answer, at) => {
    const title = `${String(at + 1)}. ${answer.question.question}`;
    if (answer.problem !== null) return sentence(title, answer.problem);
    if (answer.rows.length === 0) return sentence(title, 'This profile has no data for this question.');
    const interval = intervalOf(answer.columns);
    const isNumeric = answer.columns.map((_, column) => answer.rows.every(row => typeof row[column] !== 'string'));
    return {
      title,
      columns: [
        ...answer.columns.map((name, column) => ({title: headingOf(name), isNumeric: isNumeric[column]})),
        ...(interval ? [{title: 'mean, 95 % interval', isNumeric: true}] : []),
      ],
      rows: answer.rows.map(row => [
        ...row.map((cell, column) => cellText(answer.columns[column], cell)),
        ...(interval ? [interval(row)] : []),
      ]),
      length: answer.rows.length,
    };
  });
}

/**
 * Merges the answers of two runs to the same questions into one each, with a column that names the run. Questions asked
 * of only one run are unchanged.
 */
export function sideBySide(before: readonly Answer[], after: readonly Answer[]): Answer[] {
  const alone = after.filter(({question}) => before.every(one => one.question.question !== question.question));
  const both = before.map(old => {
    const now = after.find(({question}) => question.question === old.question.question);
    if (!now || (old.problem ?? now.problem) !== null) return old;
    if (old.rows.length > 0 && now.rows.length > 0 && String(old.columns) !== String(now.columns)) return old;
    const rows = [...old.rows.map(row => ['before', ...row]), ...now.rows.map(row => ['after', ...row])];
    return {...old, columns: ['profile', ...(old.rows.length > 0 ? old : now).columns], rows};
  });
  return [...both, ...alone];
}

const sentence = (title: string, text: string): SummaryTable => ({
  title,
  columns: [{title: 'Answer', isNumeric: false}],
  rows: [[text]],
  length: 1,
});

/** `gpu_work_ns` → `gpu work` */
const headingOf = (column: string): string => column.replace(/_(ns|bytes|percent)$/, '').replaceAll('_', ' ');

function cellText(column: string, cell: Answer['rows'][number][number]): string {
  if (cell === null) return '–';
  if (typeof cell === 'string') return cell;
  const number = Number(cell);
  if (column.endsWith('_ns')) return formatDuration(number);
  if (column.endsWith('_bytes')) return formatQuantity(number, 'B');
  if (column.endsWith('_percent')) return `${String(number)} %`;
  return Number.isInteger(number) ? formatCount(number) : String(number);
}

/** Returns the interval of a row, if its columns allow it. @see docs/metrics.md#answers */
function intervalOf(columns: readonly string[]): ((row: Answer['rows'][number]) => string) | null {
  const [mean, deviation, count] = ['mean_ns', 'std_ns', 'n'].map(name => columns.indexOf(name));
  if (mean < 0 || deviation < 0 || count < 0) return null;
  return row => {
    const [middle, spread, n] = [Number(row[mean]), row[deviation], Number(row[count])];
    if (n < 2 || spread === null) return '–';
    const half = (studentQuantile(0.05, n - 1) * Number(spread)) / Math.sqrt(n);
    return `${formatDuration(Math.max(0, middle - half))} to ${formatDuration(middle + half)}`;
  };
}
