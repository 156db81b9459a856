import {basename} from 'node:path';
import {TraceError} from '../../core/base/errors.js';
import {memoryGroupings} from '../../core/memory-snapshot/live-rows.js';
import {categoryBytes, estimateBeside, type EstimateBeside} from '../../core/memory-snapshot/estimate-beside.js';
import {memoryReport, type MemoryQuestion, type MemoryReport} from '../../core/memory-snapshot/memory-report.js';
import type {MemorySnapshot} from '../../core/memory-snapshot/memory-snapshot.js';
import {replayDevice, snapshotDevices} from '../../core/memory-snapshot/replay.js';
import {rowDifference} from '../../core/memory-snapshot/row-difference.js';
import {oneOf, textOption, UsageError, type Command, type OptionValues} from '../command.js';
import {loadSnapshot} from '../load-snapshot.js';
import {estimateOfFlags, memoryEstimateFlags, memoryEstimateUsage} from '../memory-estimate.js';
import {memoryText} from '../memory-output.js';
import type {TrainingMemory} from '../../core/estimate/training-memory.js';

/** `gpu-lens memory SNAPSHOT`: what holds the memory of a GPU, by line; of a profile, too. */
export const memoryCommand: Command = {
  name: 'memory',
  brief: 'What holds GPU memory, from a PyTorch memory snapshot or a profile',
  readsProfiles: true,
  usage: `memory SNAPSHOT [--at EVENT|peak] [--diff OTHER] [--by ${memoryGroupings.join('|')}] [--device N]\n${memoryEstimateUsage}`,
  summary:
    "what holds a GPU's memory, by line of your code, from a PyTorch memory snapshot (.pickle), a memory timeline, or a profile with events of memory; with a model, what it takes by formula beside what was measured",
  options: {
    at: {type: 'string'},
    diff: {type: 'string'},
    by: {type: 'string'},
    device: {type: 'string'},
    ...memoryEstimateFlags,
  },
  async run(context, files, options) {
    const [file, ...others] = files;
    if (file === undefined || others.length > 0) throw new UsageError('memory needs one snapshot.');
    const asked = {
      at: atOption(options),
      by: oneOf('by', options['by'], memoryGroupings, 'line'),
      device: numberOption('device', options['device']),
    };
    const estimated = await estimateOfFlags(options);
    const {report, beside} = await reportOf(file, asked, estimated);
    const other = textOption(options['diff']);
    if (other === null) {
      context.write(memoryText(report, report.rows, null, asked.by, context.format, beside));
    } else {
      const {report: otherReport} = await reportOf(other, asked, null);
      const rows = rowDifference(report.rows, otherReport.rows);
      context.write(memoryText(report, rows, otherReport, asked.by, context.format, beside));
      tellNotes(otherReport, `${basename(other)}: `);
    }
    tellNotes(report, '');

    function tellNotes({notes}: MemoryReport, prefix: string): void {
      if (context.format === 'json') return;
      for (const {text} of notes) context.tellNote(`${prefix}${text}`);
    }
  },
};

type Asked = Omit<MemoryQuestion, 'device'> & {readonly device: number | null};

/** @throws TraceError; UsageError for a device or an event that the snapshot does not have */
async function reportOf(
  file: string,
  {at, by, device}: Asked,
  estimated: TrainingMemory | null,
): Promise<{readonly report: MemoryReport; readonly beside: EstimateBeside | null}> {
  const snapshot = await loadSnapshot(file);
  const devices = snapshotDevices(snapshot);
  const [first] = [...devices.filter(number => (snapshot.events[number]?.length ?? 0) > 0), ...devices];
  if (first === undefined) {
    throw new TraceError('import/no-events', `${basename(file)} holds no memory and no history.`);
  }
  if (device !== null && !devices.includes(device)) {
    throw new UsageError(`${basename(file)} has no device ${String(device)}; it has ${devices.join(', ')}.`);
  }
  const number = device ?? first;
  const report = memoryReport(snapshot, {at, by, device: number});
  if (!report) throw noSuchEvent(file, number, at, snapshot.events[number]?.length ?? 0);
  return {report, beside: estimated && besideOf(estimated, snapshot, report)};
}

function besideOf(estimated: TrainingMemory, snapshot: MemorySnapshot, {at, device}: MemoryReport): EstimateBeside {
  const moment = at.event === null ? 0 : at.event + 1;
  return estimateBeside(estimated, categoryBytes(snapshot, replayDevice(snapshot, device), moment));
}

function noSuchEvent(file: string, device: number, at: number | 'peak', count: number): UsageError {
  const range = count === 0 ? 'no events' : `events 0 to ${String(count - 1)}`;
  return new UsageError(`${basename(file)} has no event ${String(at)}: device ${String(device)} has ${range}.`);
}

function atOption(options: OptionValues): number | 'peak' {
  const {at} = options;
  return at === undefined || at === 'peak' ? 'peak' : (numberOption('at', at, ' or peak') ?? 'peak');
}

/** @throws UsageError for anything but a whole number from 0 */
function numberOption(name: string, value: string | boolean | undefined, also = ''): number | null {
  if (value === undefined) return null;
  if (typeof value === 'string' && /^\d{1,15}$/.test(value)) return Number(value);
  throw new UsageError(`--${name} takes a whole number from 0${also}; not "${String(value)}".`);
}
