import {existsSync, readdirSync, renameSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {traceBytes} from '../../src/core/trace/derived.js';
import type {Trace} from '../../src/core/trace/trace.js';
import {OpenProfiles} from '../../src/engine/open-profiles.js';
import {memoryLimitBytes} from '../../src/importers/reading/memory-limit.js';
import {attributionOf} from '../../src/core/scope/attribution-of.js';
import type {EngineSettings} from '../../src/protocol/engine-messages.js';
import {kineto, kinetoText} from '../support/kineto-events.js';
import {temporaryFolder} from '../support/project.js';
import {expectSameTrace} from '../support/same-trace.js';

const root = temporaryFolder();
let folders = 0;

function newProfiles(memoryLimit: number | null, cache: EngineSettings['cache'] = null): OpenProfiles {
  return new OpenProfiles({memoryLimitBytes: memoryLimit, cache}, 'test', []);
}

function writeProfile(name: string, slices = 2000): string {
  const path = join(root, name);
  writeFileSync(
    path,
    kinetoText(Array.from({length: slices}, (_, i) => kineto.range(`${name} ${String(i % 9)}`, i, 1))),
  );
  return path;
}

/** What is not held any more is read anew, so it is another object. */
async function isHeld(profiles: OpenProfiles, id: number, trace: Trace): Promise<boolean> {
  return (await profiles.trace(id)) === trace;
}

describe('OpenProfiles', () => {
  it('drops the trace used longest ago where the limit is passed, and reads it again when it is asked for', async () => {
    const probe = await newProfiles(null).open(writeProfile('a.json'), {});
    const profiles = newProfiles(traceBytes(probe.trace) * 2.5);
    const a = await profiles.open(writeProfile('a.json'), {});
    const b = await profiles.open(writeProfile('b.json'), {});
    expect(await isHeld(profiles, a.id, a.trace)).toBe(true);
    const c = await profiles.open(writeProfile('c.json'), {});
    expect(await isHeld(profiles, a.id, a.trace)).toBe(true);
    expect(await isHeld(profiles, c.id, c.trace)).toBe(true);
    const again = await profiles.trace(b.id);
    expect(again).not.toBe(b.trace);
    expectSameTrace(again, b.trace);
    expect(await isHeld(profiles, c.id, c.trace)).toBe(true);
    expect(await isHeld(profiles, a.id, a.trace)).toBe(false);
  });

  it('keeps the trace in use, however large it is, and counts what was computed from it', async () => {
    const profiles = newProfiles(1);
    const {id, trace} = await profiles.open(writeProfile('a.json'), {});
    const bytes = traceBytes(trace);
    // Start, duration, source, kind; names and tracks are few.
    expect(bytes).toBeGreaterThan(2000 * (8 + 4 + 4 + 1 + 1 + 1));
    attributionOf(trace);
    expect(traceBytes(trace)).toBeGreaterThan(bytes);
    expect(await isHeld(profiles, id, trace)).toBe(true);
    profiles.configure({memoryLimitBytes: 0, cache: null});
    expect(await isHeld(profiles, id, trace)).toBe(true);
  });

  it('reads a dropped trace once, however many ask at the same time', async () => {
    const profiles = newProfiles(1);
    const {id} = await profiles.open(writeProfile('a.json'), {});
    await profiles.open(writeProfile('b.json'), {});
    const [one, two] = await Promise.all([profiles.trace(id), profiles.trace(id)]);
    expect(one).toBe(two);
  });

  it('says so where the file of a dropped trace has changed or is gone', async () => {
    const profiles = newProfiles(1);
    const path = writeProfile('changes.json');
    const {id, trace} = await profiles.open(path, {});
    await profiles.open(writeProfile('b.json'), {});
    renameSync(path, `${path}.moved`);
    await expect(profiles.trace(id)).rejects.toMatchObject({
      code: 'file/missing',
      message: 'changes.json was moved or deleted and is no longer in memory, so it cannot be shown.',
    });
    renameSync(`${path}.moved`, path);
    expectSameTrace(await profiles.trace(id), trace);
    await profiles.trace(2);
    writeProfile('changes.json', 3000);
    await expect(profiles.trace(id)).rejects.toMatchObject({
      code: 'file/changed',
      message: 'changes.json has changed since it was opened. Open it again.',
    });
  });

  it('forgets what is closed, also while it is read again', async () => {
    const profiles = newProfiles(1);
    const {id} = await profiles.open(writeProfile('a.json'), {});
    await profiles.open(writeProfile('b.json'), {});
    const asked = profiles.trace(id);
    profiles.close(id);
    await expect(asked).rejects.toMatchObject({code: 'import/cancelled'});
    await expect(profiles.trace(id)).rejects.toMatchObject({code: 'profile/not-open'});
  });

  it('keeps what takes long to import on the disk, from which another engine opens it', async () => {
    const cache = {folder: join(root, String(folders++)), limitBytes: 1e9};
    const path = writeProfile('large.json', 200_000);
    const first = newProfiles(null, cache);
    const {id, trace} = await first.open(path, {});
    await expect.poll(() => kept(cache.folder)).toEqual(['trace']);
    first.close(id);
    const progress: number[] = [];
    const second = await newProfiles(null, cache).open(path, {onProgress: ({events}) => progress.push(events)});
    // Only an import counts events.
    expect(Math.max(...progress)).toBe(0);
    expectSameTrace(second.trace, trace);
  });

  it('leaves nothing half-written where a profile is closed while it is kept', async () => {
    const cache = {folder: join(root, String(folders++)), limitBytes: 1e9};
    const profiles = newProfiles(null, cache);
    const {id} = await profiles.open(writeProfile('closed.json', 200_000), {});
    await expect.poll(() => existsSync(cache.folder), {interval: 1}).toBe(true);
    profiles.close(id);
    await expect.poll(() => kept(cache.folder).filter(name => name === 'partial')).toEqual([]);
  });
});

function kept(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder).map(name => name.split('.').at(-1) ?? '') : [];
}

describe('memoryLimitBytes(chosen)', () => {
  it('is what was chosen, else a third of the memory of the machine', () => {
    expect(memoryLimitBytes(5)).toBe(5);
    expect(memoryLimitBytes(null)).toBeGreaterThan(100e6);
    expect(Number.isFinite(memoryLimitBytes(null))).toBe(true);
  });
});
