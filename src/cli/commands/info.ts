import {oneLine} from '../../core/format/cells.js';
import {describeError} from '../../core/base/errors.js';
import {traceInfo} from '../../core/questions/info.js';
import {snapshotInfo} from '../../core/memory-snapshot/snapshot-info.js';
import {isMemoryFile} from '../../importers/memory-of-file.js';
import {snapshotTrace} from '../../importers/pickle/snapshot-trace.js';
import {loadSnapshot} from '../load-snapshot.js';
import {pointCounts} from '../../core/questions/point-counts.js';
import {reportScope} from '../../core/scope/report-scope.js';
import {selectedInfo, selectedPoints} from '../../core/questions/selected-info.js';
import type {Selection} from '../../core/scope/selection.js';
import type {Trace} from '../../core/trace/trace.js';
import {UsageError, type Command} from '../command.js';
import {isList, listProfiles} from '../folder-info.js';
import {infoLines, type FileInfo} from '../info-lines.js';
import {loadTrace} from '../load-trace.js';
import {formatRows, type Column, type OutputFormat} from '../report.js';
import {
  passOption,
  passUsage,
  refuseSelectionOfText,
  requireOriginOf,
  selectionOptions,
  selectionUsage,
  selectionWithPass,
} from '../selection.js';

/** `gpu-lens info`: what is in each file, or the profiles of a folder. */
export const infoCommand: Command = {
  name: 'info',
  brief: 'What is in a profile',
  readsProfiles: true,
  showsNotes: true,
  usage: `info FILE… | FOLDER | ZIP\n      ${selectionUsage} ${passUsage}`,
  summary:
    'what is in a profile: events, devices, GPU busy and idle time, what is missing; of a folder, a line for each profile',
  options: {...passOption, ...selectionOptions},
  async run(context, files, options) {
    if (files.length === 0) throw new UsageError('info needs a file or a folder.');
    const selection = selectionWithPass(options);
    if (await isList(files)) {
      if (Object.keys(selection).length > 0)
        throw new UsageError('Profiles of a folder are listed whole: select in one of them.');
      return listProfiles(context, files);
    }
    const infos: FileInfo[] = [];
    const failures: Error[] = [];
    for (const file of files) {
      try {
        infos.push(await readInfo(file, selection));
      } catch (error) {
        if (error instanceof UsageError) throw error;
        failures.push(error instanceof Error ? error : new Error(String(error)));
      }
    }
    // If one file cannot be read, the others are still shown.
    if (infos.length > 0) context.write(report(infos, files.length > 1, context.format));
    const last = failures.pop();
    for (const error of failures) context.tell(`gpu-lens: ${describeError(error, 'internal').message}`);
    if (last) throw last;
  },
};

async function readInfo(file: string, selection: Selection): Promise<FileInfo> {
  if (!(await isMemoryFile(file))) return infoOf(file, await loadTrace(file), selection);
  if (Object.keys(selection).length > 0) {
    throw new UsageError('A memory snapshot has no steps, ranges or GPU operations to select by.');
  }
  const snapshot = await loadSnapshot(file);
  const trace = snapshotTrace(snapshot);
  return {file, info: traceInfo(trace), points: pointCounts(trace), memory: snapshotInfo(snapshot)};
}

/** Returns the facts about a file, or about a selection of it. @throws TraceError; UsageError */
function infoOf(file: string, trace: Trace, selection: Selection): FileInfo {
  if (Object.keys(selection).length === 0) return {file, info: traceInfo(trace), points: pointCounts(trace)};
  refuseSelectionOfText(trace, selection);
  requireOriginOf(trace, selection);
  const scope = reportScope(trace, selection);
  return {file, info: selectedInfo(trace, scope), points: selectedPoints(trace, scope)};
}

function report(infos: readonly FileInfo[], isList: boolean, format: OutputFormat): string {
  if (format === 'json') return asJson(infos, isList);
  if (format === 'table') return infos.map(asText).join('\n');
  return formatRows(infos, columns, format);
}

/** Returns the object of one file, or for several files an array of objects that also name their file. */
function asJson(infos: readonly FileInfo[], isList: boolean): string {
  const objects = infos.map(({file, info, memory}) => ({...(isList && {file}), ...info, ...(memory && {memory})}));
  const value = isList ? objects : objects[0];
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

function asText(file: FileInfo): string {
  return infoLines(file)
    .map(([label, text]) => `${label.padEnd(10)} ${oneLine(text)}\n`)
    .join('');
}
