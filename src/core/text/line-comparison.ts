import {say, template} from '../base/say.js';
import type {LineDetails} from '../lines/line-details.js';
import type {LineTiming} from '../lines/line-timings.js';
import {differenceText, lineDifference} from './delta-text.js';
import {formatCounterValue} from '../names/counter-value.js';
import {formatDuration} from '../format/duration.js';
import {kernelBaseName} from '../names/kernel-name.js';
import {amount, lineUnit, unitText} from './line-fields.js';
import {markdownText} from '../format/markdown-text.js';
import {shortenMiddle} from '../format/shorten-middle.js';

/** Longer names would widen the table. */
const longestName = 80;

/**
 * Returns a line's ranges in two runs, in Markdown: a table of figures per step with their differences, one of the
 * ranges if there are several, and one of the kernels with the most work in either run. Names in it are text.
 *
 * @see docs/metrics.md#comparison
 */
export function lineComparison(now: LineDetails, before: LineDetails): string {
  const parts = [heading(now.timing), figures(now.timing, before.timing)];
  if (before.timing.nameCount === 0) parts.push(`*${say('The run before has no range of this name.')}*`);
  if (now.timing.isGpuProfile && Math.max(now.timing.nameCount, before.timing.nameCount) > 1) {
    parts.push(works(say('range'), byName(now.timing), byName(before.timing), now.timing, before.timing));
  }
  if (now.kernels.length + before.kernels.length > 0) {
    parts.push(works(say('kernel'), byKernel(now), byKernel(before), now.timing, before.timing));
    if (now.otherKernels + before.otherKernels > 0) {
      parts.push(say('Of each run the five kernels and copies with the most work; – is not among them.'));
    }
  }
  return parts.join('\n\n');
}

function heading({names, nameCount}: LineTiming): string {
  const shown = names.slice(0, 3).map(({name}) => nameText(name));
  return `# ${shown.join(', ')}${nameCount > shown.length ? ', …' : ''}`;
}

type Row = readonly [title: string, figure: (timing: LineTiming) => number, text: (value: number) => string];

function figures(now: LineTiming, before: LineTiming): string {
  const scope = now.of === before.of;
  const per = (key: Exclude<keyof LineTiming, 'of' | 'names' | 'isGpuProfile'>) => (timing: LineTiming) =>
    timing[key] / lineUnit(timing, 'step').divisor;
  const work = (timing: LineTiming) => per('gpuWorkNs')(timing) + per('backwardGpuWorkNs')(timing);
  const count = (timing: LineTiming) => (timing.of === 'steps' ? per('count')(timing) : timing.count);
  const rows: readonly Row[] = [
    [template('GPU work'), work, formatDuration],
    [template('forward'), per('gpuWorkNs'), formatDuration],
    [template('backward'), per('backwardGpuWorkNs'), formatDuration],
    [template('GPU busy, forward'), per('gpuBusyNs'), formatDuration],
    [template('GPU busy, backward'), per('backwardGpuBusyNs'), formatDuration],
    [template('GPU span, forward'), per('gpuSpanNs'), formatDuration],
    [template('operations'), per('operations'), amount],
    [template('launches'), per('launches'), amount],
    [template('CPU wall'), per('cpuWallNs'), formatDuration],
    [template('instances'), count, amount],
    [template('memory peak'), ({peakBytes}) => peakBytes, bytes => formatCounterValue(bytes, 'bytes')],
  ];
  const measured = lineDifference(now, before);
  const noisy = now.isGpuProfile ? 'GPU work' : 'CPU wall';
  const lines = rows
    .map(([title, figure, text]) => ({title, text, values: [figure(before), figure(now)] as const}))
    .filter(({values}) => values.some(value => value > 0))
    .map(({title, text, values: [then, today]}) => {
      // The noise between steps is known only for the main figure.
      const difference = measured && title === noisy ? differenceText(measured) : scope ? plain(today, then) : '';
      return `| ${say(title)} | ${shown(then, text)} | ${shown(today, text)} | ${difference} |`;
    });
  return `| ${unitText(lineUnit(now, 'step'))} | ${runHeads()}${lines.join('\n')}`;
}

/** The heads of the columns of two runs, and the line below them. */
const runHeads = (): string => `${say('run before')} | ${say('this run')} | Δ |\n| :-- | --: | --: | --: |\n`;

function shown(value: number, text: (value: number) => string): string {
  return value > 0 ? text(value) : '–';
}

/** Formats a difference with unknown noise. */
function plain(now: number, before: number): string {
  if (!(before > 0) || !(now > 0)) return '';
  const percent = (100 * (now - before)) / before;
  return `${percent > 0 ? '+' : ''}${percent.toFixed(1)} %`;
}

interface Work {
  readonly workNs: number;
  readonly count: number;
}

function byName({names}: LineTiming): ReadonlyMap<string, Work> {
  return new Map(names.map(one => [one.name, one]));
}

/** Groups by the name without its arguments: another version of a library spells them differently. */
function byKernel({kernels}: LineDetails): ReadonlyMap<string, Work> {
  const works = new Map<string, {workNs: number; count: number}>();
  for (const {name, workNs, count} of kernels) {
    const base = kernelBaseName(name);
    const known = works.get(base);
    works.set(base, {workNs: (known?.workNs ?? 0) + workNs, count: (known?.count ?? 0) + count});
  }
  return works;
}

function works(
  title: string,
  now: ReadonlyMap<string, Work>,
  before: ReadonlyMap<string, Work>,
  ofNow: LineTiming,
  ofBefore: LineTiming,
): string {
  const [perNow, perBefore] = [lineUnit(ofNow, 'step').divisor, lineUnit(ofBefore, 'step').divisor];
  const rows = [...new Set([...now.keys(), ...before.keys()])]
    .map(name => ({
      name,
      today: (now.get(name)?.workNs ?? 0) / perNow,
      then: (before.get(name)?.workNs ?? 0) / perBefore,
    }))
    .sort((a, b) => Math.max(b.today, b.then) - Math.max(a.today, a.then))
    .map(
      ({name, today, then}) =>
        `| ${nameText(name)} | ${shown(then, formatDuration)} | ${shown(today, formatDuration)} | ${plain(today, then)} |`,
    );
  const head = say('{0}, GPU work {1}', title, unitText(lineUnit(ofNow, 'step')));
  return `| ${head} | ${runHeads()}${rows.join('\n')}`;
}

function nameText(name: string): string {
  return markdownText(shortenMiddle(name, longestName));
}
