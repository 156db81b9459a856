import {say, template} from '../base/say.js';
import {formatCounterValue} from '../names/counter-value.js';
import {pushAll} from '../table/extremes.js';
import {counted, formatCount} from '../format/count.js';
import {formatDuration, formatPercent} from '../format/duration.js';
import {differenceLines} from './difference-text.js';
import {flameKinds, isOfThreads, type FlameGraph, type FlameWeight} from './flame-graph.js';
import type {FlameMatches} from './flame-search.js';

/** The names of weights in a sentence: templates. */
const weightNames: Readonly<Record<FlameWeight, string>> = {
  'gpu-work': template('GPU work'),
  'gpu-busy': template('GPU busy'),
  cpu: template('CPU wall'),
  launches: template('Launches'),
  bytes: template('Bytes'),
  memory: template('Memory allocated'),
};

/** Returns the name of a weight in a sentence. */
export const weightName = (weight: FlameWeight): string => say(weightNames[weight]);

/** Formats a number in a weight's unit. */
export function formatWeight(value: number, weight: FlameWeight): string {
  if (weight === 'launches') return formatCount(value);
  // Memory is shown in GiB, as in the timeline and the tables; copies are shown in GB, like their rates.
  if (weight === 'memory') return formatCounterValue(value, 'bytes');
  return weight === 'bytes' ? formatBytes(value) : formatDuration(value);
}

/** Formats bytes in a suitable decimal unit, as is usual for copies. */
export function formatBytes(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'];
  let unit = 0;
  let value = bytes;
  for (; value >= 999.5 && unit < units.length - 1; unit++) value /= 1000;
  return `${unit === 0 ? String(value) : value.toPrecision(3)} ${units[unit]}`;
}

/** Returns the text of a block, a line per figure. @see docs/metrics.md#flame */
export function flameLines(graph: FlameGraph, node: number): string[] {
  if (graph.difference) return differenceLines(graph.difference, node);
  const {nodes, weight, total: all} = graph;
  const {[node]: total} = nodes.total;
  const kind = flameKinds[nodes.kind[node]];
  const lines = [
    [
      `${weightName(weight)} ${formatWeight(total, weight)}`,
      say('{0} of all', formatPercent(total, all)),
      say('self {0}', formatWeight(nodes.self[node], weight)),
    ].join(' · '),
  ];
  if (nodes.instances[node] > 0) lines.push(average(graph, node));
  if (!isOfThreads(weight) && kind !== 'idle') pushAll(lines, operationLines(graph, node));
  if (nodes.members[node] > 0) {
    const {least, most, members} = nodes;
    lines.push(
      say(
        '{0} folded into one: {1} to {2}, mean {3}',
        formatCount(members[node]),
        formatWeight(least[node], weight),
        formatWeight(most[node], weight),
        formatWeight(rounded(total / members[node], weight), weight),
      ),
    );
  }
  return lines;
}

function operationLines({nodes, weight}: FlameGraph, node: number): string[] {
  const {[node]: count} = nodes.operations;
  if (count === 0) return [];
  const times = [
    ...(weight === 'gpu-work' ? [] : [say('work {0}', formatDuration(nodes.workNs[node]))]),
    say('busy {0}', formatDuration(nodes.busyNs[node])),
    say('span {0}', formatDuration(nodes.lastNs[node] - nodes.firstNs[node])),
  ];
  return [
    times.join(' · '),
    [
      counted(count, '{0} GPU operation', '{0} GPU operations'),
      say('work {0} on average', formatDuration(nodes.workNs[node] / count)),
    ].join(' · '),
  ];
}

function average({nodes, weight}: FlameGraph, node: number): string {
  const {[node]: instances} = nodes.instances;
  const each = rounded(nodes.total[node] / instances, weight);
  return [counted(instances, '{0} instance', '{0} instances'), say('{0} on average', formatWeight(each, weight))].join(
    ' · ',
  );
}

/** Rounds a mean of counts or bytes to an integer. */
function rounded(value: number, weight: FlameWeight): number {
  return weight === 'launches' || weight === 'bytes' || weight === 'memory' ? Math.round(value) : value;
}

/** Returns `softmax: 312 ms, 18.4 %, 12 blocks`. */
export function matchesText({weight, total}: FlameGraph, text: string, matches: FlameMatches): string {
  if (matches.count === 0) return say('{0}: no block', text);
  return counted(
    matches.count,
    '{1}: {2}, {3}, {0} block, counted once where nested',
    '{1}: {2}, {3}, {0} blocks, counted once where nested',
    text,
    formatWeight(matches.total, weight),
    formatPercent(matches.total, total),
  );
}
