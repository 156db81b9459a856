import {say} from '../base/say.js';
import {flamePicture, type FlamePicture} from '../questions/flame.js';
import type {FlameQuery} from '../flame/flame-graph.js';
import type {FlameSamples} from '../flame/flame-samples.js';
import type {FlameTree} from '../flame/flame-tree.js';
import {blockVerdicts, type BlockJudgements, type BlockSide, type FlameDifference} from '../flame/flame-difference.js';
import type {WorkPart} from '../gpu-work/work-part.js';
import {mergeTrees} from './merge-flames.js';
import {comparedParts} from './run-comparison.js';
import type {SelectedRun} from './run-comparison-input.js';
import {judgeRows, judgeTotal, type Samples} from './row-verdicts.js';
import type {RunNoise} from './run-noise.js';

/** The blocks of two runs as one tree, with their differences. */
export interface ComparedFlames {
  readonly tree: FlameTree;
  readonly difference: FlameDifference;
  readonly notes: readonly string[];
}

/** The options of a flame graph that a comparison supports. */
export type ComparedQuery = Pick<FlameQuery, 'levels' | 'pass' | 'isFolded'>;

/** Blocks below this share of a run's work are too small to be judged. */
const leastPart = 0.001;

/**
 * Compares the flame graphs of two runs by GPU work, block by block: per step if both have steps, else in total. The
 * root is the work that `compareRuns` compares.
 *
 * Blocks of at least a thousandth of the work are judged together, with the noise between steps and between runs. The
 * root is judged alone, as the total of the comparison is.
 *
 * @param noise the noise between runs, from the comparison of the runs
 * @param canJudge whether the runs are comparable
 * @throws TraceError as `flameGraph`
 * @see docs/metrics.md#flame-difference
 */
export function compareFlames(
  base: SelectedRun,
  changed: SelectedRun,
  query: ComparedQuery,
  noise: RunNoise,
  canJudge: boolean,
): ComparedFlames {
  const parts = comparedParts(base, changed);
  const pictures = parts.map((part, at) => pictureOf(part, [base, changed][at].selection, query));
  const per = parts[0].steps > 0 ? 'step' : 'all';
  const trees = pictures.map(({picture: {graph}}) => ({...graph.nodes, names: graph.names}));
  const {tree, ofFirst, ofSecond} = mergeTrees(
    per === 'step' ? say('GPU work a step') : say('GPU work'),
    trees[0],
    trees[1],
  );
  const blocks = [ofFirst, ofSecond].map((placed, at) => mergedBlocks(tree, placed, pictures[at], parts[at]));
  const sides = blocks.map(({side}) => side);
  const isJudged = (block: number) => canJudge && sides.some(({workNs}) => workNs[block] >= leastPart * workNs[0]);
  const stepsOf = blocks.map(one => stepsOfBlocks(tree, one, isJudged));
  const judge = (scale: (side: BlockSide, block: number) => number) =>
    judgements(tree.length, sides, stepsOf, noise, scale);
  return {
    tree,
    difference: {
      ...{per, before: sides[0], after: sides[1]},
      judged: {total: judge(() => 1), call: judge(({calls}, block) => 1 / calls[block])},
    },
    notes: pictures.flatMap(({picture}) => picture.graph.notes),
  };
}

interface PlacedPicture {
  readonly picture: FlamePicture;
  /** For each sample, its step; 0 for all if there are no steps. */
  readonly stepOf: Int32Array;
}

function pictureOf(part: WorkPart, selection: SelectedRun['selection'], query: ComparedQuery): PlacedPicture {
  let stepOf: Int32Array = new Int32Array(0);
  const picture = flamePicture(part.trace, {...query, weight: 'gpu-work', mode: 'merged', selection}, samples => {
    stepOf = stepsOfSamples(part, samples);
    return Uint8Array.from(stepOf, step => (step < 0 ? 1 : 0));
  });
  return {picture, stepOf};
}

/** Samples are the operations, in order. */
function stepsOfSamples({trace: {gpuOperations}, stepOf}: WorkPart, samples: FlameSamples): Int32Array {
  const steps = new Int32Array(samples.length).fill(-1);
  let operation = 0;
  for (let at = 0; at < samples.length; at++) {
    while (operation < gpuOperations.length && gpuOperations.slice[operation] !== samples.slice[at]) operation++;
    if (operation < gpuOperations.length) steps[at] = stepOf[operation];
  }
  return steps;
}

/** A run's samples in the blocks of the merged tree. */
interface MergedBlocks {
  readonly side: BlockSide;
  readonly steps: number;
  /** For each sample, its block; -1 for none. */
  readonly blockOf: Int32Array;
  readonly stepOf: Int32Array;
  readonly weightNs: Float64Array;
}

function mergedBlocks(
  tree: FlameTree,
  placed: Int32Array,
  {picture, stepOf}: PlacedPicture,
  part: WorkPart,
): MergedBlocks {
  const {graph, samples, blockOf: own} = picture;
  const {nodes} = graph;
  const by = Math.max(1, part.steps);
  const blockOf = own.map((node, at) => (node < 0 || stepOf[at] < 0 ? -1 : placed[node]));
  const workNs = new Float64Array(tree.length);
  const calls = new Float64Array(tree.length);
  for (let node = 0; node < nodes.length; node++) {
    workNs[placed[node]] += nodes.total[node] / by;
    calls[placed[node]] += (nodes.instances[node] > 0 ? nodes.instances[node] : nodes.operations[node]) / by;
  }
  return {side: {workNs, calls}, steps: part.steps, blockOf, stepOf, weightNs: samples.weight};
}

/** Returns the work of each judged block in each step. */
function stepsOfBlocks(
  {length, parent}: FlameTree,
  {steps, blockOf, stepOf, weightNs}: MergedBlocks,
  isJudged: (block: number) => boolean,
): ReadonlyMap<number, Float64Array> {
  const found = new Map<number, Float64Array>();
  if (steps === 0) return found;
  const rowOf: (Float64Array | undefined)[] = [];
  for (let block = 0; block < length; block++) {
    if (!isJudged(block)) continue;
    const row = (rowOf[block] = new Float64Array(steps));
    found.set(block, row);
  }
  for (let at = 0; at < blockOf.length; at++) {
    for (let block = blockOf[at]; block >= 0; block = parent[block]) {
      const row = rowOf[block];
      if (row !== undefined) row[stepOf[at]] += weightNs[at];
    }
  }
  return found;
}

/** @param scale the factor for the work of a step */
function judgements(
  length: number,
  [before, after]: readonly BlockSide[],
  [base, changed]: readonly ReadonlyMap<number, Float64Array>[],
  noise: RunNoise,
  scale: (side: BlockSide, block: number) => number,
): BlockJudgements {
  const noiseNs = new Float64Array(length).fill(NaN);
  const verdict = new Uint8Array(length);
  for (let block = 0; block < length; block++) {
    verdict[block] = blockVerdicts.indexOf(untold(before.workNs[block], after.workNs[block]));
  }
  const both = [...base].filter(([block]) => before.workNs[block] > 0 && after.workNs[block] > 0);
  const rows = both.map(([block, samples]): Samples => {
    const scales = [scale(before, block), scale(after, block)];
    return {
      before: samples.map(ns => ns * scales[0]),
      after: changed.get(block)?.map(ns => ns * scales[1]) ?? null,
      deltaNs: after.workNs[block] * scales[1] - before.workNs[block] * scales[0],
    };
  });
  const isRoot = (at: number) => both[at][0] === 0;
  const together = judgeRows(
    rows.filter((_, at) => !isRoot(at)),
    noise,
  ).values();
  for (const [at, [block]] of both.entries()) {
    const judged = isRoot(at) ? judgeTotal(rows[at], noise) : together.next().value;
    if (!judged) continue;
    noiseNs[block] = judged.noise ?? NaN;
    verdict[block] = blockVerdicts.indexOf(judged.verdict);
  }
  return {noiseNs, verdict};
}

/** Returns the verdict of a block that is not judged. */
function untold(beforeNs: number, afterNs: number): (typeof blockVerdicts)[number] {
  if (beforeNs === 0 && afterNs > 0) return 'new';
  if (afterNs === 0 && beforeNs > 0) return 'gone';
  return beforeNs === afterNs ? 'same' : 'cannot tell';
}
