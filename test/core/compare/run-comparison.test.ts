import {describe, expect, it} from 'vitest';
import {compareRuns} from '../../../src/core/compare/run-comparison.js';
import {TraceBuilder} from '../../../src/core/trace/trace-builder.js';
import type {SliceKind} from '../../../src/core/trace/slices.js';
import {gpuSummary} from '../../../src/core/questions/info.js';
import {expectToAddUp, rowAt, runOf} from '../../support/compared-runs.js';
import {randomTrace} from '../../support/random-trace.js';
import {traceFromText} from '../../support/trace-from-text.js';

const facts = {
  meta: {format: 'kineto', profiler: 'test', version: null, rank: null, worldSize: null, groupSize: null},
  baseNs: 0n,
  counts: {kernels: 0, memcpys: 0, memsets: 0, apiCalls: 0, cpuOps: 0, ranges: 0, pythonFrames: 0, flows: 0},
  notes: [],
} as const;

const base = traceFromText(`
    range step_1    ============
    range attn       ===
    range mlp            ===
    op aten::mm      ==  ==
    call             A   B
    stream 7          AA  BBB
`);
const changed = traceFromText(`
    range step_1    ============
    range attn       ===
    range norm           ===
    op aten::mm      ==  ==
    call             A   B
    stream 7          AAAABBB.c
`);

describe('compareRuns(base, changed)', () => {
  it('gives each side, the difference, and what has no partner', () => {
    const comparison = compareRuns(runOf(base), runOf(changed));
    expect(comparison.total).toMatchObject({per: 'step', beforeNs: 5000, afterNs: 8000, deltaNs: 3000});
    expect(rowAt(comparison, 'range', 'step_*/attn')).toMatchObject({
      before: {gpuWorkNs: 2000, count: 1},
      after: {gpuWorkNs: 4000, count: 1},
      ...{deltaNs: 2000, callsDeltaNs: 0, perCallDeltaNs: 2000, deltaPercent: 100, matchedBy: 'path'},
    });
    expect(rowAt(comparison, 'range', 'step_*/mlp')).toMatchObject({verdict: 'gone', deltaNs: -3000, matchedBy: null});
    expect(rowAt(comparison, 'range', 'step_*/norm')).toMatchObject({
      ...{verdict: 'new', deltaNs: 3000, callsDeltaNs: 3000, perCallDeltaNs: 0, deltaPercent: null},
    });
    expect(rowAt(comparison, 'range', '(no launch call)')).toMatchObject({verdict: 'new', deltaNs: 1000});
    expect(rowAt(comparison, 'op', 'aten::mm')).toMatchObject({deltaNs: 2000, matchedBy: 'name'});
    expectToAddUp(comparison);
  });

  it('splits a difference into calls and time a call', () => {
    const few = traceFromText(`
    call            A     B
    stream 7         XXXX  XXXX
`);
    const many = traceFromText(`
    call            A     B     C
    stream 7         YYYYY YYYYY YYYYY
`);
    const {rows, total} = compareRuns(runOf(few), runOf(many), ['class']);
    expect(total).toMatchObject({per: 'all', verdict: 'cannot tell', noiseNs: null});
    expect(rows).toMatchObject([{deltaNs: 7000, callsDeltaNs: 4000, perCallDeltaNs: 3000}]);
  });

  it('takes ranges that are named as modules for modules, with the work of ranges inside them', () => {
    const builder = new TraceBuilder();
    const process = builder.process('1');
    const thread = builder.track({kind: 'thread', process, device: -1, id: 't', name: 't', order: 0});
    const stream = builder.track({kind: 'stream', process, device: 0, id: 's', name: 's', order: 1});
    const slice = (track: number, startNs: number, ns: number, name: string, kind: SliceKind) =>
      builder.addSlice({track, startNs, durationNs: ns, name: builder.strings.intern(name), kind, source: 0});
    slice(thread, 0, 900, 'nn.Module: Net', 'user_annotation');
    slice(thread, 100, 100, 'attention', 'user_annotation');
    const call = slice(thread, 150, 10, 'cudaLaunchKernel', 'cuda_runtime');
    builder.addApiCall(call, process, 7);
    const kernel = slice(stream, 200, 70, 'gemm', 'kernel');
    builder.addGpuOperation(kernel, {process, device: 0, stream: 7, correlation: 7});
    const trace = builder.finish(facts);
    const {rows} = compareRuns(runOf(trace), runOf(trace), ['module']);
    expect(rows).toMatchObject([{path: 'nn.Module: Net', before: {gpuWorkNs: 70, count: 1}}]);
  });

  it('gives the work of one step where a step is selected', () => {
    const steps = traceFromText(`
    range step_1    ===
    range step_2        ====
    call            A   B
    stream 7         AA  BBB
`);
    const {total} = compareRuns(runOf(steps, {step: 1}), runOf(steps, {step: 2}));
    expect(total).toMatchObject({per: 'step', beforeNs: 2000, afterNs: 3000, beforeSteps: 1, afterSteps: 1});
  });
});

const pairs = Array.from({length: 30}, (_, seed) => [seed, seed + 1] as const);

describe.each(pairs)('with random traces %i and %i', (one, other) => {
  const [first, second] = [randomTrace(one), randomTrace(other)];
  const there = compareRuns(runOf(first), runOf(second));
  const back = compareRuns(runOf(second), runOf(first));

  it('rows of each kind add up to the total', () => {
    expectToAddUp(there);
    if (there.total.per === 'all') {
      expect(there.total.deltaNs).toBe(gpuSummary(second).workNs - gpuSummary(first).workNs);
    }
  });

  it('swapping the files negates every difference', () => {
    expect(back.total.deltaNs).toBe(-there.total.deltaNs + 0);
    expect(back.rows.length).toBe(there.rows.length);
    for (const row of there.rows) {
      const swapped = rowAt(back, row.kind, row.path);
      expect(swapped?.deltaNs).toBe(-row.deltaNs + 0);
      expect(swapped?.before).toEqual(row.after);
    }
  });

  it('a run against itself does not differ', () => {
    const same = compareRuns(runOf(first), runOf(randomTrace(one)));
    expect(same.comparable).toEqual({verdict: 'yes', reasons: []});
    expect(same.rows.filter(row => row.deltaNs !== 0 || row.callsDeltaNs !== 0 || row.perCallDeltaNs !== 0)).toEqual(
      [],
    );
    expect(same.rows.filter(({verdict}) => verdict !== 'same')).toEqual([]);
  });
});
