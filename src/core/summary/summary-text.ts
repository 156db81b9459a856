import {say} from '../base/say.js';
import {counted, formatCount} from '../format/count.js';
import {formatDuration, formatPercent} from '../format/duration.js';
import type {TraceInfo} from '../questions/info.js';
import type {StepColumn} from './step-columns.js';
import {isIdlePart, partMeaning, partTitle, type TimePart} from './time-parts.js';
import type {TimeSummary} from './time-summary.js';

/** A prominent figure, with its description. */
export interface HeadlineFigure {
  readonly figure: string;
  readonly label: string;
  readonly detail: string;
}

/** Returns facts about a profile: "NVIDIA H100", "PyTorch Profiler", "10 steps", "rank 0 of 8". */
export function summaryFacts({model, rank, worldSize, steps}: TimeSummary, info: TraceInfo): string[] {
  const names = [...new Set(info.devices.flatMap(({name}) => (name === null ? [] : [name])))];
  const gpus = info.devices.length > 1 ? say('{0} GPUs', info.devices.length) : '';
  return [
    model === null ? '' : say('model {0}', model),
    [gpus, names.join(', ')].filter(Boolean).join(': '),
    [info.profiler, info.version ?? ''].filter(Boolean).join(', '),
    steps === null ? say('no steps') : counted(steps.count, '{0} step', '{0} steps'),
    rankText(rank, worldSize),
    info.processes > 1 ? say('{0} processes', info.processes) : '',
  ].filter(Boolean);
}

function rankText(rank: number | null, worldSize: number | null): string {
  if (rank === null) return '';
  return worldSize === null ? say('rank {0}', rank) : say('rank {0} of {1}', rank, worldSize);
}

/** Returns the three most important figures. */
export function summaryHeadline(summary: TimeSummary): HeadlineFigure[] {
  return [lengthFigure(summary), ...busyFigure(summary), ...obstacleFigure(summary)];
}

function lengthFigure({steps, totalNs, hasGpuWork}: TimeSummary): HeadlineFigure {
  if (steps === null) {
    const detail = hasGpuWork
      ? say('from the GPU’s first to its last operation: the profile has no steps')
      : say('from the first to the last event: the profile has no steps');
    return {figure: formatDuration(totalNs), label: say('in all'), detail};
  }
  const {count, medianNs, leastNs, mostNs} = steps;
  const detail =
    count === 1
      ? say('the only step')
      : say('median of {0}, from {1} to {2}', formatCount(count), formatDuration(leastNs), formatDuration(mostNs));
  return {figure: formatDuration(medianNs), label: say('a step'), detail};
}

function busyFigure(summary: TimeSummary): HeadlineFigure[] {
  const {busy, device, totalNs} = summary;
  const own = busy.find(one => one.device === device);
  if (!own) return [];
  const idle = say('idle {0}', perStepText(summary, totalNs - own.busyNs));
  const detail = busy.length > 1 ? say('GPU {0}, the one with the most work: {1}', own.device, idle) : idle;
  return [{figure: formatPercent(own.busyNs, totalNs), label: say('GPU busy'), detail}];
}

/** Returns the largest part in which the GPU does nothing useful; the largest part if there is none. */
function obstacleFigure(summary: TimeSummary): HeadlineFigure[] {
  const {parts, totalNs} = summary;
  const inTheWay = parts.filter(({part, ns}) => isInTheWay(part) && ns >= 0.01 * totalNs);
  const largest = (inTheWay.length > 0 ? inTheWay : [...parts]).sort((a, b) => b.ns - a.ns).at(0);
  if (!largest) return [];
  const detail = perStepText(summary, largest.ns);
  return [{figure: formatPercent(largest.ns, totalNs), label: partTitle(largest.part), detail}];
}

const isInTheWay = (part: TimePart): boolean =>
  isIdlePart(part) || part === 'communication' || part === 'memcpy' || part === 'cpu/loader';

/** Returns the mean per step of a total over all steps; the total itself without steps. */
function perStep({steps}: TimeSummary, ns: number): number {
  return steps === null ? ns : ns / steps.count;
}

/** The same as a text. */
function perStepText(summary: TimeSummary, ns: number): string {
  const time = formatDuration(perStep(summary, ns));
  return summary.steps === null ? time : say('{0} a step', time);
}

/** A part as a row: title, time, share, and meaning. */
export interface PartRow {
  readonly part: TimePart;
  readonly title: string;
  readonly meaning: string;
  readonly ns: number;
  readonly time: string;
  readonly share: string;
}

/** Returns the parts of an average step, or of one column of the chart. */
export function partRows(summary: TimeSummary, column: StepColumn | null): PartRow[] {
  const wholeNs = column ? column.lengthNs : perStep(summary, summary.totalNs);
  return summary.parts.map(({part, ns: allNs}, at) => {
    const ns = column ? column.ns[at] : perStep(summary, allNs);
    return {
      ...{part, title: partTitle(part), meaning: partMeaning(part)},
      ...{ns, time: formatDuration(ns), share: formatPercent(ns, wholeNs)},
    };
  });
}

/** Returns the title of the split: "An average step: 578 ms". */
export function splitTitle(summary: TimeSummary, column: StepColumn | null): string {
  if (column) return `${columnName(column)}: ${formatDuration(column.lengthNs)}`;
  const time = formatDuration(perStep(summary, summary.totalNs));
  return summary.steps === null ? say('The whole time: {0}', time) : say('An average step: {0}', time);
}

/** Returns "Step 5", or "Steps 10 to 19, on average". */
export function columnName({firstNumber, lastNumber, steps}: StepColumn): string {
  return steps === 1 ? say('Step {0}', firstNumber) : say('Steps {0} to {1}, on average', firstNumber, lastNumber);
}

/** Returns further notes about the split: hidden communication, work outside of the steps, other GPUs. */
export function splitNotes(summary: TimeSummary): string[] {
  const {hiddenCommunicationNs, busy, allBusyNs, steps, totalNs} = summary;
  const inStepsNs = busy.reduce((sum, {busyNs}) => sum + busyNs, 0);
  const others = busy.map(({device, busyNs}) => `GPU ${String(device)} ${formatPercent(busyNs, totalNs)}`);
  return [
    hiddenCommunicationNs > 0
      ? say('{0} of communication is hidden behind other work.', perStepText(summary, hiddenCommunicationNs))
      : '',
    steps !== null && inStepsNs < 0.99 * allBusyNs
      ? say(
          'The steps hold {0} of the profile’s GPU busy time; the rest lies outside of them.',
          formatPercent(inStepsNs, allBusyNs),
        )
      : '',
    busy.length > 1 ? say('Busy: {0}.', others.join(', ')) : '',
  ].filter(Boolean);
}
