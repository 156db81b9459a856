import {describe, expect, it} from 'vitest';
import {compareMany} from '../../../src/core/compare/run-matrix.js';
import {comparisonPage} from '../../../src/core/compare/comparison-page.js';
import {matchedText} from '../../../src/core/compare/comparison-text.js';
import {compareRuns, type RunComparison} from '../../../src/core/compare/run-comparison.js';
import {expectToAddUp, runOf} from '../../support/compared-runs.js';
import {GpuProgram} from '../../support/gpu-program.js';
import {seededRandom} from '../../support/random.js';
import {traceOfEvents} from '../../support/trace-of-events.js';

type Inside = (program: GpuProgram) => void;

/** A call of an operator, and the kernels that it launches: name and µs. */
function op(name: string, ...kernels: readonly (readonly [name: string, us: number])[]): Inside {
  return program => {
    program.operator(name, inside => {
      for (const [kernel, gpu] of kernels) inside.launch({name: kernel, gpu});
    });
  };
}

function within(range: string, ...parts: readonly Inside[]): Inside {
  return program => {
    program.range(range, inside => {
      for (const part of parts) part(inside);
    });
  };
}

/** A run of some steps, each with these parts. */
async function runOfSteps(steps: number, ...parts: readonly Inside[]): Promise<ReturnType<typeof runOf>> {
  const program = new GpuProgram();
  for (let step = 0; step < steps; step++) within(`ProfilerStep#${String(step)}`, ...parts)(program);
  return runOf(await traceOfEvents(program.events));
}

/** Compares two runs of two steps: path, basis and change of the kernels' rows, ns a step. Swapped, changes negate. */
async function kernelRows(
  base: readonly Inside[],
  changed: readonly Inside[],
): Promise<[path: string, matchedBy: string | null, deltaNs: number][]> {
  const [before, after] = [await runOfSteps(2, ...base), await runOfSteps(2, ...changed)];
  const there = compareRuns(before, after);
  expectToAddUp(there);
  expectSwapped(there, compareRuns(after, before));
  const rows = there.rows.filter(({kind}) => kind === 'kernel');
  return rows.map(({path, matchedBy, deltaNs}) => [path, matchedBy, deltaNs]);
}

function expectSwapped(there: RunComparison, back: RunComparison): void {
  const keyed = ({rows}: RunComparison, sign: number) =>
    rows.map(({kind, path, matchedBy, deltaNs}) => [kind, path, matchedBy, sign * deltaNs + 0].join('\t')).sort();
  expect(keyed(back, -1)).toEqual(keyed(there, 1));
}

const sgemm = 'ampere_sgemm_128x64_tn';
const bf16 =
  'sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize128x128x64_warpgroupsize1x1x1_execute_segment_k_off_kernel';

describe('kernels with other names', () => {
  it('are matched by the operator that launched them, in fp32 and bf16', async () => {
    const rows = await kernelRows(
      [
        op('aten::addmm', [sgemm, 90]),
        op('aten::native_layer_norm', ['void vectorized_layer_norm_kernel<float, float>', 20]),
        op('aten::bmm', ['ampere_sgemm_32x32_sliced1x4_nn', 40]),
        op('aten::gelu', ['gelu_same_in_both', 10]),
      ],
      [
        op('aten::addmm', [bf16, 30]),
        op('aten::native_layer_norm', ['cuApplyRmsOrLayerNorm<c10::BFloat16>', 12]),
        op('aten::bmm', ['cutlass_80_tensorop_bf16_s16816gemm_bf16_64x64_32x6_nn_align8', 25]),
        op('aten::gelu', ['gelu_same_in_both', 11]),
        op('aten::_to_copy', ['void cast<c10::BFloat16>', 5]),
      ],
    );
    // Both products are of one family, which would be one row of -75,000.
    expect(rows).toEqual([
      ['aten::addmm (same operator)', 'operator', -60_000],
      ['aten::bmm (same operator)', 'operator', -15_000],
      ['aten::native_layer_norm (same operator)', 'operator', -8000],
      ['void cast<c10::BFloat16>', null, 5000],
      ['gelu_same_in_both', 'name', 1000],
    ]);
  });

  it('are named, the base first, in the row and on the page', async () => {
    const runs = [
      await runOfSteps(2, op('aten::mm', [sgemm, 90])),
      await runOfSteps(2, op('aten::mm', [bf16, 30], ['splitKreduce', 5])),
    ] as const;
    const {rows} = compareRuns(...runs, ['kernel']);
    expect(rows).toMatchObject([{matched: {before: [sgemm], after: [bf16, 'splitKreduce']}}]);
    expect(rows.map(row => matchedText(row))).toEqual([`${sgemm} → ${bf16}, splitKreduce`]);
    const page = comparisonPage(compareRuns(...runs, ['kernel']), ['a', 'b']);
    expect(page.replaceAll('\\', '')).toMatch(/operator: ampere_sgemm_128x64_tn → sm90_xmma_gemm.*….*splitKreduce /);
    const same = compareRuns(runs[0], await runOfSteps(2, op('aten::mm', [sgemm, 80]), op('aten::add', ['new', 1])));
    expect(new Set(same.rows.map(({matched}) => matched))).toEqual(new Set([undefined]));
  });

  it('are matched by place: of the call in the step, and of the launch in the call', async () => {
    const rows = await kernelRows(
      [op('aten::mm', ['a1', 100]), op('aten::mm', ['a2', 20]), op('aten::conv', ['c1', 7], ['c2', 3])],
      [op('aten::mm', ['b2', 110]), op('aten::mm', ['b1', 10]), op('aten::conv', ['d2', 9], ['d1', 2])],
    );
    // In the order of names, a1 would be matched to b1: -90,000 and +90,000.
    expect(rows).toEqual([
      ['aten::mm (same operator)', 'operator', 10_000],
      ['aten::mm (same operator, 2)', 'operator', -10_000],
      ['aten::conv (same operator)', 'operator', 2000],
      ['aten::conv (same operator, 2)', 'operator', -1000],
    ]);
  });

  it.each([
    [1000, ['operator', 'operator']],
    [1002, ['operator-name']],
  ])('are matched by the place of the call in a step of up to 1,000 calls: %i', async (calls, matchedBy) => {
    const alternating = (first: string, second: string) =>
      Array.from({length: calls}, (_, at) => op('aten::mm', [at % 2 === 0 ? first : second, 1]));
    const rows = await kernelRows(alternating('a1', 'a2'), alternating('b1', 'b2'));
    expect(rows.map(([, by]) => by)).toEqual(matchedBy);
  });

  it('are one row where one became two, or is one of several that the operator now launches', async () => {
    const rows = await kernelRows(
      [
        op('aten::mm', ['whole', 100]),
        within('encoder', op('aten::bmm', ['one_for_both', 50])),
        within('decoder', op('aten::bmm', ['one_for_both', 60])),
      ],
      [
        op('aten::mm', ['part', 40], ['reduce_parts', 10]),
        within('encoder', op('aten::bmm', ['for_encoder', 30])),
        within('decoder', op('aten::bmm', ['for_decoder', 35])),
      ],
    );
    expect(rows).toEqual([
      ['aten::mm (same operator)', 'operator', -50_000],
      ['aten::bmm (same operator)', 'operator', -45_000],
    ]);
  });

  it('are less surely matched where the operator is elsewhere, or several became several', async () => {
    const rows = await kernelRows(
      [
        within('attention', op('aten::softmax', ['softmax_warp', 30])),
        op('aten::linear', ['x1', 10]),
        op('aten::linear', ['x2', 10]),
        op('aten::linear', ['x1', 10]),
      ],
      [
        within('sdpa', op('aten::softmax', ['persistent', 20])),
        op('aten::linear', ['y1', 10]),
        op('aten::linear', ['y2', 10]),
        op('aten::linear', ['y2', 5]),
      ],
    );
    expect(rows).toEqual([
      ['aten::softmax (same operator)', 'operator-name', -10_000],
      ['aten::linear (same operator)', 'operator-name', -5000],
    ]);
  });

  it('are not matched by the operator where which became which is unknown: then by family, or not at all', async () => {
    const rows = await kernelRows(
      [op('compiled', ['triton_poi_fused_add_1', 10], ['p', 20], ['q', 30])],
      [op('compiled', ['p2', 21], ['triton_poi_fused_add_4', 12])],
    );
    expect(rows).toEqual([
      ['q', null, -30_000],
      ['p2', null, 21_000],
      ['p', null, -20_000],
      ['triton_poi_fused_add (family)', 'family', 2000],
    ]);
  });

  it('are not matched by a few of their launches', async () => {
    const many = [op('aten::mul', ['elementwise', 5]), op('aten::mul', ['elementwise', 5])];
    const rows = await kernelRows([...many, op('aten::add', ['elementwise', 5])], [op('aten::add', ['fused', 6])]);
    expect(rows).toEqual([
      ['elementwise', null, -15_000],
      ['fused', null, 6000],
    ]);
  });

  it('are matched by name first, wherever they were launched', async () => {
    const rows = await kernelRows(
      [op('aten::mm', ['k', 10]), op('aten::bmm', ['gone', 10])],
      [op('aten::mm', ['added', 10]), op('aten::bmm', ['k', 12])],
    );
    // aten::bmm launches a kernel that both runs have, and aten::mm nothing of what is gone.
    expect(rows).toEqual([
      ['gone', null, -10_000],
      ['added', null, 10_000],
      ['k', 'name', 2000],
    ]);
  });

  it('take copies for copies, and kernels for kernels', async () => {
    const copied = (name: string, gpu: number, kernel: string): Inside => {
      return program => {
        program.operator('aten::copy_', inside => {
          inside.launch({name, gpu, bytes: 8}).launch({name: kernel, gpu: 10});
        });
      };
    };
    const rows = await kernelRows(
      [copied('Memcpy HtoD (Pageable -> Device)', 50, 'to_float')],
      [copied('Memcpy HtoD (Pinned -> Device)', 20, 'cast_to_bfloat16')],
    );
    expect(rows).toEqual([
      ['aten::copy_ (same operator)', 'operator', -30_000],
      ['aten::copy_ (same operator, 2)', 'operator', 0],
    ]);
  });

  it('are matched by family alone where no operator is around their launches', async () => {
    const launches = (...kernels: readonly (readonly [string, number])[]): Inside => {
      return program => {
        for (const [name, gpu] of kernels) program.launch({name, gpu});
      };
    };
    const rows = await kernelRows(
      [launches([sgemm, 90], ['layer_norm_a', 20])],
      [launches([bf16, 30], ['rms_norm_b', 12])],
    );
    expect(rows).toEqual([
      ['gemm (family)', 'family', -60_000],
      ['layer_norm_a', null, -20_000],
      ['rms_norm_b', null, 12_000],
    ]);
  });

  it('are in the same row of several runs', async () => {
    const runs = await Promise.all(
      ['first', 'second', 'third'].map((name, at) => runOfSteps(2, op('aten::mm', [name, 10 * (at + 1)]))),
    );
    const rows = compareMany(runs, ['kernel']).rows;
    expect(rows).toEqual([{kind: 'kernel', path: 'first', values: [10_000, 20_000, 30_000], best: 0, worst: 2}]);
  });
});

const names = (prefix: string) => [0, 1, 2, 3, 4].map(at => `${prefix}${String(at)}`);

describe.each(Array.from({length: 60}, (_, seed) => seed))('random programs %i', seed => {
  it('have rows that add up to the nanosecond, whichever is the base', async () => {
    const random = seededRandom(seed);
    const one = <Value>(values: readonly Value[]): Value => values[Math.floor(random() * values.length)] as Value;
    const kernels = (prefix: string) => [...names('both_'), ...names(prefix)];
    const call = (prefix: string) =>
      op(
        one(['aten::mm', 'aten::add', 'aten::bmm']),
        ...Array.from({length: 1 + Math.floor(random() * 2)}, () => {
          return [one(kernels(prefix)), 1 + Math.floor(random() * 50)] as const;
        }),
      );
    const parts = (prefix: string) =>
      Array.from({length: 6}, () => {
        return random() < 0.5 ? call(prefix) : within(one(['attention', 'mlp']), call(prefix), call(prefix));
      });
    const [before, after] = [await runOfSteps(3, ...parts('old_')), await runOfSteps(3, ...parts('new_'))];
    const there = compareRuns(before, after);
    const sumNs = there.rows.filter(({kind}) => kind === 'kernel').reduce((sum, {deltaNs}) => sum + deltaNs, 0);
    // All steps are equal, so that a step's work is whole ns.
    expect(sumNs).toBe(there.total.deltaNs);
    expectToAddUp(there);
    expectSwapped(there, compareRuns(after, before));
  });
});
