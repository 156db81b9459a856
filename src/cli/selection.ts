import type {ParseArgsOptionsConfig} from 'node:util';
import {rangePasses, type Selection} from '../core/queries/selection.js';
import type {Trace} from '../core/trace/trace.js';
import {oneOf, UsageError} from './command.js';

/** The options that say what part of a profile a command is about. */
export const selectionOptions = {
  from: {type: 'string'},
  to: {type: 'string'},
  'filter-nvtx': {type: 'string'},
  step: {type: 'string'},
  process: {type: 'string'},
  device: {type: 'string'},
  stream: {type: 'string'},
} as const satisfies ParseArgsOptionsConfig;

export const selectionUsage =
  '[--from NS] [--to NS] [--filter-nvtx RANGE[@DOMAIN][/INDEX]] [--step N] [--process PID] [--device N] [--stream N]';

/** The selection that the options of a command name; empty without any. @throws UsageError */
export function selectionOf(options: Readonly<Record<string, string | boolean | undefined>>): Selection {
  const {'filter-nvtx': range, process} = options;
  return {
    ...number('from', 'fromNs'),
    ...number('to', 'toNs'),
    ...(typeof range === 'string' ? {range} : {}),
    ...number('step', 'step'),
    ...(typeof process === 'string' ? {process} : {}),
    ...number('device', 'device'),
    ...number('stream', 'stream'),
  };

  function number<K extends keyof Selection>(option: string, member: K): Partial<Record<K, number>> {
    const text = options[option];
    if (typeof text !== 'string') return {};
    if (!/^\d+$/.test(text)) throw new UsageError(`--${option} takes a whole number, not "${text}".`);
    return {[member]: Number(text)} as Partial<Record<K, number>>;
  }
}

/** Refuses to select of a text: its tables were printed as they are. @throws UsageError */
export function refuseSelectionOfText(trace: Trace, selection: Selection): void {
  if (trace.meta.format !== 'text' || Object.keys(selection).length === 0) return;
  throw new UsageError(
    'Tables of a text are as they were printed: nothing of them can be selected but with -r of stats.',
  );
}

/** The option that tells forward from backward work; a flame graph has one of its own. */
export const passOption = {pass: {type: 'string'}} as const satisfies ParseArgsOptionsConfig;
export const passUsage = `[--pass ${rangePasses.join('|')}]`;

/** The same with the pass that `--pass` names. @throws UsageError */
export function selectionWithPass(options: Readonly<Record<string, string | boolean | undefined>>): Selection {
  const {pass} = options;
  if (pass === undefined) return selectionOf(options);
  return {...selectionOf(options), pass: oneOf('pass', pass, rangePasses, 'forward')};
}
