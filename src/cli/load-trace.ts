import {homedir} from 'node:os';
import {join} from 'node:path';
import {formatCount} from '../core/format/count.js';
import type {Trace} from '../core/trace/trace.js';
import {defaultUnpackedGB, unpackedLimit} from '../core/unpacked-limit.js';
import {openTrace} from '../importers/open-trace.js';
import {UsageError} from './command.js';
import {exportReport, reportVersion} from '../launch/export-report.js';

/** A profile that is open: its trace, and the file that the trace was read from (of a report, its export). */
export interface LoadedProfile {
  readonly path: string;
  readonly trace: Trace;
}

/** The trace alone of `loadProfile`. @throws TraceError */
export async function loadTrace(path: string): Promise<Trace> {
  return (await loadProfile(path)).trace;
}

/**
 * Imports a file, a report by way of `nsys export`, with progress on standard error where that is a terminal.
 *
 * @throws TraceError; UsageError
 */
export async function loadProfile(path: string): Promise<LoadedProfile> {
  const stop = new AbortController();
  const abort = () => {
    stop.abort();
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, abort);
  const tell = (text: string) => process.stderr.isTTY && process.stderr.write(`\r${text}`);
  try {
    const readable = await readableFile(path, tell, stop.signal);
    const trace = await openTrace(readable, {
      signal: stop.signal,
      unpackedLimit: unpackedLimit(unpackedGB(), unpackedVariable),
      onProgress: ({bytes, totalBytes, events}) => {
        tell(`Reading ${percentText(bytes / totalBytes)}, ${formatCount(events)} events`);
      },
    });
    return {path: readable, trace};
  } finally {
    tell('\u001b[K');
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, abort);
  }
}

/** The file itself, or the export of a report, which is kept in the user's cache. */
async function readableFile(path: string, tell: (text: string) => unknown, signal: AbortSignal): Promise<string> {
  const version = await reportVersion(path);
  if (version === null) return path;
  return exportReport(path, version, {
    signal,
    nsys: {setting: variable('GPU_LENS_NSYS'), settingName: 'GPU_LENS_NSYS'},
    cacheFolder: join(variable('XDG_CACHE_HOME') ?? join(homedir(), '.cache'), 'gpu-lens', 'reports'),
    onProgress: fraction => tell(`Exporting with nsys ${percentText(fraction)}`),
  });
}

function percentText(fraction: number): string {
  return `${String(Math.floor(100 * fraction))} %`;
}

const unpackedVariable = 'GPU_LENS_MAXIMUM_UNPACKED_GB';

/** @throws UsageError for anything but a positive number: a limit that is not understood must not be none */
function unpackedGB(): number {
  const text = variable(unpackedVariable);
  const gigabytes = Number(text ?? defaultUnpackedGB);
  if (gigabytes > 0) return gigabytes;
  throw new UsageError(`${unpackedVariable} takes a number of GB; not "${text ?? ''}".`);
}

/** An environment variable; an empty one counts as not set. */
function variable(name: string): string | null {
  const value = process.env[name];
  return value === undefined || value === '' ? null : value;
}
