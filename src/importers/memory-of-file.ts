import {basename} from 'node:path';
import {TraceError} from '../core/base/errors.js';
import {say} from '../core/base/say.js';
import type {MemorySnapshot} from '../core/memory-snapshot/memory-snapshot.js';
import {profileSnapshot} from '../core/memory-snapshot/profile-snapshot.js';
import type {KnownLine} from '../core/source/known-lines.js';
import type {Trace} from '../core/trace/trace.js';
import {looksLikeTimeline, readMemoryTimeline} from './memory-timeline/read-memory-timeline.js';
import {openTrace} from './open-trace.js';
import {looksLikePickle} from './pickle/looks-like-pickle.js';
import {readMemorySnapshot} from './pickle/read-memory-snapshot.js';
import {readFileHead} from './reading/file-head.js';
import type {ImportOptions} from './reading/importer.js';
import {loadReportDetails} from './report-details.js';

/** Additional inputs for a file that is a profile. */
export interface BesideProfile {
  /** Lines noted for it; none if absent. */
  readonly lines?: readonly KnownLine[];
  /** Opens the profile; `openTrace` if absent. */
  readonly open?: (path: string, options: ImportOptions) => Promise<Trace>;
}

/**
 * Returns whether a file contains only memory data: a snapshot of PyTorch's allocator, or a memory timeline. @throws
 * TraceError `file/…`
 */
export async function isMemoryFile(path: string): Promise<boolean> {
  const {head} = await readFileHead(path);
  return looksLikePickle(head) || looksLikeTimeline(head);
}

/** Reads such a file. @throws TraceError `file/…`, `import/…` */
export async function readMemoryFile(path: string, options: ImportOptions = {}): Promise<MemorySnapshot> {
  const {head} = await readFileHead(path);
  return looksLikeTimeline(head) ? readMemoryTimeline(path, options) : readMemorySnapshot(path, options);
}

/**
 * Returns the memory data of any file: for a profile, its memory events with the ranges around them.
 *
 * @throws TraceError `file/…`, `import/…`; `import/no-events` for a profile without such events
 */
export async function memoryOfFile(
  path: string,
  options: ImportOptions = {},
  {lines = [], open = openTrace}: BesideProfile = {},
): Promise<MemorySnapshot> {
  if (await isMemoryFile(path)) return readMemoryFile(path, options);
  const trace = await open(path, options);
  const {addresses} = await loadReportDetails(path, trace, new Set(['addresses']), options);
  const snapshot = profileSnapshot(trace, {addresses, lines});
  if (snapshot) return snapshot;
  throw new TraceError(
    'import/no-events',
    say(
      '{0} has no memory events. Record it with profile_memory=True, or nsys --cuda-memory-usage=true.',
      basename(path),
    ),
  );
}
