import {formatCounterValue} from '../names/counter-value.js';
import {pushAll} from '../table/extremes.js';
import {formatCount, plural} from '../format/count.js';
import {formatDuration, formatPercent} from '../format/duration.js';
import {differenceLines} from './difference-text.js';
import {flameKinds, isOfThreads, type FlameGraph, type FlameWeight} from './flame-graph.js';
import type {FlameMatches} from './flame-search.js';

/** The names of weights in a sentence. */
export const weightNames: Readonly<Record<FlameWeight, string>> = {
  'gpu-work': 'GPU work',
  'gpu-busy': 'GPU busy',
  cpu: 'CPU wall',
  launches: 'Launches',
  bytes: 'Bytes',
  memory: 'Memory allocated',
};

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
    `${weightNames[weight]} ${formatWeight(total, weight)} · ${formatPercent(total, all)} of all · self ${formatWeight(nodes.self[node], weight)}`,
  ];
  if (nodes.instances[node] > 0) lines.push(average(plural(nodes.instances[node], 'instance'), graph, node));
  if (!isOfThreads(weight) && kind !== 'idle') pushAll(lines, operationLines(graph, node));
  if (nodes.members[node] > 0) {
    const {least, most, members} = nodes;
    lines.push(
      `${formatCount(members[node])} folded into one: ${formatWeight(least[node], weight)} to ${formatWeight(most[node], weight)}, mean ${formatWeight(rounded(total / members[node], weight), weight)}`,
    );
  }
  return lines;
}

function operationLines({nodes, weight}: FlameGraph, node: number): string[] {
  const {[node]: count} = nodes.operations;
  if (count === 0) return [];
  const times = [
    ...(weight === 'gpu-work' ? [] : [`work ${formatDuration(nodes.workNs[node])}`]),
    `busy ${formatDuration(nodes.busyNs[node])}`,
    `span ${formatDuration(nodes.lastNs[node] - nodes.firstNs[node])}`,
  ];
  return [
    times.join(' · '),
    `${plural(count, 'GPU operation')} · work ${formatDuration(nodes.workNs[node] / count)} on average`,
  ];
}

function average(instances: string, {nodes, weight}: FlameGraph, node: number): string {
  const each = rounded(nodes.total[node] / nodes.instances[node], weight);
  return `${instances} · ${formatWeight(each, weight)} on average`;
}

/** Rounds a mean of counts or bytes to an integer. */
function rounded(value: number, weight: FlameWeight): number {
  return weight === 'launches' || weight === 'bytes' || weight === 'memory' ? Math.round(value) : value;
}

/** Returns `softmax: 312 ms, 18.4 %, 12 blocks`. */
export function matchesText({weight, total}: FlameGraph, text: string, matches: FlameMatches): string {
  if (matches.count === 0) return `${text}: no block`;
  return `${text}: ${formatWeight(matches.total, weight)}, ${formatPercent(matches.total, total)}, ${plural(matches.count, 'block')}, counted once where nested`;
}
