import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {gzipSync} from 'node:zlib';
import {describe, expect, it} from 'vitest';
import type {MemorySnapshot} from '../../../src/core/memory-snapshot/memory-snapshot.js';
import {replayDevice, snapshotDevices} from '../../../src/core/memory-snapshot/replay.js';
import {readMemorySnapshot} from '../../../src/importers/pickle/read-memory-snapshot.js';
import {block, event, ownStack, segment, smallSnapshot, snapshotData} from '../../support/memory-snapshots.js';
import {pickleOf, type PlainData} from '../../support/pickle-writer.js';
import {readPickle} from '../../support/read-snapshot.js';
import {temporaryFolder} from '../../support/project.js';

const folder = temporaryFolder();

async function read(bytes: Buffer, limitBytes?: number): Promise<MemorySnapshot> {
  const path = join(folder, 'some.pickle');
  writeFileSync(path, bytes);
  const memoryLimit = limitBytes === undefined ? undefined : {bytes: limitBytes, name: '--memory-limit'};
  return readMemorySnapshot(path, {memoryLimit});
}

const readData = async (data: PlainData): Promise<MemorySnapshot> => read(pickleOf(data));

describe('readMemorySnapshot', () => {
  it('reads blocks, segments, events and stacks, with each frame once', async () => {
    const snapshot = await readData(smallSnapshot());
    expect(snapshot.segments).toMatchObject({length: 2, address: Float64Array.of(4096, 8192)});
    expect(snapshot.blocks).toMatchObject({length: 2, requestedBytes: Float64Array.of(100, 700)});
    expect(snapshot.events.map(({length}) => length)).toEqual([9]);
    // Two own lines, the module's call above both and the script below both.
    expect([...snapshot.frames.files].sort()).toEqual([
      '/home/me/run.py',
      '/home/me/train.py',
      '/home/me/train.py',
      '/usr/lib/python3.12/site-packages/torch/nn/modules/module.py',
    ]);
    expect(snapshot.stacks.length).toBe(5);
  });

  it('reads the same whatever parts the bytes come in, and from gzip', async () => {
    const bytes = pickleOf(smallSnapshot());
    const whole = await read(bytes);
    for (let size = 1; size < 40; size++) expect(readPickle(bytes, size)).toEqual(whole);
    expect(await read(gzipSync(bytes))).toEqual(whole);
  });

  it('reads what follows the end of a pickle as no part of it', async () => {
    const bytes = pickleOf(smallSnapshot());
    expect(await read(Buffer.concat([bytes, Buffer.from('cos\nsystem\n')]))).toEqual(await read(bytes));
  });

  it('tells blocks without an address from the segment’s beginning, and without a requested size by their own', async () => {
    const blocks = [
      {size: 1024, state: 'inactive', frames: []},
      {size: 512, state: 'active_allocated', frames: []},
    ];
    const {blocks: read} = await readData(snapshotData([segment(4096, 1536, blocks)], [[]]));
    expect([...read.address]).toEqual([4096, 5120]);
    expect([...read.requestedBytes]).toEqual([1024, 512]);
  });

  it('keeps devices apart', async () => {
    const traces = [[event('alloc', 4096, 10)], [], [event('alloc', 4096, 20)]];
    const segments = [0, 2].map(device => segment(4096, 512, [block(4096, 10 + 5 * device)], device));
    const snapshot = await readData(snapshotData(segments, traces));
    expect(snapshotDevices(snapshot)).toEqual([0, 2]);
    expect(replayDevice(snapshot, 2).allocatedBytes).toEqual(Float64Array.of(0, 20));
    expect(replayDevice(snapshot, 0).allocatedBytes).toEqual(Float64Array.of(0, 10));
  });

  it('reads keys in any order and one at a time, as other writers of pickles put them', async () => {
    const setEach = (pairs: readonly [string, Buffer][]) =>
      Buffer.concat([
        Buffer.from('}'),
        ...pairs.flatMap(([key, value]) => [pickleOf(key).subarray(2, -1), value, Buffer.from('s')]),
      ]);
    const number = (value: number) => pickleOf(value).subarray(2, -1);
    const text = (value: string) => pickleOf(value).subarray(2, -1);
    const place = setEach([
      ['line', number(7)],
      ['name', text('f')],
      ['filename', text('/a.py')],
    ]);
    const live = setEach([
      ['size', number(512)],
      ['frames', Buffer.concat([Buffer.from(']'), place, Buffer.from('a')])],
      ['requested_size', number(9)],
      ['state', text('active_allocated')],
      ['address', number(4096)],
    ]);
    const whole = setEach([
      ['address', number(4096)],
      ['blocks', Buffer.concat([Buffer.from(']'), live, Buffer.from('a')])],
      ['device', number(0)],
      ['total_size', number(1024)],
    ]);
    const root = setEach([['segments', Buffer.concat([Buffer.from(']'), whole, Buffer.from('a')])]]);
    const snapshot = await read(Buffer.concat([Buffer.from([0x80, 2]), root, Buffer.from('.')]));
    expect(snapshot.frames).toEqual({length: 1, files: ['/a.py'], names: ['f'], lines: [7], isNamed: null});
    expect(snapshot.blocks).toMatchObject({length: 1, stack: Int32Array.of(0), requestedBytes: Float64Array.of(9)});
    expect(snapshot.segments.bytes).toEqual(Float64Array.of(1024));
  });

  it.each([
    ['a pickle of something else', pickleOf({weights: [1, 2, 3]}), 'import/unknown-format'],
    ['a pickle of a list', pickleOf([1, 2]), 'import/unknown-format'],
    ['a text', Buffer.from('{"traceEvents": []}'), 'import/unknown-format'],
    ['a snapshot without its end', pickleOf(smallSnapshot()).subarray(0, 500), 'import/damaged'],
    ['an old protocol', Buffer.concat([Buffer.from([0x80, 2]), Buffer.from('I5\n.')]), 'import/not-plain-data'],
    ['a protocol to come', Buffer.concat([Buffer.from([0x80, 4, 0x80, 9]), Buffer.from('.')]), 'import/damaged'],
    ['nothing but an end', Buffer.from([0x80, 4, 0x2e]), 'import/damaged'],
  ])('refuses %s with one sentence that names the file', async (_what, bytes, code) => {
    await expect(read(bytes)).rejects.toMatchObject({
      code,
      message: expect.stringMatching(/^some\.pickle.*\.$/) as string,
    });
  });

  it('holds no more than the limit', async () => {
    const many = snapshotData([], [Array.from({length: 5000}, (_, i) => event('alloc', i, i, ownStack(i)))]);
    await expect(read(pickleOf(many), 500e3)).rejects.toMatchObject({code: 'import/too-large'});
    expect((await read(pickleOf(many), 50e6)).events[0]?.length).toBe(5000);
  });
});
