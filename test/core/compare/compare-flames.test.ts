import {describe, expect, it} from 'vitest';
import {compareFlames, type ComparedFlames} from '../../../src/core/compare/compare-flames.js';
import {differenceGraph} from '../../../src/core/compare/difference-graph.js';
import {compareRuns} from '../../../src/core/compare/run-comparison.js';
import type {SelectedRun} from '../../../src/core/compare/run-comparison-input.js';
import {blockChange, blockVerdicts} from '../../../src/core/flame/flame-difference.js';
import {flameName, flamePath, type FlameGraph} from '../../../src/core/flame/flame-graph.js';
import {flameLines} from '../../../src/core/flame/flame-text.js';
import {flameGraph} from '../../../src/core/questions/flame.js';
import {flameSvg} from '../../../src/core/flame/flame-svg.js';
import type {Trace} from '../../../src/core/trace/trace.js';
import {openTrace} from '../../../src/importers/open-trace.js';
import {runOf} from '../../support/compared-runs.js';
import {itEachFile} from '../../support/each-file.js';
import {kineto} from '../../support/kineto-events.js';
import {randomTrace} from '../../support/random-trace.js';
import {dataFiles} from '../../support/real-data.js';
import {traceFromText} from '../../support/trace-from-text.js';
import {traceOfEvents} from '../../support/trace-of-events.js';

function compared(base: SelectedRun, changed: SelectedRun, canJudge = true): ComparedFlames {
  const {noise} = compareRuns(base, changed, ['class']);
  return compareFlames(base, changed, {}, noise.betweenRuns, canJudge);
}

/** Blocks by their paths. */
function byPath(graph: FlameGraph): Map<string, number> {
  return new Map(Array.from(graph.nodes.parent, (_, block) => [flamePath(graph, block).join('/'), block]));
}

const base = traceFromText(`
  range step_1    ==============
  range attn       ===
  range old              ===
  call             A   B   C
  stream 7          AA  BBB  C
`);
const changed = traceFromText(`
  range step_1    ==============
  range attn       ===
  range new              ===
  call             A   B   C
  stream 7          AAAABB   CC
`);

describe('compareFlames(base, changed)', () => {
  it('has one tree of both runs: what both have with its change, the rest as new or gone', () => {
    const flames = compared(runOf(base), runOf(changed));
    const graph = differenceGraph(flames, 'after', 'total');
    const blocks = byPath(graph);
    const change = (path: string) => {
      if (!graph.difference) throw new Error('It has a difference.');
      const {beforeNs, afterNs, deltaNs, verdict} = blockChange(graph.difference, blocks.get(path) ?? -1);
      return [beforeNs, afterNs, deltaNs, verdict];
    };
    expect(change('GPU work a step')).toEqual([6000, 8000, 2000, 'cannot tell']);
    expect(change('step_1/attn')).toEqual([2000, 4000, 2000, 'cannot tell']);
    expect(change('step_1/kernel_B')).toEqual([3000, 2000, -1000, 'cannot tell']);
    expect(change('step_1/new')).toEqual([0, 2000, 2000, 'new']);
    expect(change('step_1/old')).toEqual([1000, 0, -1000, 'gone']);
    expect(graph.notes).toEqual(['1.00 µs of work is gone and has no width here: show the time before to see it.']);
    expect(differenceGraph(flames, 'before', 'total').notes).toEqual([
      '2.00 µs of work is new and has no width here: show the time after to see it.',
    ]);
  });

  it('matches operations of one family, and operators and ranges but for their numbers', async () => {
    const traceWith = (layer: string, kernel: string) =>
      traceOfEvents([
        kineto.range(layer, 0, 100),
        kineto.call(1, 10, 5),
        {...kineto.kernel(1, 20, 30), name: kernel},
        kineto.call(2, 20, 5),
        {...kineto.kernel(2, 60, 30), name: 'softmax'},
      ]);
    const [one, other] = [
      await traceWith('block 3', 'volta_sgemm_128x64_tn'),
      await traceWith('block 4', 'ampere_fp16_s16816gemm_fp16_128x64_ldg8_f2f_stages_64x3_tn'),
    ];
    const graph = differenceGraph(compared(runOf(one), runOf(other)), 'after', 'total');
    expect([...byPath(graph).keys()]).toEqual([
      'GPU work',
      'block * (family)',
      'block * (family)/softmax',
      'block * (family)/gemm (family)',
    ]);
  });

  it.each(Array.from({length: 12}, (_, seed) => seed))(
    'adds up: random traces %i have the total of the comparison, and swapping them negates every change',
    seed => {
      const [one, other] = [runOf(randomTrace(seed)), runOf(randomTrace(seed + 100))];
      expectToAddUp(one, other);
    },
  );

  it('has the flame graph of a run on either side where it is compared with itself', () => {
    const trace = randomTrace(3);
    const graph = differenceGraph(compared(runOf(trace), runOf(trace)), 'after', 'total');
    expect(graph.total).toBe(flameGraph(trace, {weight: 'gpu-work'}).total);
    for (const verdict of graph.difference?.judged.total.verdict ?? []) expect(blockVerdicts[verdict]).toBe('same');
  });

  const files = [...dataFiles('compare', '.json.gz'), ...dataFiles('compare', '.sqlite')];
  const opened = new Map<string, Promise<Trace>>();
  const open = (path: string) => {
    const known = opened.get(path) ?? openTrace(path);
    opened.set(path, known);
    return known;
  };
  itEachFile(files)('$name adds up against another public profile', async ({path}) => {
    const other = files[(files.findIndex(file => file.path === path) + 1) % files.length];
    expectToAddUp(runOf(await open(path)), runOf(await open(other?.path ?? path)));
  });
});

/** The root is what `compareRuns` compares, blocks hold what is below them, and swapping the runs swaps the sides. */
function expectToAddUp(one: SelectedRun, other: SelectedRun): void {
  const {total} = compareRuns(one, other, ['class']);
  const flames = compared(one, other);
  const {before, after} = flames.difference;
  expect(before.workNs[0]).toBeCloseTo(total.beforeNs, 3);
  expect(after.workNs[0]).toBeCloseTo(total.afterNs, 3);
  for (const {workNs} of [before, after]) expectToHoldChildren(flames, workNs);
  const there = differenceGraph(flames, 'after', 'total');
  const back = differenceGraph(compared(other, one), 'before', 'total');
  expect(byPath(back).size).toBe(byPath(there).size);
  for (const [path, block] of byPath(there)) {
    const partner = byPath(back).get(path) ?? -1;
    expect([path, back.difference?.after.workNs[partner]]).toEqual([path, there.difference?.before.workNs[block]]);
  }
}

function expectToHoldChildren({tree: {parent}}: ComparedFlames, workNs: Float64Array): void {
  const inside = new Float64Array(workNs.length);
  parent.forEach((outer, block) => {
    if (outer >= 0) inside[outer] = (inside[outer] ?? 0) + (workNs[block] ?? 0);
  });
  inside.forEach((ns, block) => {
    expect(ns - (workNs[block] ?? 0)).toBeLessThan(1e-3 * workNs.length);
  });
}

/** Twelve steps with a kernel in each of two ranges. */
function stepsOf(attentionUs: number, mlpCalls: number): Promise<Trace> {
  let correlation = 0;
  return traceOfEvents(
    Array.from({length: 12}, (_, step) => {
      const at = step * 2000;
      const jitterUs = step % 3;
      const kernel = (fromUs: number, us: number) => {
        const id = ++correlation;
        return [kineto.call(id, fromUs, 2), kineto.kernel(id, fromUs + 300, us)];
      };
      return [
        kineto.range(`ProfilerStep#${String(step + 1)}`, at, 1900),
        kineto.range('attention', at + 10, 100),
        ...kernel(at + 20, attentionUs + jitterUs),
        kineto.range('mlp', at + 120, 200),
        ...Array.from({length: mlpCalls}, (_, call) => kernel(at + 130 + 10 * call, 50 + jitterUs)).flat(),
      ];
    }).flat(),
  );
}

describe('the noise of blocks', () => {
  it('tells a change of the time a call from one of the calls', async () => {
    const flames = compared(runOf(await stepsOf(100, 2)), runOf(await stepsOf(130, 4)));
    const verdictOf = (measure: 'total' | 'call', name: string) => {
      const graph = differenceGraph(flames, 'after', measure);
      const block = Array.from(graph.nodes.parent).findIndex((_, at) => flameName(graph, at) === name);
      return graph.difference && blockChange(graph.difference, block);
    };
    expect(verdictOf('total', 'attention')).toMatchObject({beforeNs: 101_000, afterNs: 131_000, verdict: 'slower'});
    expect(verdictOf('call', 'attention')).toMatchObject({deltaNs: 30_000, verdict: 'slower'});
    expect(verdictOf('total', 'mlp')).toMatchObject({beforeNs: 102_000, afterNs: 204_000, verdict: 'slower'});
    const byKernel = differenceGraph(flames, 'after', 'call');
    const lines = flameLines(byKernel, byPath(byKernel).get('ProfilerStep*/mlp/gemm') ?? -1);
    expect(lines).toEqual([
      'GPU work a call: 51.0 µs before, 51.0 µs after',
      expect.stringMatching(/^0 ns ± .*: same$/),
      'Calls a step: 2 before, 4 after',
      '60.9 % of all after',
    ]);
  });

  it('says of the root what the comparison says of the total', async () => {
    const before = runOf(await stepsOf(100, 2));
    const told = new Set<string>();
    for (const attentionUs of [100, 101, 102, 103, 104, 130]) {
      const after = runOf(await stepsOf(attentionUs, 2));
      const {total} = compareRuns(before, after, ['class']);
      const {difference} = compared(before, after);
      told.add(total.verdict);
      expect(blockVerdicts[difference.judged.total.verdict[0] ?? -1]).toBe(total.verdict);
      expect(difference.judged.total.noiseNs[0]).toBeCloseTo(total.noiseNs ?? NaN, 6);
    }
    expect(told.size).toBeGreaterThan(1);
  });

  it('gives no verdict on runs that are not comparable', async () => {
    const flames = compared(runOf(await stepsOf(100, 2)), runOf(await stepsOf(150, 2)), false);
    const {verdict, noiseNs} = flames.difference.judged.total;
    expect(new Set(Array.from(verdict, one => blockVerdicts[one]))).toEqual(new Set(['cannot tell', 'same']));
    expect(noiseNs.every(Number.isNaN)).toBe(true);
  });
});

it('is a picture whose blocks say their change, by sign and by words', () => {
  const svg = flameSvg(differenceGraph(compared(runOf(base), runOf(changed)), 'after', 'total'));
  expect(svg).toContain('+100.0 %? attn');
  expect(svg).toContain('new new');
  expect(svg).toContain('GPU work a step: 2.00 µs before, 4.00 µs after');
});
