import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {crc32} from 'node:zlib';
import {beforeAll, describe, expect, it} from 'vitest';
import {TraceBuilder} from '../../../src/core/trace/trace-builder.js';
import type {Trace} from '../../../src/core/trace/trace.js';
import {readTraceFile, writeTraceFile} from '../../../src/importers/cache/trace-file.js';
import {project, temporaryFolder} from '../../support/project.js';
import {openTrace} from '../../../src/importers/open-trace.js';
import {seededRandom} from '../../support/random.js';
import {expectSameTrace} from '../../support/same-trace.js';

const folder = temporaryFolder();
const key = Buffer.alloc(32, 7);
const trailerBytes = 48;
const never = new AbortController().signal;
const path = join(folder, 'whole.trace');
let trace: Trace;
let whole: Buffer;

beforeAll(async () => {
  trace = await openTrace(join(project, 'media', 'sample', 'profile', 'train.pt.trace.json.gz'));
  await writeTraceFile(path, key, trace, never);
  whole = readFileSync(path);
});

async function readBytes(bytes: Uint8Array): Promise<Trace | null> {
  const changed = join(folder, 'changed.trace');
  writeFileSync(changed, bytes);
  return readTraceFile(changed, key, undefined);
}

interface Head {
  lengths: Record<string, number>;
  widths: number[];
  texts: number;
  textBytes: number;
  checksums: number[];
  trace: {tracks: Record<string, unknown>[]} & Record<string, unknown>;
}

/** The file with another head, whose checksums are right: what one would write who knows the format. */
function forged(change: (head: Head, blocks: Buffer) => void): Buffer {
  const headBytes = whole.readUInt32LE(whole.length - 8);
  const end = whole.length - trailerBytes - headBytes;
  const blocks = Buffer.from(whole.subarray(0, end));
  const head = JSON.parse(whole.toString('utf8', end, end + headBytes)) as Head;
  change(head, blocks);
  const text = Buffer.from(JSON.stringify(head));
  const trailer = Buffer.from(whole.subarray(whole.length - trailerBytes));
  trailer.writeUInt32LE(text.length, trailerBytes - 8);
  trailer.writeUInt32LE(crc32(text), trailerBytes - 4);
  return Buffer.concat([blocks, text, trailer]);
}

describe('readTraceFile(path, key)', () => {
  it('gives back what was written', async () => {
    const read = await readBytes(whole);
    if (!read) throw new Error('The file was refused.');
    expectSameTrace(read, trace);
    expect(await readBytes(forged(() => undefined))).not.toBeNull();
  });

  it('gives back columns of whole numbers in as many bits as they had', async () => {
    const wide = new TraceBuilder();
    const track = wide.track({kind: 'thread', process: wide.process('1'), device: -1, id: '1', name: '', order: 0});
    for (let name = 0; name < 300; name++) wide.strings.intern(`name ${String(name)}`);
    wide.addSlice({
      track,
      startNs: 0,
      durationNs: 2 ** 33,
      name: wide.strings.intern('far into a large file'),
      kind: 'cpu_op',
      source: 2 ** 40,
    });
    const made = wide.finish({...trace, baseNs: 0n});
    const target = join(folder, 'wide.trace');
    await writeTraceFile(target, key, made, never);
    const read = await readTraceFile(target, key, undefined);
    if (!read) throw new Error('The file was refused.');
    expectSameTrace(read, made);
    expect(read.slices.source).toEqual(Float64Array.of(2 ** 40));
    expect(read.slices.durationNs).toEqual(Float64Array.of(2 ** 33));
    expect(read.slices.name).toEqual(Uint16Array.of(301));
    const narrow = await readBytes(whole);
    expect(narrow?.slices.source).toBeInstanceOf(Int32Array);
    expect(narrow?.slices.durationNs).toBeInstanceOf(Int32Array);
    expect(narrow?.slices.track).toBeInstanceOf(Uint8Array);
  });

  it('is null for a head that has columns in other bits than they were written', async () => {
    for (const width of [-1, 0, 1, 2, 3, 4, 8, 16]) {
      expect(await readBytes(forged(head => head.widths.fill(width)))).toBeNull();
    }
    const withWidth = (at: number, width: number) => forged(head => (head.widths[at] = width));
    const widths: number[] = [];
    forged(head => widths.push(...head.widths));
    for (const [at, width] of widths.entries()) {
      // An empty column is none in any width that its kind has.
      for (const other of [-8, 3, 16]) expect(await readBytes(withWidth(at, other))).toBeNull();
      expect(await readBytes(withWidth(at, width))).not.toBeNull();
    }
    expect(await readBytes(forged(head => head.widths.pop()))).toBeNull();
    expect(await readBytes(forged(head => head.widths.push(8)))).toBeNull();
  });

  it('is null for another key, no file, and a folder', async () => {
    expect(await readTraceFile(path, Buffer.alloc(32, 8), undefined)).toBeNull();
    expect(await readTraceFile(join(folder, 'none'), key, undefined)).toBeNull();
    expect(await readTraceFile(folder, key, undefined)).toBeNull();
  });

  it('is null for a file with a byte changed, wherever it is', async () => {
    const random = seededRandom(11);
    const places = [0, whole.length - 1, whole.length - 9, ...Array.from({length: 300}, () => random() * whole.length)];
    for (const place of places.map(Math.floor)) {
      const damaged = Buffer.from(whole);
      damaged[place] = (damaged[place] ?? 0) ^ (1 + Math.floor(random() * 255));
      expect(await readBytes(damaged), `byte ${String(place)}`).toBeNull();
    }
  });

  it('is null for a file that was cut off or is longer, wherever it ends', async () => {
    const random = seededRandom(12);
    const ends = [0, 1, trailerBytes, whole.length - 1, ...Array.from({length: 100}, () => random() * whole.length)];
    for (const end of ends) expect(await readBytes(whole.subarray(0, end))).toBeNull();
    expect(await readBytes(Buffer.concat([whole, Buffer.alloc(64)]))).toBeNull();
    expect(await readBytes(Buffer.concat([Buffer.alloc(64), whole]))).toBeNull();
  });

  it('is null for a head that promises more than the file holds', async () => {
    for (const value of [-1, 1e6, 2 ** 40, 1e300, null, '9', 0.5]) {
      for (const part of ['slices', 'gpuOperations', 'forwardBackward']) {
        const bytes = forged(({lengths}) => (lengths[part] = value as number));
        expect(await readBytes(bytes), `${part} ${String(value)}`).toBeNull();
      }
      expect(await readBytes(forged(head => (head.texts = value as number)))).toBeNull();
      expect(await readBytes(forged(head => (head.textBytes = value as number)))).toBeNull();
    }
  });

  it('is null for a head whose members are not what they should be', async () => {
    const members = ['meta', 'processes', 'devices', 'tracks', 'originNs', 'spanNs', 'counts', 'notes'];
    for (const member of members) {
      for (const value of [null, {}, [null], [{}], 'x', true]) {
        expect(await readBytes(forged(({trace: head}) => (head[member] = value))), member).toBeNull();
      }
    }
  });

  it('is null where tracks do not hold the slices, or numbers point outside their tables', async () => {
    const change = (member: string, value: number) =>
      forged(({trace: head}) => {
        const track = head.tracks[1];
        if (track) track[member] = value;
      });
    for (const value of [-1, 1, 1e9]) {
      expect(await readBytes(change('firstSlice', value))).toBeNull();
      expect(await readBytes(change('endSlice', value))).toBeNull();
      expect(await readBytes(change('process', value === -1 ? 9 : value + 50))).toBeNull();
    }
    const {length} = trace.slices;
    const columns = {startNs: [0, 8], durationNs: [8, 8], name: [16, 4], track: [20, 4], kind: [24, 1]};
    for (const [column, [offset = 0, width = 0]] of Object.entries(columns)) {
      const bytes = forged((head, blocks) => {
        const block = blocks.subarray(offset * length, (offset + width) * length);
        block.fill(column === 'durationNs' ? 0xff : 0x7f, width * 100, width * 101);
        head.checksums[Object.keys(columns).indexOf(column)] = crc32(block);
      });
      expect(await readBytes(bytes), column).toBeNull();
    }
  });
});
