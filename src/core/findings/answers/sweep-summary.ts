import {comparableAxes, comparisonTable} from '../../benchmark/comparison-table.js';
import {environmentDifferences} from '../../benchmark/environment-differences.js';
import {environmentLines} from '../../benchmark/environment-lines.js';
import type {LayoutTable} from '../../benchmark/layout-table.js';
import {measurementOf} from '../../benchmark/measurement.js';
import {pointText} from '../../benchmark/point-text.js';
import {stepPhases, type PointResult} from '../../benchmark/point-result.js';
import {stepStatistics} from '../../benchmark/step-statistics.js';
import type {SweepRecord} from '../../benchmark/sweep-record.js';
import {studentQuantile} from '../../compare/student-t.js';
import type {Bar} from '../../export/bars-svg.js';
import type {SummaryTable} from '../../export/summary.js';
import {formatCount} from '../../format/count.js';
import {formatDuration} from '../../format/duration.js';
import {formatQuantity} from '../../format/quantity.js';
import {answerTables, type Answer} from './answer-tables.js';

const mostBars = 40;

/** Returns the facts at the top of a report on a sweep: its progress, and what was measured. */
export function sweepFacts(record: SweepRecord): (readonly [label: string, text: string])[] {
  const results = resultsOf(record);
  const first = results.at(0);
  const failed = results.filter(({error}) => error !== null).length;
  const differences = environmentDifferences(results);
  return [
    [
      'Points',
      `${formatCount(results.length)} of ${formatCount(record.pointCount)} measured, ${formatCount(failed)} without a result`,
    ],
    ...(first ? environmentLines(first) : []),
    ...(differences === null ? [] : [['Surroundings', differences] as const]),
  ];
}

/** Returns the answers that a sweep has. */
export function sweepTables(record: SweepRecord): SummaryTable[] {
  const results = resultsOf(record);
  const measurements = Array.from(record.results).map(([index, result]) => measurementOf(index, result));
  const comparisons = comparableAxes(measurements).map(axis => layoutSummary(comparisonTable(measurements, axis)));
  return [...answerTables([times(results), warmUp(results), phases(results), memory(results)]), ...comparisons];
}

/** Returns the mean of each point with its interval. */
export function sweepBars(record: SweepRecord): Bar[] {
  return resultsOf(record)
    .flatMap(({point, stepNs}): Bar[] => {
      const statistics = stepStatistics(stepNs);
      if (!statistics) return [];
      const {meanNs, stdNs} = statistics;
      const n = stepNs.length;
      const halfWidth = stdNs === null ? 0 : (studentQuantile(0.05, n - 1) * stdNs) / Math.sqrt(n);
      const deviation = stdNs === null ? '' : ` ± ${formatDuration(stdNs)}`;
      return [{label: pointText(point), value: meanNs, halfWidth, text: `${formatDuration(meanNs)}${deviation}`}];
    })
    .slice(0, mostBars);
}

/** Returns the results in the order of the points. */
function resultsOf({results}: SweepRecord): PointResult[] {
  return Array.from(results)
    .sort(([a], [b]) => a - b)
    .map(([, result]) => result);
}

const answer = (question: string, columns: readonly string[], rows: Answer['rows']): Answer => ({
  question: {question, about: '', sql: ''},
  columns,
  rows,
  problem: null,
});

const figures = ['n', 'mean_ns', 'std_ns'] as const;

/** Returns number, mean and deviation. */
function figuresOf(stepNs: readonly number[]): (number | null)[] {
  const statistics = stepStatistics(stepNs);
  return [stepNs.length, statistics?.meanNs ?? null, statistics?.stdNs ?? null];
}

function times(results: readonly PointResult[]): Answer {
  const rows = results.flatMap(({point, stepNs, warmupNs, error}) => {
    const name = pointText(point);
    return [
      [name, error ?? 'without warm-up', ...figuresOf(stepNs)],
      ...(warmupNs.length > 0 && stepNs.length > 0
        ? [[name, 'with warm-up', ...figuresOf([...warmupNs, ...stepNs])]]
        : []),
    ];
  });
  return answer('How long does a step take, with and without warm-up?', ['point', 'steps', ...figures], rows);
}

function warmUp(results: readonly PointResult[]): Answer {
  const rows = results.flatMap(({point, stepNs, warmupNs}) => {
    const median = stepStatistics(stepNs)?.medianNs ?? 0;
    const first = warmupNs.at(0);
    if (first === undefined || median <= 0) return [];
    return [[pointText(point), first, median, Math.round((100 * first) / median) / 100]];
  });
  return answer(
    'How much longer does the first step take?',
    ['point', 'first_step_ns', 'median_step_ns', 'times the median'],
    rows,
  );
}

function phases(results: readonly PointResult[]): Answer {
  const rows = results.flatMap(({point, phaseNs}) =>
    stepPhases.flatMap(phase => {
      const stepNs = phaseNs[phase];
      return stepNs === undefined ? [] : [[pointText(point), phase, ...figuresOf(stepNs)]];
    }),
  );
  return answer('How long do forward, backward and optimizer take?', ['point', 'pass', ...figures], rows);
}

function memory(results: readonly PointResult[]): Answer {
  const rows = results.flatMap(({point, memory: used, parameters}) =>
    used || parameters !== null
      ? [[pointText(point), parameters, used ? formatQuantity(used.peakBytes, 'B') : null, used?.counts ?? null]]
      : [],
  );
  return answer('What is the peak memory use?', ['point', 'parameters', 'peak', 'counted memory'], rows);
}

function layoutSummary({title, columns, rows}: LayoutTable): SummaryTable {
  return {
    title: `What differs: ${title}`,
    columns: columns.map(({group, title: name, isNumber}) => ({
      title: [group, name].filter(Boolean).join(' '),
      isNumeric: isNumber,
    })),
    rows: rows.map(cells => cells.map(({text}) => text)),
    length: rows.length,
  };
}
