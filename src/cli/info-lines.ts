import {formatCount, plural} from '../core/format/count.js';
import {formatDuration, formatPercent} from '../core/format/duration.js';
import {formatBytes, memorySizesText} from '../core/memory-snapshot/format-bytes.js';
import type {DeviceMemoryInfo} from '../core/memory-snapshot/snapshot-info.js';
import type {TraceInfo} from '../core/questions/info.js';
import type {PointCounts} from '../core/questions/point-counts.js';
import {instantKinds, type InstantKind} from '../core/trace/instants.js';

/** A file and what is in it. */
export interface FileInfo {
  readonly file: string;
  readonly info: TraceInfo;
  /** For people only: JSON has what its contract names. */
  readonly points: PointCounts;
  /** Of a memory snapshot: the figures of its devices. */
  readonly memory?: readonly DeviceMemoryInfo[];
}

/** What there is to say of a file, a label and a text each. */
export function infoLines(fileInfo: FileInfo): [label: string, text: string][] {
  return fileInfo.memory ? memoryLines(fileInfo, fileInfo.memory) : traceLines(fileInfo);
}

/** Of a snapshot: it has no events of a profile, and what it has is bytes. */
function memoryLines({file, info}: FileInfo, memory: readonly DeviceMemoryInfo[]): [label: string, text: string][] {
  const history: [string, string] = ['Span', `${formatDuration(info.spanNs)} from the first to the last event`];
  return [
    ['File', file],
    ['Profiler', info.profiler],
    ...(info.spanNs === 0 ? [] : [history]),
    ...memory.flatMap(deviceLines),
    ...info.notes.map(({text}): [string, string] => ['Note', text]),
  ];
}

function deviceLines({
  name,
  events,
  peak,
  end,
  outOfMemory,
  fragmentation,
}: DeviceMemoryInfo): [label: string, text: string][] {
  const {segments, freeBytes, largestFreeBytes, inactiveSplitBytes} = fragmentation;
  const ooms = outOfMemory === 0 ? '' : `, out of memory ${plural(outOfMemory, 'time')}`;
  const when = peak.event === null ? 'before the first event' : `after event ${formatCount(peak.event)}`;
  return [
    [name, `${plural(events, 'event')}, ${plural(segments, 'segment')}${ooms}`],
    ['  Peak', `${memorySizesText(peak)}, ${when}`],
    ['  End', memorySizesText(end)],
    [
      '  Free',
      `${formatBytes(freeBytes)} of the reserved at the end, ${formatBytes(inactiveSplitBytes)} of it beside blocks in use; the largest block has ${formatBytes(largestFreeBytes)}`,
    ],
  ];
}

function traceLines({file, info, points}: FileInfo): [label: string, text: string][] {
  const {counts, gpu} = info;
  const devices = info.devices.map(({id, name}) => `GPU ${String(id)}${name === null ? '' : ` ${name}`}`);
  const counted = (Object.keys(counts) as (keyof typeof counts)[])
    .map(what => [what, counts[what] ?? 0] as const)
    .filter(([, count]) => count > 0)
    .map(([what, count]) => plural(count, countNames[what]));
  const instants = instantKinds
    .filter(kind => points.instants[kind] > 0)
    .map(kind => plural(points.instants[kind], instantNames[kind]));
  const counters: [string, string] = [
    'Counters',
    `${plural(points.counters, 'counter')}, ${plural(points.samples, 'sample')}`,
  ];
  return [
    ['File', file],
    ['Profiler', [info.profiler, info.version ?? 'version unknown'].join(', ')],
    ['Devices', devices.length === 0 ? 'none' : devices.join(', ')],
    ['Processes', String(info.processes)],
    ...(info.tables ?? []).map(({report, title, line, rows}): [string, string] => [
      'Table',
      `${report}: ${plural(rows, 'row')}, line ${String(line)}${title === '' ? '' : `, ${title}`}`,
    ]),
    ['Span', `${formatDuration(info.spanNs)} from the first to the last event`],
    ['Events', [...counted, ...instants].join(', ') || 'none'],
    ...(points.counters === 0 ? [] : [counters]),
    [
      'GPU',
      gpu.workNs === 0
        ? 'no GPU work'
        : `work ${formatDuration(gpu.workNs)} (sum), busy ${formatDuration(gpu.busyNs)} (union), idle ${formatDuration(gpu.idleNs)} = ${formatPercent(gpu.idleNs, gpu.spanNs)} of ${formatDuration(gpu.spanNs)} from first to last operation`,
    ],
    ...info.notes.map(({text}): [string, string] => ['Note', text]),
  ];
}

const countNames: Readonly<Record<keyof TraceInfo['counts'], string>> = {
  kernels: 'kernel',
  memcpys: 'copy',
  memsets: 'memset',
  apiCalls: 'API call',
  cpuOps: 'CPU operator',
  ranges: 'tagged range',
  pythonFrames: 'Python frame',
  flows: 'flow event',
};

const instantNames: Readonly<Record<InstantKind, string>> = {
  nvtx_mark: 'NVTX mark',
  marker: 'marker',
  memory: 'memory event',
  out_of_memory: 'out-of-memory event',
  cpu_sample: 'CPU sample',
  page_fault: 'page fault',
};
