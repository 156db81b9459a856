import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {gzipSync} from 'node:zlib';
import {describe, expect, it} from 'vitest';
import type {TraceError} from '../../../src/core/base/errors.js';
import type {Trace} from '../../../src/core/trace/trace.js';
import {openTrace} from '../../../src/importers/open-trace.js';
import {readSliceArguments} from '../../../src/importers/slice-arguments.js';
import {opened} from '../../support/opened-file.js';
import {temporaryFolder} from '../../support/project.js';
import {call, dispatch, rocprofProcess, rocprofText, stepRecords} from '../../support/rocprof-records.js';

const folder = temporaryFolder();

function write(content: string | Buffer): string {
  const path = join(folder, 'hostile.json');
  writeFileSync(path, content);
  return path;
}

/** The code and the sentence of a file that is refused. */
async function refusal(content: string): Promise<Pick<TraceError, 'code' | 'message'>> {
  const error = await openTrace(write(content)).then(
    () => new Error('It was opened.'),
    (reason: unknown) => reason as TraceError,
  );
  return {code: (error as TraceError).code, message: error.message};
}

const codes = ({notes}: Trace) => notes.map(({code}) => code);
const within = (records: string) => `{"rocprofiler-sdk-tool":[{"buffer_records":{"kernel_dispatch":${records}}}]}`;
const text = (record: unknown) => JSON.stringify(record);

describe('openTrace(a hostile rocprofv3 profile)', () => {
  it.each([
    ['no list', '{"rocprofiler-sdk-tool": 5}'],
    ['no process', '{"rocprofiler-sdk-tool": []}'],
    ['a process that is no object', '{"rocprofiler-sdk-tool": [[1], "x", null, 7]}'],
    ['records that are no lists', within('{"0": {"start_timestamp": 5}}')],
    ['records that are no objects', within('[1, "x", null, [], true, {}]')],
  ])('says in one sentence that there is nothing: %s', async (_what, content) => {
    const {code, message} = await refusal(content);
    expect(code).toBe('import/no-events');
    expect(message).toMatch(
      /^hostile\.json (is a rocprofv3 profile without any events|has no event with a usable)[^\n]*\.$/,
    );
  });

  it.each([
    ['cut off', '{"rocprofiler-sdk-tool": [{"buffer_records": {"kernel_dis'],
    ['no JSON', '{"rocprofiler-sdk-tool": [{"buffer_records" = 5}]}'],
    ['an endless key', `{"rocprofiler-sdk-tool": [{"${'k'.repeat(3 << 20)}`],
    ['lists nested without end', `{"rocprofiler-sdk-tool": [{"metadata": ${'['.repeat(3 << 20)}`],
  ])('says in one sentence that it is damaged: %s', async (_what, content) => {
    expect(await refusal(content)).toEqual({
      code: 'import/damaged',
      message: 'hostile.json is cut off or damaged before its first event.',
    });
  });

  it('shows the other records where types, times and numbers are wrong', async () => {
    const good = text(dispatch(8, 3, 4000, 2000));
    const wrong = [
      {...dispatch(8, 1, 0, 1), start_timestamp: 'soon'},
      {...dispatch(8, 1, 0, 1), start_timestamp: 0},
      {...dispatch(8, 1, 0, 1), end_timestamp: 1e300},
      {...dispatch(8, 1, 0, 1), end_timestamp: 5},
    ].map(text);
    const odd = [
      {...dispatch(8, 1, 5000, 100), dispatch_info: 'none', correlation_id: -1, thread_id: {}},
      {...dispatch(8, 1, 9000, -100), dispatch_info: {kernel_id: {}, agent_id: [], queue_id: {handle: 1e30}}},
    ].map(text);
    const long = text({...dispatch(8, 1, 0, 1), more: 'x'.repeat(2 << 20)});
    const deep = good.replace('{', `{"deep":${'['.repeat(200_000)}${']'.repeat(200_000)},`);
    const trace = await openTrace(write(within(`[${[good, ...wrong, '5', long, deep, ...odd].join()}]`)));
    expect(trace.counts.kernels).toBe(5);
    expect(
      trace.notes
        .filter(({code}) => code !== 'gpu/unknown')
        .map(({text: note}) => note)
        .slice(0, 4),
    ).toEqual([
      '2 events were left out because they are malformed JSON or too long.',
      '3 events were left out because they have no usable time (none, or days from all others).',
      '2 events have a negative duration. GPU Lens shows them with a duration of 0.',
      'The file has no names for 5 kernels. GPU Lens shows their numbers.',
    ]);
    expect(Array.from(trace.gpuOperations.device)).toEqual([0, 0, 0, 0, 0]);
    const path = join(folder, 'hostile.json');
    for (let slice = 0; slice < trace.slices.length; slice++) {
      const found = await readSliceArguments(await opened(path), trace, slice);
      expect(found.length).toBeGreaterThan(0);
    }
  });

  it('takes names of members that objects have themselves for names', async () => {
    const process = rocprofProcess({...stepRecords, ['constructor']: [{}], ['toString']: [{}]});
    const trace = await openTrace(write(rocprofText(process).replace('"counters"', '"__proto__"')));
    expect(trace.counts.kernels).toBe(1);
    expect(trace.notes.find(({code}) => code === 'events/not-shown')?.text).toBe(
      '4 events were left out because GPU Lens does not show their kinds (memory_allocation, other kinds).',
    );
  });

  it('passes over lists of any size and depth that are not read', async () => {
    const deep = `${'[{"a":'.repeat(300_000)}1${'}]'.repeat(300_000)}`;
    const trace = await openTrace(write(rocprofText().replace('"counters":[]', `"counters":${deep}`)));
    expect(trace.counts.kernels).toBe(1);
    expect(codes(trace)).not.toContain('file/damaged');
  });

  it('shows what came before damage in the middle', async () => {
    const records = Array.from({length: 50}, (_, i) => text(dispatch(8, i + 1, 100 * i, 50)));
    const trace = await openTrace(write(within(`[${records.join()} x ${records.join()}]`)));
    expect(trace.counts.kernels).toBe(50);
    expect(codes(trace)).toContain('file/damaged');
  });

  it('ends at the limits of memory and of unpacked bytes', async () => {
    const hip = Array.from({length: 20_000}, (_, i) => call('HIP_RUNTIME_API', 'hipLaunchKernel', i, 10 * i, 5));
    const path = write(rocprofText(rocprofProcess({hip_api: hip})));
    const memoryLimit = {bytes: 2e6, name: 'the limit'};
    const trace = await openTrace(path, {memoryLimit});
    expect(codes(trace)).toContain('import/memory-limit');
    expect(trace.counts.apiCalls).toBeGreaterThan(1000);
    expect(trace.counts.apiCalls).toBeLessThan(20_000);
    const packed = write(gzipSync(`${rocprofText().slice(0, -3)}${' '.repeat(5e6)}}]}`));
    const cut = await openTrace(packed, {unpackedLimit: {bytes: 1e6, name: 'the limit'}});
    expect(codes(cut)).toContain('file/unpacked-limit');
    expect(cut.counts.kernels).toBe(1);
  });

  it('gives one answer however the file is cut into parts', async () => {
    const whole = await openTrace(write(rocprofText()));
    const bytes = Buffer.from(rocprofText());
    for (const partBytes of [1, 7, 64, 999]) {
      const parts: Buffer[] = [];
      for (let at = 0; at < bytes.length; at += partBytes) parts.push(gzipSync(bytes.subarray(at, at + partBytes)));
      const trace = await openTrace(write(Buffer.concat(parts)));
      expect(trace.slices).toEqual(whole.slices);
      expect(trace.notes).toEqual(whole.notes);
    }
  });
});
