import {basename} from 'node:path';
import {TraceError} from '../core/base/errors.js';
import {formatCount} from '../core/format/count.js';
import {exportCommand} from '../core/trace/nsys-report.js';
import type {Trace} from '../core/trace/trace.js';
import {defaultUnpackedGB, unpackedLimit, type UnpackedLimit} from '../core/trace/unpacked-limit.js';
import {openTrace} from '../importers/open-trace.js';
import {withCapture} from '../importers/with-capture.js';
import {chosenCapture} from './capture-option.js';
import {UsageError} from './command.js';
import {exportReport, reportVersion} from '../launch/nsys/export-report.js';
import {environmentVariable} from './environment-variable.js';
import {tellLosses} from './losses.js';
import {memoryLimit} from './memory-option.js';
import {noNsysVariable, nsysHints, nsysLimitMs} from './nsys-environment.js';
import {hasProgressLine} from './talk.js';
import {untilStopped} from './until-stopped.js';
import {userCacheFolder} from './user-cache.js';

/** A profile that is open: its trace, and the file that the trace was read from (of a report, its export). */
export interface LoadedProfile {
  readonly path: string;
  readonly trace: Trace;
}

/** As `loadProfile`, but returns only the trace. @throws TraceError */
export async function loadTrace(path: string): Promise<Trace> {
  return (await loadProfile(path)).trace;
}

/** A readable file, with the context for reading it. */
export interface ReadableProfile {
  /** The file itself, or the export of a report. */
  readonly path: string;
  readonly unpackedLimit: UnpackedLimit;
  /** Aborts when the user ends the command. */
  readonly signal: AbortSignal;
  /** Shows the progress of reading, if standard error is a terminal. */
  readonly tell: (text: string) => void;
}

/**
 * Imports a file, a report by way of `nsys export`, with progress on standard error where that is a terminal. If
 * `--capture` names a profile, replays of graphs have what is captured there.
 *
 * @throws TraceError; UsageError
 */
export async function loadProfile(path: string): Promise<LoadedProfile> {
  const profile = await importProfile(path);
  const capture = chosenCapture();
  if (capture === null) return profile;
  const source = capture === path ? profile : await importProfile(capture);
  return {path: profile.path, trace: await untilStopped(signal => withCapture(profile, source, {signal}))};
}

async function importProfile(path: string): Promise<LoadedProfile> {
  const profile = await readableProfile(path, async ({path: readable, unpackedLimit: limit, signal, tell}) => {
    const trace = await openTrace(readable, {
      signal,
      unpackedLimit: limit,
      memoryLimit: memoryLimit(),
      withoutCapture: chosenCapture() !== null,
      onProgress: ({bytes, totalBytes, events}) => {
        tell(`Reading ${percentText(bytes / totalBytes)}, ${formatCount(events)} events`);
      },
    });
    return {path: readable, trace};
  });
  tellLosses(path, profile.trace);
  return profile;
}

/**
 * Returns the result of `read` for a file, or for a report's export. Its progress is removed from the terminal
 * afterwards.
 *
 * @throws TraceError; UsageError; whatever `read` throws
 */
export async function readableProfile<T>(path: string, read: (profile: ReadableProfile) => Promise<T>): Promise<T> {
  const tell = (text: string): void => {
    if (hasProgressLine()) process.stderr.write(`\r${text}`);
  };
  try {
    return await untilStopped(async signal => {
      const readable = await readableFile(path, tell, signal);
      return read({path: readable, unpackedLimit: limitOfUnpacking(), signal, tell});
    });
  } finally {
    tell('\u001b[K');
  }
}

/**
 * Returns the file itself, or the export of a report, which is kept in the user's cache.
 *
 * @throws TraceError as `exportReport`; `launch/nsys-refused` where nsys must not run
 */
async function readableFile(path: string, tell: (text: string) => void, signal: AbortSignal): Promise<string> {
  const version = await reportVersion(path);
  if (version === null) return path;
  if (environmentVariable(noNsysVariable) !== null) {
    const name = basename(path);
    throw new TraceError(
      'launch/nsys-refused',
      `${name} is a report that only nsys can read, and nsys must not run here: run ${exportCommand(name)} and open the .sqlite file.`,
    );
  }
  return exportReport(path, version, {
    signal,
    nsys: nsysHints(),
    limitMs: nsysLimitMs(),
    cacheFolder: userCacheFolder('reports'),
    onProgress: fraction => {
      tell(`Exporting with nsys ${percentText(fraction)}`);
    },
  });
}

function percentText(fraction: number): string {
  return `${String(Math.floor(100 * fraction))} %`;
}

const unpackedVariable = 'GPU_LENS_MAXIMUM_UNPACKED_GB';

/** Returns the limit of an unpacked file. @throws UsageError */
export function limitOfUnpacking(): UnpackedLimit {
  return unpackedLimit(unpackedGB(), unpackedVariable);
}

/** @throws UsageError for anything but a positive number: a wrong limit must not mean no limit */
function unpackedGB(): number {
  const text = environmentVariable(unpackedVariable);
  const gigabytes = Number(text ?? defaultUnpackedGB);
  if (gigabytes > 0) return gigabytes;
  throw new UsageError(`${unpackedVariable} takes a number of GB; not "${text ?? ''}".`);
}
