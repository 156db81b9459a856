import {createHash} from 'node:crypto';
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {perfettoJson} from '../../../src/core/export/perfetto-json.js';
import {slicesCsv} from '../../../src/core/export/slices-csv.js';
import {withoutNames} from '../../../src/core/export/without-names.js';
import {rangeRows} from '../../../src/core/figures/range-rows.js';
import type {Trace} from '../../../src/core/trace/trace.js';
import {openTrace} from '../../../src/importers/open-trace.js';
import {project, temporaryFolder} from '../../support/project.js';
import {traceOfEvents} from '../../support/trace-of-events.js';

const hash = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 16);
const sample = join(project, 'media', 'sample', 'profile', 'train.pt.trace.json.gz');
const folder = temporaryFolder();

function written(trace: Trace): string {
  return [...perfettoJson(trace), ...slicesCsv(trace)].join('');
}

/** Figures of ranges without their names, in an order that no name decides. */
function figures(trace: Trace): string[] {
  return rangeRows(trace, 'path')
    .map(row => JSON.stringify({...row, name: '', path: '', names: 0}))
    .sort();
}

/** What the profiler or a library named, by the page on formats. */
const kept =
  /^(?:|ProfilerStep#\d+|(?:cuda|cu|hip)[A-Z]\w*|Memcpy .*|Memset.*|(?:autograd::engine::evaluate_function: )?torch::autograd::AccumulateGrad|\[memory\])$/;

describe.each([
  ['hash', hash],
  ['drop', null],
] as const)('withoutNames(trace, %s)', (_, hashOf) => {
  it('leaves no name of a recording in what is written', async () => {
    const trace = await openTrace(sample);
    const values = new Set(written(withoutNames(trace, hashOf)).match(/[^",\r\n]+/g));
    const names = Array.from({length: trace.strings.length}, (_, index) => trace.strings.get(index));
    const hidden = names.filter(name => !kept.test(name));
    expect(hidden.length).toBeGreaterThan(50);
    expect(hidden.filter(name => values.has(name))).toEqual([]);
  });

  it('hides names of threads, processes, counters, instants and ranges', async () => {
    const place = {pid: 'secret-host', tid: 'secret-thread'};
    const trace = await traceOfEvents([
      {ph: 'M', name: 'process_name', ...place, args: {name: 'secret-program'}},
      {ph: 'M', name: 'thread_name', ...place, args: {name: 'secret-name'}},
      ...['user_annotation', 'cpu_op', 'python_function', 'cuda_runtime', 'kernel', 'gpu_memcpy', 'other'].map(
        (cat, index) => ({ph: 'X', cat, name: `/secret/${cat}.py(3): f`, ts: index, dur: 1, ...place}),
      ),
      {ph: 'X', cat: 'python_function', name: 'nn.Module: secret_0', ts: 20, dur: 1, ...place},
      {ph: 'X', cat: 'cpu_op', name: 'secretBackward0', ts: 22, dur: 1, ...place},
      {ph: 'X', cat: 'gpu_memcpy', name: 'Memcpy HtoD (Secret -> secret)', ts: 23, dur: 1, ...place},
      {ph: 'i', s: 't', name: 'secret-mark', ts: 24, ...place},
      {ph: 'C', name: 'secret-counter', ts: 25, ...place, args: {secret: 1}},
    ]);
    expect(written(trace)).toContain('secret-mark');
    expect(written(withoutNames(trace, hashOf)).toLowerCase()).not.toContain('secret');
  });
});

describe('withoutNames(trace, hash)', () => {
  it('has the figures of the trace, also once it was written and opened', async () => {
    const trace = await openTrace(sample);
    const path = join(folder, 'shared.json');
    writeFileSync(path, [...perfettoJson(withoutNames(trace, hash))].join(''));
    expect(figures(withoutNames(trace, hash))).toEqual(figures(trace));
    expect(figures(await openTrace(path))).toEqual(figures(trace));
  });
});
