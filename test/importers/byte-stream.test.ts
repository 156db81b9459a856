import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {gzipSync, zstdCompressSync} from 'node:zlib';
import {describe, expect, it} from 'vitest';
import {streamBytes, type ByteStreamOptions} from '../../src/importers/byte-stream.js';
import {readFileHead} from '../../src/importers/file-head.js';
import {openTrace} from '../../src/importers/open-trace.js';
import {kineto, kinetoText} from '../support/kineto-events.js';
import {temporaryFolder} from '../support/project.js';

const folder = temporaryFolder();
const pack = {gzip: gzipSync, zstd: zstdCompressSync};
const packings = ['gzip', 'zstd'] as const;

/** What `streamBytes` hands over of a file with this content, and the code of its note. */
async function unpack(content: Uint8Array, options: ByteStreamOptions = {}): Promise<[text: string, code: unknown]> {
  const path = join(folder, 'file');
  writeFileSync(path, content);
  const parts: Buffer[] = [];
  const loss = await streamBytes(await readFileHead(path), chunk => parts.push(Buffer.from(chunk)), options);
  return [Buffer.concat(parts).toString(), loss?.code];
}

describe('streamBytes(file, onBytes, options)', () => {
  const skippable = Buffer.from('502a4d18030000006f6464', 'hex');

  it.each(packings)('unpacks %s of several parts with padding between, in chunks of 1 to 99 bytes', async packing => {
    const padding = packing === 'zstd' ? skippable : Buffer.alloc(9);
    const content = Buffer.concat([pack[packing]('first, '), padding, pack[packing]('second'), padding]);
    for (let chunkBytes = 1; chunkBytes < 100; chunkBytes++) {
      expect(await unpack(content, {chunkBytes}), String(chunkBytes)).toEqual(['first, second', undefined]);
    }
  });

  it.each(['none', ...packings] as const)('hands over chunks (%s) of which a slice is a copy', async packing => {
    const text = 'kept while the memory behind it is used again, '.repeat(200);
    const path = join(folder, 'copies');
    writeFileSync(path, packing === 'none' ? text : pack[packing](text));
    const parts: Uint8Array[] = [];
    await streamBytes(await readFileHead(path), chunk => parts.push(chunk.slice()), {chunkBytes: 7});
    expect(Buffer.concat(parts).toString()).toBe(text);
  });

  it.each(packings)('says of %s that is cut anywhere that it is damaged, whatever the chunks', async packing => {
    const content = pack[packing]('a text that is long enough to be cut into pieces, pieces, pieces');
    // The first four bytes tell that it is compressed.
    for (let length = 4; length < content.length; length++) {
      const [text, code] = await unpack(content.subarray(0, length), {chunkBytes: 1 + (length % 7)});
      expect('a text that is long enough to be cut into pieces, pieces, pieces'.startsWith(text)).toBe(true);
      expect(code, String(length)).toBe('file/damaged');
    }
  });

  it.each(packings)('hands over what %s unpacks to up to the limit, and no byte more', async packing => {
    const content = pack[packing]('x'.repeat(5000));
    const upTo = (bytes: number) => unpack(content, {unpackedLimit: {bytes, name: 'LIMIT'}});
    expect(await upTo(5000)).toEqual(['x'.repeat(5000), undefined]);
    expect(await upTo(4999)).toEqual(['x'.repeat(4999), 'file/unpacked-limit']);
    expect(await upTo(0)).toEqual(['', 'file/unpacked-limit']);
  });
});

describe('openTrace(path, {unpackedLimit})', () => {
  const unpackedLimit = {bytes: 2e7, name: 'gpuLens.maximumUnpackedGB'};
  /** Zeros pack a thousand times: 16 MB that stand for 16 GB, one part behind the other. */
  const zeros = gzipSync(Buffer.alloc(16 << 20));
  const bomb = (first: string) => Buffer.concat([gzipSync(first), ...Array.from({length: 1000}, () => zeros)]);
  const open = async (name: string, content: Uint8Array) => {
    const path = join(folder, name);
    writeFileSync(path, content);
    return openTrace(path, {unpackedLimit});
  };

  it('shows what came before the limit, with a note that says how to raise it', async () => {
    const events = JSON.stringify([kineto.range('step', 0, 10)]);
    const trace = await open('bomb.json.gz', bomb(events.replace(/\]$/, ', "')));
    expect(trace.slices.length).toBe(1);
    expect(trace.notes[0]).toEqual({
      code: 'file/unpacked-limit',
      text: 'The file unpacks to more than 20,000,000 bytes: what came before is shown (gpuLens.maximumUnpackedGB raises the limit).',
    });
  });

  it('says in one sentence that the limit was reached before the first slice', async () => {
    await expect(open('empty-bomb.json.gz', bomb('{"traceEvents": ['))).rejects.toMatchObject({
      code: 'import/too-large',
      message:
        'empty-bomb.json.gz unpacks to more than 20,000,000 bytes, and no slice stands in them: gpuLens.maximumUnpackedGB raises the limit.',
    });
  });

  it('does not ask for the limit where a file is not compressed', async () => {
    const path = join(folder, 'plain.json');
    writeFileSync(path, kinetoText([kineto.range('step', 0, 10)]));
    expect((await openTrace(path, {unpackedLimit: {bytes: 1, name: 'LIMIT'}})).slices.length).toBe(1);
  });
});
