import type {Selection} from '../scope/selection.js';
import {formatDuration} from '../format/duration.js';
import {isOfThreads, usualLevels, type FlameQuery, type FlameWeight} from './flame-graph.js';

const names: Readonly<Record<FlameWeight, string>> = {
  'gpu-work': 'GPU work',
  'gpu-busy': 'GPU busy',
  cpu: 'CPU wall time of tagged ranges',
  launches: 'Launches',
  bytes: 'Bytes copied and set',
  memory: 'Memory allocated',
};

/** Returns a description of the root: the weight, and the selected part of the trace. */
export function flameRootName(query: FlameQuery, hasIdle: boolean): string {
  const {weight, pass = 'all', selection = {}} = query;
  const what = weight === 'cpu' ? cpuName(query) : hasIdle ? 'GPU busy and idle' : names[weight];
  const parts = [what, ...selectionTexts(narrowing(weight, selection))];
  if (pass !== 'all' && !isOfThreads(weight)) parts.push(pass);
  return parts.join(' · ');
}

function cpuName({levels = usualLevels('none'), mode}: FlameQuery): string {
  if (mode === 'sandwich') return names.cpu;
  const shown = (['ranges', 'modules', 'operators'] as const).filter(level => levels.includes(level));
  if (shown.length === 0 || shown.join() === 'ranges') return names.cpu;
  const texts: readonly string[] = shown;
  const last = texts[texts.length - 1];
  return `CPU wall time of ${texts.length === 1 ? last : `${texts.slice(0, -1).join(', ')} and ${last}`}`;
}

/** Members of a selection that do not limit a weight: threads are on no device, and memory is in no stream. */
const ignored: Partial<Readonly<Record<FlameWeight, readonly string[]>>> = {
  cpu: ['device', 'stream'],
  memory: ['stream'],
};

/** Returns the members of a selection that limit a weight. */
export function narrowing(weight: FlameWeight, selection: Selection): Selection {
  return Object.fromEntries(Object.entries(selection).filter(([member]) => !ignored[weight]?.includes(member)));
}

/** Returns the parts of a selection as texts; none for the whole. */
export function selectionTexts({fromNs, toNs, range, pass, step, process, device, stream}: Selection): string[] {
  const texts: string[] = [];
  if (fromNs !== undefined || toNs !== undefined) {
    texts.push(`${formatDuration(fromNs ?? 0)} to ${toNs === undefined ? 'the end' : formatDuration(toNs)}`);
  }
  if (range !== undefined) texts.push(range);
  if (pass !== undefined) texts.push(pass);
  if (step !== undefined) texts.push(`step ${String(step)}`);
  if (process !== undefined) texts.push(`process ${process}`);
  if (device !== undefined) texts.push(`GPU ${String(device)}`);
  if (stream !== undefined) texts.push(`stream ${String(stream)}`);
  return texts;
}
