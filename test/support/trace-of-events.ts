import {mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {Trace} from '../../src/core/trace/trace.js';
import {openTrace} from '../../src/importers/open-trace.js';
import {kinetoText} from './kineto-events.js';

/** Returns the trace of a Kineto file with these events. */
export async function traceOfEvents(events: readonly object[], members: object = {}): Promise<Trace> {
  return ofEvents(events, members, openTrace);
}

/** Returns what `make` makes of a Kineto file with these events; the file is then removed. */
export async function ofEvents<T>(
  events: readonly object[],
  members: object,
  make: (path: string) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'gpu-lens-events-'));
  const path = join(folder, 'hand.pt.trace.json');
  await writeFile(path, kinetoText(events, members));
  return make(path).finally(() => rm(folder, {recursive: true}));
}
