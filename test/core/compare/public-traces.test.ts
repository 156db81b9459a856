import {basename} from 'node:path';
import {beforeAll, describe, expect, it} from 'vitest';
import {kernelClass} from '../../../src/core/names/kernel-class.js';
import {kernelBaseName} from '../../../src/core/names/kernel-name.js';
import {compareRuns} from '../../../src/core/compare/run-comparison.js';
import type {Trace} from '../../../src/core/trace/trace.js';
import {openTrace} from '../../../src/importers/open-trace.js';
import {expectToAddUp, rowAt, runOf} from '../../support/compared-runs.js';
import {itEachFile} from '../../support/each-file.js';
import {dataFiles, hasData} from '../../support/real-data.js';

const files = [
  ...dataFiles('compare', '.sqlite'),
  ...dataFiles('compare', '.json.gz'),
  ...dataFiles('kineto', '.json.gz'),
  ...dataFiles('nsys', '.sqlite'),
];
const traces = new Map<string, Trace>();

describe.skipIf(!hasData)('public traces', () => {
  beforeAll(async () => {
    for (const {path} of files) traces.set(basename(path), await openTrace(path));
  });

  const run = (name: string) => {
    const trace = traces.get(name);
    if (!trace) throw new Error(`There is no ${name}.`);
    return runOf(trace);
  };

  it('rows of every pair add up, and swapping the files negates them', () => {
    // Each file with the next two: every file is on both sides.
    files.forEach(({name}, at) => {
      for (const next of [1, 2]) {
        const other = files[(at + next) % files.length];
        if (!other) continue;
        const there = compareRuns(run(name), run(other.name));
        expectToAddUp(there);
        const back = compareRuns(run(other.name), run(name));
        expect(back.total.deltaNs).toBe(-there.total.deltaNs + 0);
        const deltas = new Map(back.rows.map(row => [`${row.kind} ${row.path}`, row.deltaNs]));
        for (const {kind, path, deltaNs} of there.rows) {
          expect([kind, path, deltas.get(`${kind} ${path}`)]).toEqual([kind, path, -deltaNs + 0]);
        }
      }
    });
  });

  itEachFile(files)('$name does not differ from itself', ({name}) => {
    const {comparable, total, rows} = compareRuns(run(name), {...run(name), selection: {}});
    expect(comparable).toEqual({verdict: 'yes', reasons: []});
    expect(total.deltaNs).toBe(0);
    for (const row of rows) expect([row.path, row.deltaNs, row.verdict]).toEqual([row.path, 0, 'same']);
    expect(total.verdict).toBe(total.per === 'step' ? 'same' : 'cannot tell');
  });

  it('before and after of two GPUs differ by fewer calls, not by the time a call', () => {
    const {total, rows} = compareRuns(run('mfu-2gpu-before.sqlite'), run('mfu-2gpu-after.sqlite'), ['kernel']);
    expect(total).toMatchObject({per: 'all', deltaNs: -46_996_642, verdict: 'cannot tell'});
    const flash = rows.find(({path}) => path.includes('flash_fwd_kernel'));
    expect(flash).toMatchObject({before: {count: 68}, after: {count: 60}, verdict: 'same'});
    const perCallMs = [flash?.before, flash?.after].map(side => (side ? side.gpuWorkNs / side.count / 1e6 : NaN));
    expect(perCallMs[0]).toBeCloseTo(4.0047, 4);
    expect(perCallMs[1]).toBeCloseTo(4.0126, 4);
    expect(flash?.callsDeltaNs).toBeCloseTo(-8 * 4.00466732e6, -3);
  });

  it('names drivers that differ, as either profiler writes them', () => {
    const reasonsOf = (base: string, changed: string) =>
      compareRuns(run(base), run(changed), ['class']).comparable.reasons.filter(({code}) => code === 'driver');
    expect(reasonsOf('train-2xh100-2proc.sqlite', 'cs336-2.7b-a100.sqlite')).toMatchObject([
      {base: '580.95.05', changed: '570.172.08'},
    ]);
    // These leave the dots out.
    expect(run('cs336-windows-2026.2.sqlite').trace.meta.driver).toBe('581.60');
    expect(run('nvtx-only.sqlite').trace.meta.driver).toBe('530.30.02');
    expect(run('bert-small-h100.json.gz').trace.meta.driver).toBe('CUDA 12.9');
    expect(reasonsOf('bert-small-h100.json.gz', 'qwen1.5-0.5b-h100.json.gz')).toEqual([]);
  });

  it('two models are different work', () => {
    const {comparable} = compareRuns(run('bert-small-h100.json.gz'), run('qwen1.5-0.5b-h100.json.gz'), ['class']);
    expect(comparable.verdict).toBe('partly');
    expect(comparable.reasons.map(({code}) => code)).toContain('work');
  });

  it('rank 3 of 8 on an A100 is not comparable to rank 1 of 2 on a V100', () => {
    const {comparable, total, rows} = compareRuns(run('diff-control.json.gz'), run('diff-test.json.gz'));
    expect(comparable.verdict).toBe('no');
    expect(comparable.reasons.map(({code}) => code)).toEqual(
      expect.arrayContaining(['gpu-model', 'world-size', 'rank']),
    );
    expect(comparable.reasons[0]).toMatchObject({base: 'NVIDIA A100-PG509-200', changed: 'Tesla V100-SXM2-16GB'});
    expect(new Set([total.verdict, ...rows.map(({verdict}) => verdict)])).toEqual(new Set(['cannot tell']));
  });

  it('kernels of an A100 and of a V100 line up by the operators that launched them', () => {
    const {rows} = compareRuns(run('diff-control.json.gz'), run('diff-test.json.gz'), ['kernel']);
    const found = rows.filter(({matchedBy}) => matchedBy === 'operator');
    const sides = found.flatMap(({matched}) => (matched ? [[matched.before, matched.after] as const] : []));
    expect(found).toHaveLength(5);
    // The matches know nothing of names, which tell what kernels do.
    const isProduct = (name: string) => kernelClass(name) === 'matrix product';
    for (const [before, after] of sides) {
      if ([...before, ...after].every(isProduct)) continue;
      expect(before.map(kernelBaseName)).toEqual(after.map(kernelBaseName));
    }
    const volta = (path: string) => found.find(row => row.path === path)?.matched?.after;
    expect(volta('aten::mm (same operator)')).toEqual(['volta_sgemm_32x32_sliced1x4_nt']);
    expect(volta('aten::addmm (same operator)')).toEqual(['volta_sgemm_128x32_tn']);
  });

  it('no and four loader workers are the same work', () => {
    const comparison = compareRuns(
      run('resnet50-workers-0.pt.trace.json.gz'),
      run('resnet50-workers-4.pt.trace.json.gz'),
    );
    const {comparable, total} = comparison;
    expect(comparable).toEqual({verdict: 'yes', reasons: []});
    expect(total).toMatchObject({per: 'step', beforeSteps: 6, afterSteps: 6});
    expect(rowAt(comparison, 'class', 'normalisation')).toMatchObject({verdict: 'same'});
  });
});
