import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {gzipSync, zstdCompressSync} from 'node:zlib';
import {beforeAll, describe, expect, it} from 'vitest';
import {Enough, streamBytes, type ByteStreamOptions} from '../../../src/importers/reading/byte-stream.js';
import {readFileHead} from '../../../src/importers/reading/file-head.js';
import {openTrace} from '../../../src/importers/open-trace.js';
import {kineto, kinetoText} from '../../support/kineto-events.js';
import {temporaryFolder} from '../../support/project.js';
import {seededRandom} from '../../support/random.js';

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
    const text = 'kept while the memory behind it is used again, '.repeat(20_000);
    const path = join(folder, 'copies');
    writeFileSync(path, packing === 'none' ? text : pack[packing](text));
    const parts: Uint8Array[] = [];
    await streamBytes(await readFileHead(path), chunk => parts.push(chunk.slice()), {chunkBytes: 4001});
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

describe('streamBytes of a file that inflates to many pieces', () => {
  const random = seededRandom(7);
  const content = Buffer.from(Uint8Array.from({length: 9e6}, () => 32 + random() * 8));
  const wait = new Int32Array(new SharedArrayBuffer(4));

  const pathOf = (packing: string) => join(folder, `pieces.${packing}`);
  // Two parts, so that pieces of one wait while the other begins.
  beforeAll(() => {
    for (const packing of packings) {
      const parts = [content.subarray(0, 5e6), content.subarray(5e6)].map(part => pack[packing](part));
      writeFileSync(pathOf(packing), Buffer.concat(parts));
    }
  });

  async function stream(
    packing: string,
    onBytes: (chunk: Uint8Array) => void,
    options: ByteStreamOptions = {},
  ): Promise<unknown> {
    return streamBytes(await readFileHead(pathOf(packing)), onBytes, options);
  }

  it.each(packings)('hands over %s in order to a receiver that is slower than it inflates', async packing => {
    const parts: Buffer[] = [];
    await stream(packing, chunk => {
      // Whatever is inflated meanwhile goes elsewhere.
      Atomics.wait(wait, 0, 0, 10);
      parts.push(Buffer.from(chunk));
    });
    expect(parts.length).toBeGreaterThan(4);
    expect(Buffer.concat(parts).equals(content)).toBe(true);
  });

  it.each(packings)('ends with what the receiver of %s throws, and hands over no more', async packing => {
    for (let last = 1; last <= 4; last++) {
      let count = 0;
      const take = () => {
        if (++count === last) throw new Enough(`piece ${String(last)}`);
      };
      // Of a small chunk all is inflated before its piece is handed over.
      for (const chunkBytes of [4 << 20, 1 << 10]) {
        count = 0;
        await expect(stream(packing, take, {chunkBytes})).rejects.toThrow(new Enough(`piece ${String(last)}`));
        expect(count).toBe(last);
      }
    }
  });

  it.each(packings)('hands over no more of %s once it was cancelled', async packing => {
    for (let last = 1; last <= 4; last++) {
      const cancel = new AbortController();
      let count = 0;
      const take = () => {
        if (++count === last) cancel.abort();
      };
      await expect(stream(packing, take, {signal: cancel.signal})).rejects.toMatchObject({code: 'import/cancelled'});
      expect(count).toBe(last);
    }
  });

  it.each([1e5, 1e6, 9e6])('hands over all but a piece of %d bytes that are damaged at the end', async length => {
    const path = join(folder, 'damaged');
    const packed = gzipSync(content.subarray(0, length));
    writeFileSync(path, Buffer.concat([packed, Buffer.from('something else')]));
    const parts: Buffer[] = [];
    const take = (chunk: Uint8Array) => parts.push(Buffer.from(chunk));
    const loss = await streamBytes(await readFileHead(path), take, {});
    expect(loss?.code).toBe('file/damaged');
    const taken = Buffer.concat(parts);
    expect(taken.equals(content.subarray(0, taken.length))).toBe(true);
    expect(taken.length).toBeGreaterThan(length - Math.max(64 << 10, Math.min(packed.length + 14, 2 << 20)));
  });

  it.each(packings)('holds a few pieces of %s at a time, however much there is', async packing => {
    const path = join(folder, 'zeros');
    writeFileSync(path, pack[packing](Buffer.alloc(256 << 20)));
    const before = process.memoryUsage().arrayBuffers;
    let mostBytes = 0;
    let bytes = 0;
    const take = (chunk: Uint8Array) => {
      mostBytes = Math.max(mostBytes, process.memoryUsage().arrayBuffers - before);
      bytes += chunk.length;
    };
    await streamBytes(await readFileHead(path), take, {});
    expect(bytes).toBe(256 << 20);
    expect(mostBytes).toBeLessThan(16 << 20);
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
    expect(trace.notes[0]).toMatchObject({
      code: 'file/unpacked-limit',
      text: 'The file unpacks to more than 20,000,000 bytes. GPU Lens shows what it read up to that limit. gpuLens.maximumUnpackedGB raises the limit.',
    });
  });

  it('says in one sentence that the limit was reached before the first slice', async () => {
    await expect(open('empty-bomb.json.gz', bomb('{"traceEvents": ['))).rejects.toMatchObject({
      code: 'import/too-large',
      message:
        'empty-bomb.json.gz unpacks to more than 20,000,000 bytes, and GPU Lens found no slice up to there. gpuLens.maximumUnpackedGB raises the limit.',
    });
  });

  it('does not ask for the limit where a file is not compressed', async () => {
    const path = join(folder, 'plain.json');
    writeFileSync(path, kinetoText([kineto.range('step', 0, 10)]));
    expect((await openTrace(path, {unpackedLimit: {bytes: 1, name: 'LIMIT'}})).slices.length).toBe(1);
  });
});
