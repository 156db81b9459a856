import {readFile, stat} from 'node:fs/promises';
import {basename, dirname, join} from 'node:path';
import {TraceError} from '../core/base/errors.js';
import {graphReplays} from '../core/replays/graph-replays.js';
import {parseSidecar, sidecarPath} from '../core/source/sidecar.js';
import {noteOf} from '../core/trace/trace-note.js';
import type {Trace} from '../core/trace/trace.js';
import {fileStamp} from './files/file-identity.js';
import type {ImportOptions} from './reading/importer.js';
import {withCapture} from './with-capture.js';

/** A larger file is not the recorder's. */
const longestSidecarBytes = 16 << 20;

/**
 * Returns a trace whose graph replays have what its recorder saw captured, in the profile that the sidecar names; the
 * trace as it is if none is named. A capture that cannot be used becomes a note.
 *
 * @param read opens a profile
 * @throws TraceError `import/cancelled`
 */
export async function withRecordedCapture(
  path: string,
  trace: Trace,
  options: ImportOptions,
  read: (path: string, options: ImportOptions) => Promise<Trace>,
): Promise<Trace> {
  const capture = options.withoutCapture ? null : await captureNamedBy(path);
  // Few profiles name a capture; replays are looked for in those alone.
  if (capture === null || graphReplays(trace, null).length === 0) return trace;
  const {signal, unpackedLimit, memoryLimit} = options;
  try {
    const captured = await read(capture, {signal, unpackedLimit, memoryLimit, withoutCapture: true});
    return await withCapture({path, trace}, {path: capture, trace: captured}, {signal});
  } catch (error) {
    if (!(error instanceof TraceError) || error.code === 'import/cancelled') throw error;
    const note = noteOf(
      'run/capture-unused',
      'The work that graphs replayed has no operators, modules or lines: {0}',
      error.message,
    );
    return {...trace, notes: [...trace.notes, note]};
  }
}

/** Returns what tells whether the capture that was recorded with a profile has changed; empty if there is none. */
export async function recordedCaptureStamp(path: string): Promise<string> {
  const capture = await captureNamedBy(path);
  return capture === null ? '' : fileStamp(capture).catch(() => 'missing');
}

/** Returns the profile that a sidecar names, which lies beside its own; null if there is no such name. */
async function captureNamedBy(path: string): Promise<string | null> {
  const name = parseSidecar(await readText(sidecarPath(path)))?.capture ?? null;
  const isBeside = name !== null && name === basename(name) && name.includes('.json');
  return isBeside ? join(dirname(path), name) : null;
}

/** Returns the text of a file; an empty one if it is no file, cannot be read, or is too long. */
async function readText(path: string): Promise<string> {
  const found = await stat(path).catch(() => null);
  if (!found?.isFile() || found.size > longestSidecarBytes) return '';
  return readFile(path, 'utf8').catch(() => '');
}
