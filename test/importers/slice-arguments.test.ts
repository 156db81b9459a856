import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {gzipSync, zstdCompressSync} from 'node:zlib';
import Database from 'better-sqlite3';
import {describe, expect, it} from 'vitest';
import {TraceBuilder} from '../../src/core/trace/trace-builder.js';
import type {Trace} from '../../src/core/trace/trace.js';
import {readEventArguments} from '../../src/importers/kineto/read-event.js';
import {openTrace} from '../../src/importers/open-trace.js';
import {readInstantArguments, readSliceArguments} from '../../src/importers/slice-arguments.js';
import {kineto, kinetoText} from '../support/kineto-events.js';
import {opened} from '../support/opened-file.js';
import {project, temporaryFolder} from '../support/project.js';

const folder = temporaryFolder();
const rowOf = ({slices, strings}: Trace, name: string) => slices.name.findIndex(index => strings.get(index) === name);

/** A file as it is now. */
describe('readSliceArguments(file, trace, slice)', () => {
  // Far enough into the file that the event lies behind the first chunks of a stream.
  const many = Array.from({length: 3000}, (_, i) => kineto.op(`op ${String(i)}`, i, 1, {'Input Dims': [[i, 2], []]}));
  const text = kinetoText([
    ...many,
    kineto.kernel(9, 4000, 10, {grid: [4, 1, 1], 'est. achieved occupancy %': 31.5}),
  ]).replace('"correlation": 9', '"correlation": 9, "Trace id": 18446744073709551615');

  it.each([
    ['plain.json', Buffer.from(text)],
    ['packed.json.gz', gzipSync(text)],
    ['packed.json.zst', zstdCompressSync(text)],
  ])('reads the arguments of an event again, with all digits: %s', async (name, content) => {
    const path = join(folder, name);
    writeFileSync(path, content);
    const trace = await openTrace(path);
    expect(await readSliceArguments(await opened(path), trace, rowOf(trace, 'gemm'))).toEqual([
      {name: 'device', value: '0'},
      {name: 'stream', value: '7'},
      {name: 'correlation', value: '9'},
      {name: 'Trace id', value: '18446744073709551615'},
      {name: 'grid', value: '[4, 1, 1]'},
      {name: 'est. achieved occupancy %', value: '31.5'},
    ]);
    expect(await readSliceArguments(await opened(path), trace, rowOf(trace, 'op 2999'))).toEqual([
      {name: 'Input Dims', value: '[[2999, 2], []]'},
    ]);
    for (const slice of [-1, 0.5, 1e9]) expect(await readSliceArguments(await opened(path), trace, slice)).toEqual([]);
  });

  it.each([
    ['{"name": NaN, "args": {"a": 1}}', '', 1],
    ['{"name": -Infinity, "args": {"a": 1}}', '', 1],
    ['{"name": "NaN", "args": {"a": 1}}', 'NaN', 1],
    ['{"name": "x", "args": {"a": 1}}', '', null],
    ['{"name": NaN, "args": {"a": 1}}', 'x', null],
    ['{"name": "NaN of it", "args": {"a": 1}}', '', null],
  ])('takes %s for the event "%s", or not', async (event, name, count) => {
    const found = await readEventArguments(() => Promise.resolve(Buffer.from(event)), 0, name);
    expect(found?.length ?? null).toBe(count);
  });

  it('reads what is no JSON but stands in traces, long arguments, and events without a name', async () => {
    const path = join(folder, 'odd.json');
    const odd = '{"ph": "X", "cat": "cpu_op", "ts": 5, "dur": 1, "args": {"x": NaN, "y": -inf, "path": "C:\\data"}}';
    const long = kinetoText([kineto.op('long', 9, 1, {stack: 'f'.repeat(300_000)})]);
    writeFileSync(path, long.replace('"traceEvents": [', `"traceEvents": [${odd.replace('\\\\', '\\')},`));
    const trace = await openTrace(path);
    expect(await readSliceArguments(await opened(path), trace, rowOf(trace, ''))).toEqual([
      {name: 'x', value: 'NaN'},
      {name: 'y', value: '-inf'},
      {name: 'path', value: 'C:\\data'},
    ]);
    expect(await readSliceArguments(await opened(path), trace, rowOf(trace, 'long'))).toEqual([
      {name: 'stack', value: 'f'.repeat(2000)},
    ]);
  });

  it('says when the file has changed since', async () => {
    const path = join(folder, 'changing.json');
    writeFileSync(path, text);
    const file = await opened(path);
    const trace = await openTrace(path);
    writeFileSync(path, kinetoText([kineto.range('other', 0, 1)]));
    await expect(readSliceArguments(file, trace, rowOf(trace, 'gemm'))).rejects.toMatchObject({
      code: 'file/changed',
      message: 'changing.json has changed since it was opened. Open it again.',
    });
  });

  it('readInstantArguments() reads those of an instant in the same way', async () => {
    const path = join(folder, 'instant.json');
    const instant = {ph: 'i', name: '[memory]', pid: 1, tid: 2, ts: 3, args: {Addr: 7, Bytes: -512}};
    const content = kinetoText([kineto.range('step', 0, 9), instant]);
    writeFileSync(path, content);
    const builder = new TraceBuilder();
    const offset = content.lastIndexOf('{', content.indexOf('"ph": "i"'));
    builder.points.addInstant(
      -1,
      3000,
      builder.strings.intern('[memory]'),
      'memory',
      {bytes: -512, device: -1},
      offset,
    );
    const trace = builder.finish({...(await openTrace(path)), baseNs: 0n});
    expect(await readInstantArguments(await opened(path), trace, 0)).toEqual([
      {name: 'Addr', value: '7'},
      {name: 'Bytes', value: '-512'},
    ]);
  });

  it('reads the columns of a row of nsys, texts by their names', async () => {
    const path = join(folder, 'worked.sqlite');
    const db = new Database(path);
    db.exec(readFileSync(join(project, 'test', 'fixtures', 'nsys', 'worked.sql'), 'utf8'));
    db.close();
    const trace = await openTrace(path);
    const args = await readSliceArguments(await opened(path), trace, rowOf(trace, 'gemm(float*)'));
    expect(args).toEqual(
      expect.arrayContaining([
        {name: 'globalPid', value: '281475144482816'},
        {name: 'demangledName', value: 'gemm(float*)'},
        {name: 'shortName', value: 'gemm'},
      ]),
    );
  });
});
