import {say} from '../base/say.js';
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
import {amount, lineUnit, unitText, type LinePer} from './line-fields.js';
import {markdownText} from '../format/markdown-text.js';
import {shortenMiddle} from '../format/shorten-middle.js';
import {sparkline} from '../format/sparkline.js';
import {timeWindowText} from '../format/time-window-text.js';

/** Longer names would widen the hover. */
const longestName = 60;

/**
 * Returns the hover of a line's ranges, in Markdown: a table of figures, how they differ between instances, names and
 * steps, and the kernels with the most work. Names in it are text.
 *
 * @see docs/metrics.md#line-details
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
    const others = otherKernels > 0 ? `\n\n${say('{0} more kernels and copies.', formatCount(otherKernels))}` : '';
    parts.push(`| ${say('kernel')} | ${say('GPU work')} | |\n| :-- | --: | --: |\n${rows.join('\n')}${others}`);
  }
  return parts.join('\n\n');
}

function heading({timing: {names, nameCount}}: LineDetails): string {
  if (nameCount === 1) return `**${nameText(names[0].name)}**`;
  return say('**{0} ranges**, summed', formatCount(nameCount));
}

function figureTable(details: LineDetails, per: LinePer, before: LineTiming | null): string {
  const {timing, instanceWork, instanceWall, stepWorkNs, stepWallNs} = details;
  const perUnit = lineUnit(timing, per);
  const {divisor} = perUnit;
  const time = (ns: number) => formatDuration(ns / divisor);
  const workNs = timing.gpuWorkNs + timing.backwardGpuWorkNs;
  // These rows cover only forward work, unlike the rows above them.
  const forward = (text: string) => (timing.backwardGpuWorkNs > 0 ? say('fwd {0}', text) : text);
  const rows: [string, string][] = [];
  if (workNs > 0) {
    const share = formatPercent(workNs, timing.allGpuWorkNs);
    const both = say('fwd {0} + bwd {1}', time(timing.gpuWorkNs), time(timing.backwardGpuWorkNs));
    const parts = timing.backwardGpuWorkNs > 0 ? ` = ${both}` : '';
    rows.push(
      [say('GPU work'), `${time(workNs)}${parts} (${share})`],
      [say('GPU busy'), withBackward(time(timing.gpuBusyNs), timing.backwardGpuBusyNs, time)],
      [say('GPU span'), forward(time(timing.gpuSpanNs))],
      [
        say('launches'),
        say('{0} of {1} operations', amount(timing.launches / divisor), amount(timing.operations / divisor)),
      ],
    );
  }
  rows.push([say('CPU wall'), time(timing.cpuWallNs)]);
  if (timing.count > 0) {
    rows.push([say('instances'), amount(timing.of === 'steps' ? timing.count / divisor : timing.count)]);
  }
  if (workNs > 0) rows.push([say('work of one'), spreadText(instanceWork)]);
  rows.push([say('wall of one'), spreadText(instanceWall)]);
  const ofSteps = workNs > 0 ? stepWorkNs : stepWallNs;
  if (ofSteps.length > 1) rows.push([say('by step'), `${sparkline(ofSteps)} ${rangeText(ofSteps)}`]);
  const run = runBefore(timing, before);
  if (run !== '') rows.push([say('run before'), run]);
  if (!Number.isNaN(timing.peakBytes)) rows.push([say('memory peak'), formatCounterValue(timing.peakBytes, 'bytes')]);
  const unit = isTimeWindow(timing.of)
    ? say('{0} in {1}', unitText(perUnit), timeWindowText(timing.of))
    : unitText(perUnit);
  return `| | ${unit} |\n| :-- | :-- |\n${rows.map(([name, value]) => `| ${name} | ${value} |`).join('\n')}`;
}

/** Returns the previous run's figure, with the difference to it; '' if there is none. */
function runBefore(timing: LineTiming, before: LineTiming | null): string {
  const difference = lineDifference(timing, before);
  const figure = before && stepFigureOf(before);
  if (!difference || !figure) return '';
  const [then, change] = [formatDuration(figure.meanNs), differenceText(difference)];
  return isAboveNoise(difference) ? `${then}: ${change}` : say('{0}: {1}, within the noise', then, change);
}

function withBackward(forward: string, backwardNs: number, time: (ns: number) => string): string {
  return backwardNs > 0 ? say('fwd {0}, bwd {1}', forward, time(backwardNs)) : forward;
}

function spreadText({leastNs, medianNs, mostNs}: Spread): string {
  if (Number.isNaN(leastNs)) return '–';
  return say(
    'min {0} · median {1} · max {2}',
    formatDuration(leastNs),
    formatDuration(medianNs),
    formatDuration(mostNs),
  );
}

function rangeText(values: readonly number[]): string {
  const [least, most] = [leastOf(values), greatest(values)].map(formatDuration);
  return least === most ? least : say('{0} to {1}', least, most);
}

/** Returns the worst of several ranges, and their spread. */
function namesText({timing}: LineDetails): string {
  const {names, leastWorkNs, isGpuProfile} = timing;
  // Each range has its own calls, so a figure per call of the line does not apply to it.
  const {divisor, suffix} = timing.of === 'steps' ? lineUnit(timing, 'step') : {divisor: 1, suffix: ''};
  if (!isGpuProfile || names[0].workNs === 0) {
    const listed = names.slice(0, 5).map(({name, count}) => `${nameText(name)} (×${amount(count / divisor)})`);
    return say('Ranges: {0}', `${listed.join(', ')}${timing.nameCount > 5 ? ', …' : ''}`);
  }
  const time = (ns: number) => `${formatDuration(ns / divisor)}${suffix}`;
  return say('Most: {0} {1}, least: {2}', nameText(names[0].name), time(names[0].workNs), time(leastWorkNs));
}

function nameText(name: string): string {
  return markdownText(shortenMiddle(name, longestName));
}
