import {execFileSync} from 'node:child_process';
import {readdirSync, readFileSync, utimesSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {gzipSync} from 'node:zlib';
import {describe, expect, it, onTestFinished, vi} from 'vitest';
import {sliceKinds} from '../../src/core/trace/slices.js';
import {traceTables} from '../../src/core/trace/trace-tables.js';
import {trackKinds} from '../../src/core/trace/trace.js';
import {modelDescription} from '../../src/importers/cache/trace-head.js';
import {TraceCache, type OpenedTrace} from '../../src/importers/trace-cache.js';
import {openTrace} from '../../src/importers/open-trace.js';
import {partialOfEndedProcess} from '../support/ended-process.js';
import {kineto, kinetoText} from '../support/kineto-events.js';
import {temporaryFolder} from '../support/project.js';
import {itEachFile} from '../support/each-file.js';
import {dataFiles} from '../support/real-data.js';
import {expectSameAnswers, expectSameTrace} from '../support/same-trace.js';

const root = temporaryFolder();
let folders = 0;
const never = new AbortController().signal;

function newCache(
  program = 'one',
  limitBytes = 1e9,
  folder = join(root, String(folders++)),
): {folder: string; cache: TraceCache} {
  return {folder, cache: new TraceCache({folder, limitBytes}, program)};
}

function writeProfile(
  name: string,
  events: readonly object[] = [kineto.range('a', 0, 9), kineto.op('aten::mm', 1, 2)],
): string {
  const path = join(root, name);
  writeFileSync(path, kinetoText(events));
  return path;
}

async function openAndKeep(cache: TraceCache, path: string): Promise<OpenedTrace> {
  const opened = await cache.open(path);
  expect(await cache.keep(path, opened, {}, never)).toBe(true);
  return opened;
}

describe('TraceCache', () => {
  const files = [...dataFiles('kineto', '.json.gz'), ...dataFiles('nsys', '.sqlite')];
  itEachFile(files)('open(path) gives back what was imported, and the same answers: $name', async ({path}) => {
    const {cache} = newCache();
    const imported = await openTrace(path);
    await openAndKeep(cache, path);
    const {trace, isFromCache} = await cache.open(path);
    expect(isFromCache).toBe(true);
    expectSameTrace(trace, imported);
    expectSameAnswers(trace, imported);
  });

  it('open(path) gives back texts of every width, and halves of surrogate pairs', async () => {
    const {cache} = newCache();
    const names = ['ascii', 'Größe', '测试', '🔥', '\ud83d alone', '\udd25', '', 'a\u0000b'];
    const path = writeProfile(
      'texts.json',
      names.map((name, at) => kineto.range(name, at, 1)),
    );
    const {trace: imported} = await openAndKeep(cache, path);
    const {trace} = await cache.open(path);
    expectSameTrace(trace, imported);
    for (const name of names) expect(trace.strings.find(name)).toBe(imported.strings.find(name));
    expect(trace.strings.find('other')).toBe(-1);
    expect([trace.strings.get(-1), trace.strings.get(1e9), trace.strings.get(0.5)]).toEqual(['', '', '']);
    expect(trace.strings.intern('other')).toBe(imported.strings.length);
  });

  it('open(path) imports again a file that has changed, though its size is the same', async () => {
    const {cache} = newCache();
    const path = writeProfile('changing.json', [kineto.range('before', 0, 9)]);
    await openAndKeep(cache, path);
    writeProfile('changing.json', [kineto.range('behind', 0, 9)]);
    utimesSync(path, 5, 5);
    const first = await cache.open(path);
    expect(first).toMatchObject({isFromCache: false});
    await cache.keep(path, first, {}, never);
    writeProfile('changing.json', [kineto.range('beyond', 0, 9)]);
    utimesSync(path, 5, 5);
    // Of the same size and time: the samples tell.
    const {trace, isFromCache} = await cache.open(path);
    expect(isFromCache).toBe(false);
    expect(trace.strings.find('beyond')).toBeGreaterThan(0);
  });

  it('open(path) imports again what another version of the program kept, or what other options chose', async () => {
    const {cache, folder} = newCache('one');
    const path = writeProfile('version.json');
    await openAndKeep(cache, path);
    expect(await newCache('two', 1e9, folder).cache.open(path)).toMatchObject({isFromCache: false});
    expect(await cache.open(path, {limit: 5} as object)).toMatchObject({isFromCache: false});
    expect(await cache.open(path, {onProgress: () => undefined})).toMatchObject({isFromCache: true});
  });

  it('open(path) imports again when the model has changed: its description names every column and kind', () => {
    const names = [
      ...Object.values(traceTables).flatMap(({schema}) => Object.keys(schema)),
      ...sliceKinds,
      ...trackKinds,
    ];
    for (const name of names) expect(modelDescription).toContain(`"${name}"`);
  });

  it('open(path) reports the importer’s error for a file that is none', async () => {
    const {cache} = newCache();
    await expect(cache.open(join(root, 'none.json'))).rejects.toMatchObject({code: 'file/missing'});
    await expect(cache.open(root)).rejects.toMatchObject({code: 'file/directory'});
  });

  it.skipIf(process.platform === 'win32')('open(path) does not wait for a pipe (skipped on Windows)', async () => {
    const path = join(root, 'pipe.json');
    execFileSync('mkfifo', [path]);
    await expect(newCache().cache.open(path)).rejects.toMatchObject({code: 'file/unreadable'});
  });

  it('open(path, options) can be cancelled while it reads from the cache', async () => {
    const {cache} = newCache();
    const path = writeProfile('cancelled.json');
    await openAndKeep(cache, path);
    await expect(cache.open(path, {signal: AbortSignal.abort()})).rejects.toMatchObject({code: 'import/cancelled'});
  });

  it.each([
    [300, false],
    [301, true],
  ])('open(path) of a small file that takes %i ms: worth keeping = %s', async (tookMs, isWorthKeeping) => {
    const {cache} = newCache();
    // How long it really takes depends on what else the machine does.
    vi.spyOn(performance, 'now').mockReturnValueOnce(0).mockReturnValueOnce(tookMs);
    onTestFinished(() => void vi.restoreAllMocks());
    expect(await cache.open(writeProfile('small.json'))).toMatchObject({isWorthKeeping});
  });

  it('keep(…) keeps nothing of a file that has changed meanwhile, or where it cannot write', async () => {
    const {cache, folder} = newCache();
    const path = writeProfile('live.json');
    const opened = await cache.open(path);
    writeProfile('live.json', [kineto.range('more', 0, 1)]);
    expect(await cache.keep(path, opened, {}, never)).toBe(false);
    writeFileSync(folder, 'a file where the folder should be');
    const again = await cache.open(path);
    expect(await cache.keep(path, again, {}, never)).toBe(false);
  });

  it('keep(…) leaves nothing behind when it is stopped', async () => {
    const {cache, folder} = newCache();
    const path = writeProfile('stopped.json');
    const opened = await cache.open(path);
    expect(await cache.keep(path, opened, {}, AbortSignal.abort())).toBe(false);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('keep(…) by several at once leaves one whole file', async () => {
    const {cache, folder} = newCache();
    const path = writeProfile(
      'shared.json',
      Array.from({length: 5000}, (_, i) => kineto.op(`op ${String(i)}`, i, 1)),
    );
    const opened = await cache.open(path);
    const kept = await Promise.all(
      Array.from({length: 4}, () => newCache('one', 1e9, folder).cache.keep(path, opened, {}, never)),
    );
    expect(kept).toEqual([true, true, true, true]);
    expect(readdirSync(folder)).toHaveLength(1);
    const {trace, isFromCache} = await cache.open(path);
    expect(isFromCache).toBe(true);
    expectSameTrace(trace, opened.trace);
  });

  it('keep(…) removes what was used longest ago where the limit is passed, and what was abandoned', async () => {
    const {cache, folder} = newCache();
    const [first, second] = [writeProfile('first.json'), writeProfile('second.json', [kineto.range('b', 0, 1)])];
    await openAndKeep(cache, first);
    const [firstName = ''] = readdirSync(folder);
    const bytes = readFileSync(join(folder, firstName)).length;
    await openAndKeep(cache, second);
    for (const name of readdirSync(folder)) utimesSync(join(folder, name), 10, name === firstName ? 20 : 10);
    writeFileSync(join(folder, 'x.trace.1.partial'), 'abandoned');
    utimesSync(join(folder, 'x.trace.1.partial'), 10, 10);
    writeFileSync(partialOfEndedProcess(join(folder, 'y.trace')), 'of a process that was killed just now');
    // Used now, so the second is the one to go.
    expect(await cache.open(first)).toMatchObject({isFromCache: true});
    const third = writeProfile('third.json', [kineto.range('c', 0, 1)]);
    await openAndKeep(newCache('one', bytes * 2.5, folder).cache, third);
    expect(readdirSync(folder)).toHaveLength(2);
    const isKept = async (path: string) => (await cache.open(path)).isFromCache;
    expect([await isKept(first), await isKept(second), await isKept(third)]).toEqual([true, false, true]);
  });

  it('keeps nothing where the limit is zero', async () => {
    const {cache} = newCache('one', 0);
    const path = writeProfile('off.json');
    expect(await cache.keep(path, await cache.open(path), {}, never)).toBe(false);
  });

  it('open(path) of a compressed file comes from the cache too', async () => {
    const {cache} = newCache();
    const path = join(root, 'packed.json.gz');
    writeFileSync(path, gzipSync(kinetoText([kineto.range('packed', 0, 1)])));
    await openAndKeep(cache, path);
    expect(await cache.open(path)).toMatchObject({isFromCache: true});
  });
});
