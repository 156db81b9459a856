import {greatest, least as leastOf} from '../table/extremes.js';
import type {LineDetails, Spread} from '../lines/line-details.js';
import {isAboveNoise} from '../compare/step-difference.js';
import type {LineTiming} from '../lines/line-timings.js';
import {isTimeWindow} from '../scope/timing-scope.js';
import {differenceText, lineDifference, stepFigureOf} from './delta-text.js';
import {formatCounterValue} from '../names/counter-value.js';
import {formatCount} from '../format/count.js';
import {formatDuration, formatPercent} from '../format/duration.js';
import {shortKernelName} from '../names/short-kernel-name.js';
import {amount, lineUnit, type LinePer} from './line-fields.js';
import {markdownText} from '../format/markdown-text.js';
import {shortenMiddle} from '../format/shorten-middle.js';
import {sparkline} from '../format/sparkline.js';
import {timeWindowText} from '../format/time-window-text.js';

/** Longer names make a hover wide. */
const longestName = 60;

/**
 * What a hover tells of a line's ranges, in Markdown: a table of figures, how they differ between instances, names and
 * steps, and the kernels with the most work. Names in it are text. @see docs/metrics.md#line-details
 */
export function lineHover(details: LineDetails, per: LinePer, before: LineTiming | null = null): string {
  const {timing, kernels, otherKernels} = details;
  const parts = [heading(details), figureTable(details, per, before)];
  if (timing.nameCount > 1) parts.push(namesText(details));
  if (kernels.length > 0) {
    const {divisor, suffix} = lineUnit(timing, per);
    const rows = kernels.map(
      ({name, workNs, count}) =>
        `| ${nameText(shortKernelName(name))} | ${formatDuration(workNs / divisor)}${suffix} | ×${amount(count / divisor)} |`,
    );
    const others = otherKernels > 0 ? `\n\n${formatCount(otherKernels)} more kernels and copies.` : '';
    parts.push(`| kernel | GPU work | |\n| :-- | --: | --: |\n${rows.join('\n')}${others}`);
  }
  return parts.join('\n\n');
}

function heading({timing: {names, nameCount}}: LineDetails): string {
  if (nameCount === 1) return `**${nameText(names[0].name)}**`;
  return `**${formatCount(nameCount)} ranges**, summed`;
}

function figureTable(details: LineDetails, per: LinePer, before: LineTiming | null): string {
  const {timing, instanceWork, instanceWall, stepWorkNs, stepWallNs} = details;
  const {divisor, suffix} = lineUnit(timing, per);
  const time = (ns: number) => formatDuration(ns / divisor);
  const workNs = timing.gpuWorkNs + timing.backwardGpuWorkNs;
  // Not of the work above them, then.
  const forward = (text: string) => (timing.backwardGpuWorkNs > 0 ? `fwd ${text}` : text);
  const rows: [string, string][] = [];
  if (workNs > 0) {
    const share = formatPercent(workNs, timing.allGpuWorkNs);
    const both = `fwd ${time(timing.gpuWorkNs)} + bwd ${time(timing.backwardGpuWorkNs)}`;
    const parts = timing.backwardGpuWorkNs > 0 ? ` = ${both}` : '';
    rows.push(
      ['GPU work', `${time(workNs)}${parts} (${share})`],
      ['GPU busy', withBackward(time(timing.gpuBusyNs), timing.backwardGpuBusyNs, time)],
      ['GPU span', forward(time(timing.gpuSpanNs))],
      ['launches', `${amount(timing.launches / divisor)} of ${amount(timing.operations / divisor)} operations`],
    );
  }
  rows.push(['CPU wall', time(timing.cpuWallNs)]);
  if (timing.count > 0) rows.push(['instances', amount(timing.of === 'steps' ? timing.count / divisor : timing.count)]);
  if (workNs > 0) rows.push(['work of one', spreadText(instanceWork)]);
  rows.push(['wall of one', spreadText(instanceWall)]);
  const ofSteps = workNs > 0 ? stepWorkNs : stepWallNs;
  if (ofSteps.length > 1) rows.push(['by step', `${sparkline(ofSteps)} ${rangeText(ofSteps)}`]);
  const run = runBefore(timing, before);
  if (run !== '') rows.push(['run before', run]);
  if (!Number.isNaN(timing.peakBytes)) rows.push(['memory peak', formatCounterValue(timing.peakBytes, 'bytes')]);
  const where = isTimeWindow(timing.of) ? ` in ${timeWindowText(timing.of)}` : '';
  const unit = (suffix === '' ? 'in all' : `per ${suffix.slice(1)}`) + where;
  return `| | ${unit} |\n| :-- | :-- |\n${rows.map(([name, value]) => `| ${name} | ${value} |`).join('\n')}`;
}

/** The figure of the run before, with the difference to it; '' where there is none. */
function runBefore(timing: LineTiming, before: LineTiming | null): string {
  const difference = lineDifference(timing, before);
  const figure = before && stepFigureOf(before);
  if (!difference || !figure) return '';
  const isSaid = isAboveNoise(difference) ? '' : ', within the noise';
  return `${formatDuration(figure.meanNs)}: ${differenceText(difference)}${isSaid}`;
}

function withBackward(forward: string, backwardNs: number, time: (ns: number) => string): string {
  return backwardNs > 0 ? `fwd ${forward}, bwd ${time(backwardNs)}` : forward;
}

function spreadText({leastNs, medianNs, mostNs}: Spread): string {
  if (Number.isNaN(leastNs)) return '–';
  return `min ${formatDuration(leastNs)} · median ${formatDuration(medianNs)} · max ${formatDuration(mostNs)}`;
}

function rangeText(values: readonly number[]): string {
  const [least, most] = [leastOf(values), greatest(values)].map(formatDuration);
  return least === most ? least : `${least} to ${most}`;
}

/** The worst of several ranges, and how far they spread. */
function namesText({timing}: LineDetails): string {
  const {names, leastWorkNs, isGpuProfile} = timing;
  // Each has calls of its own: what is per call of the line is none of them.
  const {divisor, suffix} = timing.of === 'steps' ? lineUnit(timing, 'step') : {divisor: 1, suffix: ''};
  if (!isGpuProfile || names[0].workNs === 0) {
    const listed = names.slice(0, 5).map(({name, count}) => `${nameText(name)} (×${amount(count / divisor)})`);
    return `Ranges: ${listed.join(', ')}${timing.nameCount > 5 ? ', …' : ''}`;
  }
  const time = (ns: number) => `${formatDuration(ns / divisor)}${suffix}`;
  return `Most: ${nameText(names[0].name)} ${time(names[0].workNs)}, least: ${time(leastWorkNs)}`;
}

function nameText(name: string): string {
  return markdownText(shortenMiddle(name, longestName));
}
