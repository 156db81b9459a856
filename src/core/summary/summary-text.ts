import {formatCount, plural} from '../format/count.js';
import {formatDuration, formatPercent} from '../format/duration.js';
import type {TraceInfo} from '../questions/info.js';
import type {StepColumn} from './step-columns.js';
import {isIdlePart, partTexts, type TimePart} from './time-parts.js';
import type {TimeSummary} from './time-summary.js';

/** A figure that stands out, with what it is of. */
export interface HeadlineFigure {
  readonly figure: string;
  readonly label: string;
  readonly detail: string;
}

/** What a profile is: "NVIDIA H100", "PyTorch Profiler", "10 steps", "rank 0 of 8". */
export function summaryFacts({model, rank, worldSize, steps}: TimeSummary, info: TraceInfo): string[] {
  const names = [...new Set(info.devices.flatMap(({name}) => (name === null ? [] : [name])))];
  const gpus = info.devices.length > 1 ? `${String(info.devices.length)} GPUs` : '';
  const ranks = rank === null ? '' : `rank ${String(rank)}${worldSize === null ? '' : ` of ${String(worldSize)}`}`;
  return [
    model === null ? '' : `model ${model}`,
    [gpus, names.join(', ')].filter(Boolean).join(': '),
    [info.profiler, info.version ?? ''].filter(Boolean).join(', '),
    steps === null ? 'no steps' : plural(steps.count, 'step'),
    ranks,
    info.processes > 1 ? `${String(info.processes)} processes` : '',
  ].filter(Boolean);
}

/** The three figures to read first. */
export function summaryHeadline(summary: TimeSummary): HeadlineFigure[] {
  return [lengthFigure(summary), ...busyFigure(summary), ...obstacleFigure(summary)];
}

function lengthFigure({steps, totalNs, hasGpuWork}: TimeSummary): HeadlineFigure {
  if (steps === null) {
    const of = hasGpuWork ? 'from the GPU’s first to its last operation' : 'from the first to the last event';
    return {figure: formatDuration(totalNs), label: 'in all', detail: `${of}: the profile has no steps`};
  }
  const {count, medianNs, leastNs, mostNs} = steps;
  const spread = `median of ${formatCount(count)}, from ${formatDuration(leastNs)} to ${formatDuration(mostNs)}`;
  return {figure: formatDuration(medianNs), label: 'a step', detail: count === 1 ? 'the only step' : spread};
}

function busyFigure(summary: TimeSummary): HeadlineFigure[] {
  const {busy, device, totalNs} = summary;
  const own = busy.find(one => one.device === device);
  if (!own) return [];
  const idle = `idle ${formatDuration(perStep(summary, totalNs - own.busyNs))}${eachStep(summary)}`;
  const gpu = busy.length > 1 ? `GPU ${String(own.device)}, the one with the most work: ` : '';
  return [{figure: formatPercent(own.busyNs, totalNs), label: 'GPU busy', detail: `${gpu}${idle}`}];
}

/** The largest part in which the GPU does nothing useful; where there is none, the largest part. */
function obstacleFigure(summary: TimeSummary): HeadlineFigure[] {
  const {parts, totalNs} = summary;
  const inTheWay = parts.filter(({part, ns}) => isInTheWay(part) && ns >= 0.01 * totalNs);
  const largest = (inTheWay.length > 0 ? inTheWay : [...parts]).sort((a, b) => b.ns - a.ns).at(0);
  if (!largest) return [];
  const detail = `${formatDuration(perStep(summary, largest.ns))}${eachStep(summary)}`;
  const [title] = partTexts[largest.part];
  return [{figure: formatPercent(largest.ns, totalNs), label: title, detail}];
}

const isInTheWay = (part: TimePart): boolean =>
  isIdlePart(part) || part === 'communication' || part === 'memcpy' || part === 'cpu/loader';

/** A time of all steps together as the mean of a step; as it is without steps. */
function perStep({steps}: TimeSummary, ns: number): number {
  return steps === null ? ns : ns / steps.count;
}

const eachStep = ({steps}: TimeSummary): string => (steps === null ? '' : ' a step');

/** A part as a row: title, time, share, and what it means. */
export interface PartRow {
  readonly part: TimePart;
  readonly title: string;
  readonly meaning: string;
  readonly ns: number;
  readonly time: string;
  readonly share: string;
}

/** The parts of an average step, or of one column of the chart. */
export function partRows(summary: TimeSummary, column: StepColumn | null): PartRow[] {
  const wholeNs = column ? column.lengthNs : perStep(summary, summary.totalNs);
  return summary.parts.map(({part, ns: allNs}, at) => {
    const ns = column ? column.ns[at] : perStep(summary, allNs);
    const [title, meaning] = partTexts[part];
    return {part, title, meaning, ns, time: formatDuration(ns), share: formatPercent(ns, wholeNs)};
  });
}

/** What the split is of: "An average step: 578 ms". */
export function splitTitle(summary: TimeSummary, column: StepColumn | null): string {
  if (column) return `${columnName(column)}: ${formatDuration(column.lengthNs)}`;
  const time = formatDuration(perStep(summary, summary.totalNs));
  return summary.steps === null ? `The whole time: ${time}` : `An average step: ${time}`;
}

/** "Step 5", "Steps 10 to 19, on average". */
export function columnName({firstNumber, lastNumber, steps}: StepColumn): string {
  return steps === 1
    ? `Step ${String(firstNumber)}`
    : `Steps ${String(firstNumber)} to ${String(lastNumber)}, on average`;
}

/** What else must be known of the split: communication that is hidden, work outside of the steps, other GPUs. */
export function splitNotes(summary: TimeSummary): string[] {
  const {hiddenCommunicationNs, busy, allBusyNs, steps, totalNs} = summary;
  const inStepsNs = busy.reduce((sum, {busyNs}) => sum + busyNs, 0);
  const hidden = formatDuration(perStep(summary, hiddenCommunicationNs));
  const others = busy.map(({device, busyNs}) => `GPU ${String(device)} ${formatPercent(busyNs, totalNs)}`);
  return [
    hiddenCommunicationNs > 0 ? `${hidden}${eachStep(summary)} of communication is hidden behind other work.` : '',
    steps !== null && inStepsNs < 0.99 * allBusyNs
      ? `The steps hold ${formatPercent(inStepsNs, allBusyNs)} of the profile’s GPU busy time; the rest lies outside of them.`
      : '',
    busy.length > 1 ? `Busy: ${others.join(', ')}.` : '',
  ].filter(Boolean);
}
