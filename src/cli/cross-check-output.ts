import {dirname, relative} from 'node:path';
import {watcherNames} from '../launch/cross-check.js';
import type {CrossCheckRow} from '../core/benchmark/cross-check-rows.js';
import {medianChangeText} from '../core/text/median-change-text.js';
import {formatDuration} from '../core/format/duration.js';
import {markdownText} from '../core/format/markdown-text.js';
import {formatRows, type Column} from './report.js';

const dash = '–';
const time = (ns: number | null): string => (ns === null ? dash : formatDuration(ns));

function overheadText({overheadPercent, overheadLowPercent, overheadHighPercent}: CrossCheckRow): string {
  if (overheadPercent === null) return dash;
  const interval =
    overheadLowPercent === null || overheadHighPercent === null
      ? null
      : {lowPercent: overheadLowPercent, highPercent: overheadHighPercent};
  return medianChangeText({percent: overheadPercent, interval});
}

/** The columns of a cross-check for people, without empty ones. */
export function shownColumns(rows: readonly CrossCheckRow[]): readonly Column<CrossCheckRow>[] {
  const isTold = ({value}: Column<CrossCheckRow>) => rows.some(row => value(row) !== null);
  return columnsOf(false).filter(isTold);
}

/** The columns for programs: always the same, including those that the table for people merges or leaves out. */
export const programColumns = columnsOf(true);

function columnsOf(isForPrograms: boolean): readonly Column<CrossCheckRow>[] {
  return [
    {
      key: 'watcher',
      title: 'Measured by',
      value: ({watcher}) => watcher,
      text: ({watcher}) => watcherNames[watcher],
    },
    {key: 'steps', title: 'Steps', value: ({steps}) => steps},
    {
      key: 'meanNs',
      title: 'Step',
      value: ({meanNs}) => whole(meanNs),
      text: ({meanNs, stdNs}) => (stdNs === null ? time(meanNs) : `${time(meanNs)} ± ${time(stdNs)}`),
    },
    // The table for people shows it beside the mean.
    ...(isForPrograms ? [{key: 'stdNs', title: 'Deviation', value: ({stdNs}: CrossCheckRow) => whole(stdNs)}] : []),
    {key: 'medianNs', title: 'Median', value: ({medianNs}) => whole(medianNs), text: ({medianNs}) => time(medianNs)},
    {key: 'minNs', title: 'Fastest', value: ({minNs}) => minNs, text: ({minNs}) => time(minNs)},
    {
      key: 'eventMeanNs',
      title: 'CUDA events',
      value: ({eventMeanNs}) => whole(eventMeanNs),
      text: ({eventMeanNs}) => time(eventMeanNs),
    },
    {
      key: 'gpuWorkNs',
      title: 'GPU work',
      value: ({gpuWorkNs}) => whole(gpuWorkNs),
      text: ({gpuWorkNs}) => time(gpuWorkNs),
    },
    {
      key: 'overheadPercent',
      title: 'Overhead',
      value: ({overheadPercent}) => overheadPercent,
      text: overheadText,
    },
    ...(isForPrograms
      ? [
          {key: 'noisePercent', title: 'Noise', value: ({noisePercent}: CrossCheckRow) => noisePercent},
          {key: 'isMeasurable', title: 'Measurable', value: ({isMeasurable}: CrossCheckRow) => isMeasurable},
        ]
      : []),
    {key: 'reason', title: 'Note', value: ({reason}) => reason, text: ({reason}) => reason ?? ''},
    ...(isForPrograms
      ? [
          {key: 'stepNs', title: 'Steps', value: ({stepNs}: CrossCheckRow) => stepNs.join(';')},
          {key: 'profile', title: 'Profile', value: ({profile}: CrossCheckRow) => profile},
        ]
      : []),
  ];
}

/** Times of programs are whole ns. */
function whole(ns: number | null): number | null {
  return ns === null ? null : Math.round(ns);
}

/** The rows as an array of objects, every step and path in it. */
export function crossCheckJson(rows: readonly CrossCheckRow[]): string {
  return `${JSON.stringify(
    rows.map(({watcher, steps, stepNs, meanNs, stdNs, minNs, medianNs, eventNs, eventMeanNs, ...row}) => ({
      ...{watcher, steps, stepNs, meanNs: whole(meanNs), stdNs: whole(stdNs), minNs, medianNs: whole(medianNs)},
      ...{eventNs, eventMeanNs: whole(eventMeanNs), gpuWorkNs: whole(row.gpuWorkNs)},
      ...{
        overheadPercent: row.overheadPercent,
        overheadLowPercent: row.overheadLowPercent,
        overheadHighPercent: row.overheadHighPercent,
        noisePercent: row.noisePercent,
        isMeasurable: row.isMeasurable,
        profile: row.profile,
        reason: row.reason,
      },
    })),
    null,
    2,
  )}\n`;
}

/** Returns a page for people: the table, the meaning of its figures, and the profiles. */
export function crossCheckPage(name: string, rows: readonly CrossCheckRow[], path: string): string {
  const profiles = rows.flatMap(({watcher, profile}) =>
    profile === null ? [] : [`- ${watcherNames[watcher]}: [${linkText(profile)}](<${linkTo(profile, path)}>)\n`],
  );
  return [
    `# Cross-check of ${linkText(name)}\n\n`,
    formatRows(rows, shownColumns(rows), 'markdown'),
    '\nThe same steps of three runs, behind the same warm-up. ',
    'Step: mean ± standard deviation by a clock, the GPU idle where a step begins and where it ends. ',
    ...(rows.some(({eventMeanNs}) => eventMeanNs !== null)
      ? ['CUDA events: the mean between two events in the stream. ']
      : []),
    'GPU work: durations of GPU operations of a step, summed, by what the profiler recorded. ',
    'Overhead: how much longer the median step takes than under the plain timer, with the noise from step to step.\n',
    ...(profiles.length > 0 ? ['\n', ...profiles] : []),
  ].join('');
}

/** A name, for Markdown to show as it is. */
function linkText(name: string): string {
  return markdownText(name.split(/[\\/]/).at(-1) ?? name);
}

function linkTo(profile: string, page: string): string {
  const path = relative(dirname(page), profile).split('\\').join('/');
  return path.split('/').map(encodeURIComponent).join('/');
}
