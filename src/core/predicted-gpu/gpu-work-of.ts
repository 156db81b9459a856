import {tensorsOf, type OperatorInputs, type OperatorShapes} from '../figures/operator-inputs.js';
import type {Precision} from '../estimate/precision.js';
import type {System} from '../estimate/system.js';
import type {OperatorCost} from '../roofline/cost-formula.js';
import {operatorCost} from '../roofline/operator-cost.js';
import {rooflineNs} from '../roofline/roofs.js';
import {kindIndex} from '../trace/slices.js';
import type {Trace, Track} from '../trace/trace.js';
import type {EfficiencyTable} from './efficiency-table.js';
import {classNs} from './fit-efficiency.js';
import {gpuThreads} from './gpu-threads.js';
import {startsNoKernel, waitsForGpu} from './without-kernel.js';
import {predictedClass, type PredictedClass} from './work-class.js';

/** The work that an operator of a CPU recording would start on a GPU. */
export interface PredictedWork {
  /** Row of `slices`. */
  readonly slice: number;
  readonly class: PredictedClass;
  /** The time of its kernels; 0 for an operator that only waits for the GPU. */
  readonly gpuNs: number;
  /**
   * `shapes`: its cost is known; `inputs`: only the bytes of its inputs are; `wait`: the CPU waits for the launched
   * work; `free`: memory is freed at the end of a node of autograd, which a GPU's allocator keeps instead.
   */
  readonly basis: 'shapes' | 'inputs' | 'wait' | 'free';
  /** The part of the slice that is meant, ns in the recording. */
  readonly startNs: number;
  readonly endNs: number;
  /** Whether it is one of many similar operators in an optimizer's step, which a GPU runs as one for all tensors. */
  readonly isMerged: boolean;
}

/** A node of autograd's graph takes longer at its end only where it frees memory, ns. */
const longestFreeNs = 25_000;
const autogradNode = 'autograd::engine::evaluate_function';

/** Sizes come from a file: a kernel of a quarter of an hour is not real, ns. */
const longestNs = 1e12;

interface Open {
  readonly slice: number;
  readonly endNs: number;
  readonly isDataLoader: boolean;
  /** The optimizer's range around it, -1 for none. */
  readonly optimizer: number;
  /** When the last slice inside it ends; null if there is none. */
  lastEndNs: number | null;
  /** Index in the list of the first operator found inside. */
  readonly first: number;
}

/**
 * Returns the work that a CPU recording would start on a GPU, in the order of the slices: of the innermost operators
 * whose shapes give their cost, and otherwise of the innermost operators with tensors. Data loading stays on the CPU.
 *
 * @param shapes shapes of all operators (detail `shapes`)
 */
export function predictedWork(
  trace: Trace,
  shapes: OperatorShapes,
  system: System,
  table: EfficiencyTable,
): PredictedWork[] {
  const seen = new Set<string>();
  const {all} = gpuThreads(trace);
  return trace.tracks.flatMap((track, index) => (all.has(index) ? workOfThread(trace, track, price, seen) : []));

  function price(slice: number): PricedOperator | null {
    const name = trace.strings.get(trace.slices.name[slice]);
    const inputs = shapes.get(slice);
    if (!name.includes('::') || /^(?:torch::)?autograd::/.test(name) || !inputs) return null;
    // A number that became a tensor stays on the CPU, or is part of another kernel.
    const tensors = tensorsOf(inputs);
    if (!waitsForGpu(name) && !joinsTensors(name) && tensors.every(({dims}) => dims.length === 0)) return null;
    if (waitsForGpu(name)) return {class: 'elementwise', gpuNs: 0, floorNs: 0, hasProduct: false, basis: 'wait'};
    const priced = priceOf(name, inputs, system, table);
    return priced && priced.gpuNs <= longestNs ? priced : null;
  }
}

interface PricedOperator extends Pick<PredictedWork, 'class' | 'gpuNs' | 'basis'> {
  readonly floorNs: number;
  /** Whether it includes products. */
  readonly hasProduct: boolean;
}

function priceOf(name: string, inputs: OperatorInputs, system: System, table: EfficiencyTable): PricedOperator | null {
  const cost = operatorCost(name, inputs);
  const own = predictedClass(name, cost);
  // A class without measurements gets the efficiency of products.
  const figures = table[own] ?? table.product ?? {floorNs: 0, efficiency: 1};
  const leastNs = cost && rooflineNs(cost.flops, cost.bytes, precisionOnGpu(own, cost, system), system);
  const {floorNs} = figures;
  if (cost && leastNs !== null)
    return {class: own, gpuNs: classNs(figures, leastNs), floorNs, hasProduct: cost.flops.matrix > 0, basis: 'shapes'};
  const bytes = movedBytes(name, inputs);
  if (startsNoKernel(name) || (bytes === 0 && !joinsTensors(name))) return null;
  const gpuNs = classNs(figures, (bytes / system.hbmBytesPerSecond) * 1e9);
  return {class: own, gpuNs, floorNs, hasProduct: false, basis: 'inputs'};
}

/**
 * Returns the precision in which a GPU would multiply. By default, PyTorch computes convolutions of float32 in TF32
 * (`torch.backends.cudnn.allow_tf32`), on GPUs without matrix units for float32.
 */
function precisionOnGpu(kind: PredictedClass, {precision}: OperatorCost, system: System): Precision | null {
  const {fp32, tf32} = system.matrixFlopsPerSecond;
  const isTf32 = kind === 'convolution' && precision === 'fp32' && fp32 === undefined && tf32 !== undefined;
  return isTf32 ? 'tf32' : precision;
}

/**
 * Returns the least bytes that an operator of unknown cost moves: its inputs once; for a table, only the rows that are
 * looked up, read and written.
 */
function movedBytes(name: string, inputs: OperatorInputs): number {
  const tensors = tensorsOf(inputs);
  const [table, indices] = tensors;
  if (/::(embedding|index_select)$/.test(name) && tensors.length === 2) {
    return indices.bytes + 2 * indices.elements * (table.dims.at(-1) ?? 1) * table.elementBytes;
  }
  return sumOf(tensors.map(tensor => tensor.bytes));
}

/** Returns whether an operator joins a list of tensors, whose type profilers do not tell. */
function joinsTensors(name: string): boolean {
  return /^aten::(cat|stack)$/.test(name);
}

const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);

function workOfThread(
  {slices, strings}: Trace,
  {firstSlice, endSlice}: Track,
  price: (slice: number) => PricedOperator | null,
  seen: Set<string>,
): PredictedWork[] {
  const found: (PredictedWork & Pick<PricedOperator, 'hasProduct'>)[] = [];
  const open: Open[] = [];
  const close = (upToNs: number) => {
    for (let top = open.at(-1); top && top.endNs <= upToNs; top = open.at(-1)) {
      open.pop();
      const around = open.at(-1);
      if (around) around.lastEndNs = top.endNs;
      take(top);
    }
  };
  for (let slice = firstSlice; slice < endSlice; slice++) {
    close(slices.startNs[slice]);
    const name = strings.get(slices.name[slice]);
    const around = open.at(-1);
    open.push({
      slice,
      endNs: slices.startNs[slice] + slices.durationNs[slice],
      isDataLoader: around?.isDataLoader === true || name.startsWith('enumerate(DataLoader)'),
      optimizer: name.startsWith('Optimizer.') ? slice : (around?.optimizer ?? -1),
      lastEndNs: null,
      first: found.length,
    });
  }
  close(Infinity);
  return found.sort((a, b) => a.startNs - b.startNs || a.slice - b.slice);

  /**
   * Decides on an operator once all operators inside it are known. A product that is known by its shapes counts once:
   * that of `aten::mm` inside `aten::matmul`, but that of `aten::addmm`, not its copy of a bias. Any other operator
   * replaces those inside it, such as one that zeroes its output, if most of its time is its own.
   */
  function take({slice, endNs, isDataLoader, optimizer, lastEndNs, first}: Open): void {
    if (slices.kind[slice] !== kindIndex.cpu_op || isDataLoader) return;
    const freesFromNs = freesFrom({slice, endNs, lastEndNs});
    if (freesFromNs !== null) {
      found.push(freeing(slice, freesFromNs, endNs));
      return;
    }
    const priced = price(slice);
    if (!priced || (priced.basis === 'wait' && isStepNumber(slice, optimizer))) return;
    if (isDoneInside(priced, slices.durationNs[slice], found.slice(first))) return;
    found.length = first;
    const key = `${String(optimizer)} ${String(slices.name[slice])}`;
    const isMerged = optimizer >= 0 && seen.has(key);
    if (optimizer >= 0) seen.add(key);
    const {floorNs, gpuNs, ...rest} = priced;
    const startNs = slices.startNs[slice];
    found.push({slice, startNs, endNs, ...rest, gpuNs: isMerged ? gpuNs - floorNs : gpuNs, isMerged});
  }
  /** Returns when a node of autograd begins to free memory; null for other slices, and where it hardly does. */
  function freesFrom({slice, endNs, lastEndNs}: Pick<Open, 'slice' | 'endNs' | 'lastEndNs'>): number | null {
    // A node without operators may be a function of the script.
    if (lastEndNs === null || endNs - lastEndNs <= longestFreeNs) return null;
    return strings.get(slices.name[slice]).startsWith(autogradNode) ? lastEndNs : null;
  }

  /** Returns whether an operator reads the number of an optimizer's step, which is on the CPU, and not a loss. */
  function isStepNumber(slice: number, optimizer: number): boolean {
    const around = open.find(one => one.slice === optimizer);
    const isNumber = strings.get(slices.name[slice]) === 'aten::_local_scalar_dense';
    return around !== undefined && isNumber && !found.slice(around.first).some(work => work.hasProduct);
  }

  /** Returns whether the work of an operator is that of the operators inside it. */
  function isDoneInside({hasProduct}: PricedOperator, durationNs: number, inside: typeof found): boolean {
    if (hasProduct) return inside.some(work => work.basis !== 'inputs' && work.hasProduct);
    return sumOf(inside.map(work => work.endNs - work.startNs)) > durationNs / 2;
  }
}

function freeing(slice: number, startNs: number, endNs: number): PredictedWork & Pick<PricedOperator, 'hasProduct'> {
  return {slice, startNs, endNs, class: 'elementwise', gpuNs: 0, basis: 'free', isMerged: false, hasProduct: false};
}
