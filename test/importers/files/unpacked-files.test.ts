import {readdirSync, readFileSync, renameSync, truncateSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {gzipSync, zstdCompressSync} from 'node:zlib';
import {describe, expect, it} from 'vitest';
import type {Trace} from '../../../src/core/trace/trace.js';
import {fileStamp} from '../../../src/importers/files/file-identity.js';
import {UnpackedFiles} from '../../../src/importers/files/unpacked-files.js';
import {readFileHead} from '../../../src/importers/reading/file-head.js';
import {openTrace} from '../../../src/importers/open-trace.js';
import {readSliceArguments, type OpenedFile} from '../../../src/importers/slice-arguments.js';
import {kineto, kinetoText} from '../../support/kineto-events.js';
import {temporaryFolder} from '../../support/project.js';
import {seededRandom} from '../../support/random.js';

const root = temporaryFolder();
const random = seededRandom(5);
/** Noise, so that the file is large though compressed. */
const noise = () => Array.from({length: 40}, () => random().toString(36).slice(2)).join('');
const count = 12_000;
const text = kinetoText(Array.from({length: count}, (_, i) => kineto.op('op', i, 1, {index: i, noise: noise()})));
let folders = 0;

function newFolder(limitBytes = 1e9): {folder: string; unpacked: UnpackedFiles} {
  const folder = join(root, String(folders++));
  return {folder, unpacked: new UnpackedFiles({folder, limitBytes})};
}

async function write(
  name: string,
  content: Uint8Array,
  life = new AbortController().signal,
): Promise<{file: OpenedFile; trace: Trace}> {
  const path = join(root, name);
  writeFileSync(path, content);
  return {file: {path, stamp: await fileStamp(path), life}, trace: await openTrace(path)};
}

const packed = await write('packed.json.gz', gzipSync(text, {level: 1}));

async function indexAt(slice: number, unpacked: UnpackedFiles, signal?: AbortSignal): Promise<string | undefined> {
  const args = await readSliceArguments(packed.file, packed.trace, slice, {unpacked, signal});
  return args.find(({name}) => name === 'index')?.value;
}

async function finished(folder: string): Promise<string[]> {
  await expect.poll(() => readdirSync(folder).map(name => name.split('.')[1])).toEqual(['unpacked']);
  return readdirSync(folder);
}

describe('UnpackedFiles', () => {
  it('answers from a file on its way, and from the whole one', async () => {
    const {folder, unpacked} = newFolder();
    // Asked at once, they wait for one unpacking.
    const slices = [0, 1, 6000, count - 1];
    expect(await Promise.all(slices.map(slice => indexAt(slice, unpacked)))).toEqual(slices.map(String));
    const [name = ''] = await finished(folder);
    expect(readFileSync(join(folder, name), 'utf8') === text).toBe(true);
    expect(await indexAt(count - 1, unpacked)).toBe(String(count - 1));
    expect(await finished(folder)).toEqual([name]);
  });

  it('takes a file of several zstd parts, and one that was cut off, as far as it goes', async () => {
    const half = text.length >> 1;
    const parts = [text.slice(0, half), text.slice(half)].map(part => zstdCompressSync(part));
    const whole = await write('parts.json.zst', Buffer.concat(parts));
    const cut = await write('cut.json.gz', gzipSync(text, {level: 1}).subarray(0, 3_000_000));
    for (const {file, trace} of [whole, cut]) {
      const {unpacked} = newFolder();
      const last = trace.slices.length - 1;
      for (const slice of [last, 5, last]) {
        const args = await readSliceArguments(file, trace, slice, {unpacked});
        expect(args[0]).toEqual({name: 'index', value: String(slice)});
      }
    }
  });

  it('lets a question be cancelled, and goes on unpacking for the next', async () => {
    const {folder, unpacked} = newFolder();
    const click = new AbortController();
    const asked = indexAt(count - 1, unpacked, click.signal);
    click.abort();
    await expect(asked).rejects.toMatchObject({code: 'import/cancelled'});
    expect(await indexAt(count - 1, unpacked)).toBe(String(count - 1));
    await finished(folder);
  });

  it('unpacks anew each time where the folder cannot be written, or the file is too large for it', async () => {
    const {folder, unpacked} = newFolder();
    writeFileSync(folder, 'a file where the folder should be');
    expect(await indexAt(count - 1, unpacked)).toBe(String(count - 1));
    const small = newFolder(1e6);
    for (let i = 0; i < 2; i++) expect(await indexAt(count - 1, small.unpacked)).toBe(String(count - 1));
    expect(readdirSync(small.folder)).toEqual([]);
  });

  it('reads the file itself where what was unpacked is not what it should be', async () => {
    const {folder, unpacked} = newFolder();
    await indexAt(count - 1, unpacked);
    const [name = ''] = await finished(folder);
    truncateSync(join(folder, name), 1000);
    expect(await indexAt(count - 1, unpacked)).toBe(String(count - 1));
  });

  it('ends when the profile is closed', async () => {
    const {folder, unpacked} = newFolder();
    const closing = new AbortController();
    const head = await readFileHead(packed.file.path);
    const asked = unpacked.read({head, stamp: packed.file.stamp, life: closing.signal}, text.length - 100, 100);
    closing.abort();
    expect(await asked).toBeNull();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('is asked nothing of a file that has changed since', async () => {
    const {unpacked} = newFolder();
    const {file, trace} = await write('moved.json.gz', gzipSync(text, {level: 1}));
    await readSliceArguments(file, trace, 0, {unpacked});
    writeFileSync(file.path, gzipSync(kinetoText([kineto.op('op', 0, 1)])));
    await expect(readSliceArguments(file, trace, 0, {unpacked})).rejects.toMatchObject({code: 'file/changed'});
    renameSync(file.path, `${file.path}.moved`);
    await expect(readSliceArguments(file, trace, 0, {unpacked})).rejects.toMatchObject({code: 'file/missing'});
  });
});
