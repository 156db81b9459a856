import {basename} from 'node:path';
import type {ParseArgsOptionsConfig} from 'node:util';
import {TraceError} from '../core/base/errors.js';
import {rangePasses, type Selection} from '../core/scope/selection.js';
import {isText} from '../core/trace/text-table.js';
import type {Trace} from '../core/trace/trace.js';
import {captureOption, captureUsage} from './capture-option.js';
import {oneOf, UsageError} from './command.js';

/** The options that select a part of a profile, and `--capture`, which names the capture of its graphs. */
export const selectionOptions = {
  from: {type: 'string'},
  to: {type: 'string'},
  'filter-nvtx': {type: 'string'},
  step: {type: 'string'},
  process: {type: 'string'},
  device: {type: 'string'},
  stream: {type: 'string'},
  ...captureOption,
} as const satisfies ParseArgsOptionsConfig;

export const selectionUsage =
  '[--from NS] [--to NS] [--filter-nvtx RANGE[@DOMAIN][/INDEX]] [--step N] [--process PID] [--device N] [--stream N] ' +
  captureUsage;

/** Returns the selection of a command's options; empty without any. @throws UsageError */
export function selectionOf(options: Readonly<Record<string, string | boolean | undefined>>): Selection {
  const {'filter-nvtx': range, process} = options;
  const selection: Selection = {
    ...number('from', 'fromNs'),
    ...number('to', 'toNs'),
    ...(typeof range === 'string' ? {range} : {}),
    ...number('step', 'step'),
    ...(typeof process === 'string' ? {process} : {}),
    ...number('device', 'device'),
    ...number('stream', 'stream'),
  };
  const {fromNs = -Infinity, toNs = Infinity} = selection;
  if (fromNs >= toNs) throw new UsageError('--from must be less than --to: a window has its end after its start.');
  return selection;

  function number<K extends keyof Selection>(option: string, member: K): Partial<Record<K, number>> {
    const text = options[option];
    if (typeof text !== 'string') return {};
    if (!/^\d+$/.test(text)) throw new UsageError(`--${option} takes a whole number, not "${text}".`);
    return {[member]: Number(text)} as Partial<Record<K, number>>;
  }
}

/** Refuses a text, which has no events. @param what of events the command shows @throws UsageError */
export function refuseText(trace: Trace, file: string, what: string): void {
  if (!isText(trace)) return;
  throw new UsageError(`${basename(file)} is a text with tables, which have no ${what}: gpu-lens stats prints them.`);
}

/** Refuses to select of a text: its tables were printed as they are. @throws UsageError */
export function refuseSelectionOfText(trace: Trace, selection: Selection): void {
  if (!isText(trace) || Object.keys(selection).length === 0) return;
  throw new UsageError(
    'Tables of a text are as they were printed: nothing of them can be selected but with -r of stats.',
  );
}

/** The option that tells forward from backward work; a flame graph has one of its own. */
export const passOption = {pass: {type: 'string'}} as const satisfies ParseArgsOptionsConfig;
export const passUsage = `[--pass ${rangePasses.join('|')}]`;

/** Returns the same, with the pass of `--pass`. @throws UsageError */
export function selectionWithPass(options: Readonly<Record<string, string | boolean | undefined>>): Selection {
  const {pass} = options;
  if (pass === undefined) return selectionOf(options);
  return {...selectionOf(options), pass: oneOf('pass', pass, rangePasses, 'forward')};
}

/** Refuses a text that is no process of the profile. Ids of processes are texts in a few files. @throws UsageError */
export function requireProcessOf({processes}: Trace, {process}: Selection): void {
  if (process === undefined || /^\d+$/.test(process) || processes.some(({pid}) => pid === process)) return;
  throw new UsageError(`--process takes a whole number, not "${process}".`);
}

/**
 * Refuses what is no process, as `requireProcessOf` does, and a device or a stream that is not in the profile, and lists those that are.
 *
 * @throws TraceError `selection/no-match`; UsageError
 */
export function requireOriginOf(trace: Trace, selection: Selection): void {
  requireProcessOf(trace, selection);
  const {devices, gpuOperations, instants} = trace;
  const {device, stream} = selection;
  const known = new Set([...devices.map(({id}) => id), ...gpuOperations.device, ...instants.device]);
  known.delete(-1);
  if (device !== undefined && !known.has(device)) throw noMatch(`device ${String(device)}`, 'device', known);
  if (stream === undefined) return;
  const isThere = (operation: number) => device === undefined || gpuOperations.device[operation] === device;
  const streams = new Set(gpuOperations.stream.filter((_, operation) => isThere(operation)));
  const where = device === undefined ? '' : ` on device ${String(device)}`;
  if (!streams.has(stream)) throw noMatch(`stream ${String(stream)}${where}`, 'stream', streams);
}

/** More than so many are not listed. */
const mostListed = 32;

function noMatch(asked: string, kind: string, known: ReadonlySet<number>): TraceError {
  const numbers = [...known].sort((a, b) => a - b).map(String);
  const list = numbers.slice(0, mostListed).join(', ') + (numbers.length > mostListed ? ' and more' : '');
  const has = numbers.length === 0 ? `no GPU ${kind}s at all` : `${kind} ${list}`;
  return new TraceError('selection/no-match', `This profile has nothing on ${asked}; it has ${has}.`);
}
