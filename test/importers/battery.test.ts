import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {gzipSync, zstdCompressSync} from 'node:zlib';
import {describe, expect, it} from 'vitest';
import {TraceError} from '../../src/core/base/errors.js';
import {traceInfo} from '../../src/core/questions/info.js';
import {rangeRows} from '../../src/core/figures/range-rows.js';
import {openTrace} from '../../src/importers/open-trace.js';
import {readSliceArguments} from '../../src/importers/slice-arguments.js';
import {cutLargeTrace} from '../fuzz/cuts.js';
import {kineto, kinetoText} from '../support/kineto-events.js';
import {writeNsysDatabase} from '../support/nsys-database.js';
import {opened} from '../support/opened-file.js';
import {temporaryFolder} from '../support/project.js';
import {rocprofText} from '../support/rocprof-records.js';

const folder = temporaryFolder();
const events = [
  kineto.range('step', 1000, 100),
  kineto.op('aten::mm', 1010, 40, {'External id': 5}),
  kineto.call(9, 1020, 5),
  kineto.kernel(9, 1030, 40),
];
const text = kinetoText(events);

/** One file of every form that is read. */
const forms: readonly (readonly [form: string, content: Buffer])[] = [
  ['a Kineto trace', Buffer.from(text)],
  ['a bare array of events', Buffer.from(JSON.stringify(events))],
  ['a Kineto trace, gzip', gzipSync(text)],
  ['a Kineto trace, zstd', zstdCompressSync(text)],
  ['a rocprofv3 profile', Buffer.from(rocprofText())],
  ['a rocprofv3 profile, gzip', gzipSync(rocprofText())],
  ['an nsys export', readFileSync(writeNsysDatabase(join(folder, 'worked.sqlite')))],
];

const names = [
  'profile',
  'a.json',
  'a.sqlite',
  'a.json.gz',
  'a.nsys-rep',
  '.hidden',
  'größe 100 % (1).TXT',
  '-o',
  'a\nb',
];

describe.each(forms)('openTrace(%s)', (_form, content) => {
  it.each(names)('reads it under the name %j', async name => {
    const open = async (fileName: string) => {
      const path = join(folder, fileName);
      writeFileSync(path, content);
      const trace = await openTrace(path);
      return {
        info: traceInfo(trace),
        ranges: rangeRows(trace, 'path'),
        details: await readSliceArguments(await opened(path), trace, trace.slices.length - 1),
      };
    };
    expect(await open(name)).toEqual(await open('as-it-should-be'));
  });

  it('says of a folder under its name that it is one', async () => {
    mkdirSync(join(folder, 'folder.json.gz'), {recursive: true});
    await expect(openTrace(join(folder, 'folder.json.gz'))).rejects.toMatchObject({code: 'file/directory'});
  });

  it('gives a trace with a note, or one sentence, wherever it is cut', async () => {
    const path = join(folder, 'cut');
    // A database is 60 KB: hostile-databases.test.ts has more of it.
    const step = content.length > 10_000 ? 1009 : 1;
    for (let length = 0; length < content.length - 1; length += step) {
      writeFileSync(path, content.subarray(0, length));
      const result = await openTrace(path).catch((error: unknown) => error);
      if (result instanceof TraceError) expect(result.message).toMatch(/^(cut |GPU Lens cannot open cut\. )[^\n]*\.$/);
      else {
        expect(result).toMatchObject({slices: {}});
        const codes = (result as Awaited<ReturnType<typeof openTrace>>).notes.map(({code}) => code);
        expect(
          codes.some(code => code === 'file/truncated' || code === 'file/damaged'),
          String(length),
        ).toBe(true);
      }
    }
  });
});

it('openTrace(large trace) shows the events before a cut, plain or compressed, wherever it is', async () => {
  expect(await cutLargeTrace(folder, 12, 20)).toEqual([]);
});
