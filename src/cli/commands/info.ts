import {oneLine} from '../../core/format/cells.js';
import {describeError} from '../../core/errors.js';
import {plural} from '../../core/format/count.js';
import {formatDuration, formatPercent} from '../../core/format/duration.js';
import {traceInfo, type TraceInfo} from '../../core/queries/info.js';
import {pointCounts, type PointCounts} from '../../core/queries/point-counts.js';
import {instantKinds, type InstantKind} from '../../core/trace/instants.js';
import {UsageError, type Command} from '../command.js';
import {loadTrace} from '../load-trace.js';
import {formatRows, type Column, type OutputFormat} from '../report.js';

/** `gpu-lens info FILE…`: what is in each file. */
export const infoCommand: Command = {
  name: 'info',
  usage: 'info FILE…',
  summary: 'what is in a profile: events, devices, GPU busy and idle time, what is missing',
  options: {},
  async run(context, files) {
    if (files.length === 0) throw new UsageError('info needs a file.');
    const infos: FileInfo[] = [];
    const failures: Error[] = [];
    for (const file of files) {
      try {
        const trace = await loadTrace(file);
        infos.push({file, info: traceInfo(trace), points: pointCounts(trace)});
      } catch (error) {
        failures.push(error instanceof Error ? error : new Error(String(error)));
      }
    }
    // One file that cannot be read does not hide the others.
    if (infos.length > 0) context.write(report(infos, files.length > 1, context.format));
    const last = failures.pop();
    for (const error of failures) context.tell(`gpu-lens: ${describeError(error, 'import/damaged').message}`);
    if (last) throw last;
  },
};

interface FileInfo {
  readonly file: string;
  readonly info: TraceInfo;
  /** For people only: JSON has what its contract names. */
  readonly points: PointCounts;
}

function report(infos: readonly FileInfo[], isList: boolean, format: OutputFormat): string {
  if (format === 'json') return asJson(infos, isList);
  if (format === 'table') return infos.map(asText).join('\n');
  return formatRows(infos, columns, format);
}

/** One file gives its object, several an array of objects that also name their file. */
function asJson(infos: readonly FileInfo[], isList: boolean): string {
  const value = isList ? infos.map(({file, info}) => ({file, ...info})) : infos[0]?.info;
  return `${JSON.stringify(value, null, 2)}\n`;
}

const columns: readonly Column<FileInfo>[] = [
  {key: 'file', title: 'File', value: ({file}) => file},
  {key: 'profiler', title: 'Profiler', value: ({info}) => info.profiler},
  {key: 'version', title: 'Version', value: ({info}) => info.version},
  {key: 'spanNs', title: 'Span (ns)', value: ({info}) => info.spanNs},
  {key: 'kernels', title: 'Kernels', value: ({info}) => info.counts.kernels},
  {key: 'memcpys', title: 'Copies', value: ({info}) => info.counts.memcpys},
  {key: 'memsets', title: 'Memsets', value: ({info}) => info.counts.memsets},
  {key: 'apiCalls', title: 'API calls', value: ({info}) => info.counts.apiCalls},
  {key: 'ranges', title: 'Ranges', value: ({info}) => info.counts.ranges},
  {key: 'gpuWorkNs', title: 'GPU work (ns)', value: ({info}) => info.gpu.workNs},
  {key: 'gpuBusyNs', title: 'GPU busy (ns)', value: ({info}) => info.gpu.busyNs},
  {key: 'gpuIdleNs', title: 'GPU idle (ns)', value: ({info}) => info.gpu.idleNs},
  {key: 'notes', title: 'Notes', value: ({info}) => info.notes.map(({text}) => text).join(' ')},
];

function asText({file, info, points}: FileInfo): string {
  const {counts, gpu} = info;
  const devices = info.devices.map(({id, name}) => `GPU ${String(id)}${name === null ? '' : ` ${name}`}`);
  const counted = (Object.keys(counts) as (keyof typeof counts)[])
    .filter(what => counts[what] > 0)
    .map(what => plural(counts[what], countNames[what]));
  const instants = instantKinds
    .filter(kind => points.instants[kind] > 0)
    .map(kind => plural(points.instants[kind], instantNames[kind]));
  const lines = [
    ['File', file],
    ['Profiler', [info.profiler, info.version ?? 'version unknown'].join(', ')],
    ['Devices', devices.length === 0 ? 'none' : devices.join(', ')],
    ['Processes', String(info.processes)],
    ...(info.tables ?? []).map(({report: name, title, line, rows}) => [
      'Table',
      `${name}: ${plural(rows, 'row')}, line ${String(line)}${title === '' ? '' : `, ${title}`}`,
    ]),
    ['Span', `${formatDuration(info.spanNs)} from the first to the last event`],
    ['Events', [...counted, ...instants].join(', ') || 'none'],
    ...(points.counters === 0
      ? []
      : [['Counters', `${plural(points.counters, 'counter')}, ${plural(points.samples, 'sample')}`]]),
    [
      'GPU',
      gpu.workNs === 0
        ? 'no GPU work'
        : `work ${formatDuration(gpu.workNs)} (sum), busy ${formatDuration(gpu.busyNs)} (union), idle ${formatDuration(gpu.idleNs)} = ${formatPercent(gpu.idleNs, gpu.spanNs)} of ${formatDuration(gpu.spanNs)} from first to last operation`,
    ],
    ...info.notes.map(({text}) => ['Note', text]),
  ];
  return lines.map(([label = '', text = '']) => `${label.padEnd(10)} ${oneLine(text)}\n`).join('');
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
