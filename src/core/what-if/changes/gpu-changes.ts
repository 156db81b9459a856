import {say} from '../../base/say.js';
import {counted} from '../../format/count.js';
import {formatFixed} from './factor-text.js';
import type {ProductType} from '../../names/product-type.js';
import {systemOfTrace} from '../../roofline/roofs.js';
import {greatest, least} from '../../table/extremes.js';
import type {System} from '../../estimate/system.js';
import {byBound, factorOf, type Bound, type ChangeEffect, type ChangeKind} from './change.js';
import {computing, presetNamed, productPeak, productType, workClasses, type WorkClass} from './kernel-types.js';
import {launchedIn} from './launched-in.js';
import {namedSlices} from './named-slices.js';
import {backwardOf, namedWork, noDataSheet, nothingCalled, splitName} from './named-work.js';
import type {ReplayPlan} from './replay-plan.js';

/** Kernels shorter than this are bound by latency, so faster hardware does not speed them up, ns. */
const latencyBoundNs = 5_000;

/** Makes kernels or a range faster. */
export const faster: ChangeKind = {
  word: 'faster',
  usage: 'faster=NAME:FACTOR',
  meaning:
    'kernels called NAME, or everything in ranges, operators, functions or lines called NAME with its backward pass, get FACTOR times faster; inf removes it',
  make: value => {
    const parts = /^(.+):([^:]+)$/.exec(value);
    if (!parts) return 'needs a name and a factor: faster=NAME:FACTOR';
    const [, name, text] = parts;
    const factor = /^inf(inity)?$/i.test(text) ? Infinity : factorOf(text, 0.001);
    if (typeof factor === 'string') return `${factor}; inf removes it`;
    return (plan, bound) => speedUp(plan, bound, name, factor);
  },
};

function speedUp(plan: ReplayPlan, bound: Bound, name: string, factor: number): ChangeEffect {
  const {ofThreads, operations} = namedSlices(plan.trace, name);
  if (ofThreads.length + operations.length === 0) return nothingCalled(name);
  const backward = backwardOf(plan.trace, ofThreads);
  // A different algorithm may leave its gradients unchanged; a removed computation has none.
  const isBackwardIn = bound !== 'most' || factor === Infinity;
  const rows = isBackwardIn ? [...ofThreads, ...backward] : ofThreads;
  const inside = new Set([...operations, ...launchedIn(plan.trace, plan.replay, rows)]);
  for (const operation of inside) plan.scaleOperation(operation, 1 / factor);
  plan.scaleSlices(rows, 1 / factor);
  return {basis: partsText([operations.length, ofThreads.length, backward.length], name, factor === Infinity)};
}

function partsText(
  [operations, slices, backward]: readonly [operations: number, slices: number, backward: number],
  name: string,
  isRemoved: boolean,
): string {
  const parts = [
    counted(operations, '{0} GPU operation', '{0} GPU operations'),
    counted(slices, '{0} slice of threads', '{0} slices of threads'),
    name,
  ];
  if (backward === 0) return say('{0} and {1} called "{2}", with the GPU work that they launch', ...parts);
  return say(
    isRemoved
      ? '{0} and {1} called "{2}" and their {3}, with the GPU work that they launch'
      : '{0} and {1} called "{2}" and their {3}, with the GPU work that they launch (at worst, the backward pass does not change)',
    ...parts,
    counted(backward, '{0} backward operator', '{0} backward operators'),
  );
}

/** Computes products in another precision. */
export const precision: ChangeKind = {
  word: 'precision',
  usage: 'precision=bf16|fp16|tf32[:NAME]',
  meaning:
    'matrix products, convolutions and attention that are computed in a wider type are computed in this one; with NAME: those of it',
  make: value => {
    const [type, name] = splitName(value);
    if (type !== 'bf16' && type !== 'fp16' && type !== 'tf32') return `takes bf16, fp16 or tf32, not "${type}"`;
    return (plan, bound) => narrowProducts(plan, bound, type, name);
  },
};

function narrowProducts(plan: ReplayPlan, bound: Bound, to: ProductType, ofName: string): ChangeEffect {
  const work = namedWork(plan, ofName);
  if (!work) return nothingCalled(ofName);
  const system = systemOfTrace(plan.trace)?.preset;
  if (!system) return noDataSheet();
  const {slices, strings, gpuOperations} = plan.trace;
  const peak = productPeak(system.system, to);
  const isWider = (type: ProductType) => type === 'fp32' || (type === 'tf32' && to !== 'tf32');
  let products = 0;
  workClasses(plan.trace).forEach((kind, operation) => {
    if (!work.has(operation)) return;
    const row = gpuOperations.slice[operation];
    const name = strings.get(slices.name[row]);
    if (computing.has(kind)) {
      const own = productPeak(system.system, productType(name));
      if (!isWider(productType(name)) || own === null || peak === null || peak <= own) return;
      products++;
      // At best, the efficiency stays the same. Tensor cores are seldom kept that busy, so the square root is expected.
      const gain = peak / own;
      plan.scaleOperation(operation, 1 / byBound(bound, Math.sqrt(gain), gain, Math.min(1.3, gain)));
    } else if (to !== 'tf32' && (kind === 'elementwise' || kind === 'copy' || kind === 'normalisation')) {
      // Autocast keeps some operators in fp32, and adds casts.
      if (isWider(productType(name))) plan.scaleOperation(operation, byBound(bound, 0.75, 0.5, 1.1));
    }
  });
  if (products === 0) return {unknown: say('no matrix product is computed in a wider type than {0}', to)};
  return {
    basis: counted(
      products,
      '{0} matrix product: faster by the square root of the ratio of the peaks of {1} (at best, by the ratio itself; at worst, by 1.3)',
      '{0} matrix products: faster by the square root of the ratio of the peaks of {1} (at best, by the ratio itself; at worst, by 1.3)',
      system.id.toUpperCase(),
    ),
  };
}

/** Predicts another GPU. */
export const gpu: ChangeKind = {
  word: 'gpu',
  usage: 'gpu=NAME',
  meaning: 'kernels run on another GPU, each class at the efficiency that it reaches here; the CPU stays',
  make: name => {
    const target = presetNamed(name);
    if (name === '' || !target) return `knows no GPU "${name}"; gpu-lens estimate --help lists them`;
    return (plan, bound) => {
      const source = systemOfTrace(plan.trace)?.preset;
      if (!source) return noDataSheet();
      return moveTo(
        plan,
        bound,
        source.system,
        target.system,
        `${source.id.toUpperCase()} → ${target.id.toUpperCase()}`,
      );
    };
  },
};

function moveTo(plan: ReplayPlan, bound: Bound, source: System, target: System, names: string): ChangeEffect {
  const {slices, strings, gpuOperations} = plan.trace;
  const bytes = target.hbmBytesPerSecond / source.hbmBytesPerSecond;
  const ofLinks = target.nvlinkBytesPerSecond / source.nvlinkBytesPerSecond;
  workClasses(plan.trace).forEach((kind, operation) => {
    const row = gpuOperations.slice[operation];
    const isShort = slices.durationNs[row] < latencyBoundNs;
    const type = productType(strings.get(slices.name[row]));
    const [own, other] = [productPeak(source, type), productPeak(target, type)];
    const products = own !== null && other !== null ? other / own : bytes;
    const gain = gainOf(kind, {bytes, products, ofLinks});
    const [slow, fast] = [least(gain), greatest(gain)];
    const likely = isShort ? Math.min(gain[0], Math.sqrt(Math.max(1, gain[0]))) : gain[0];
    plan.scaleOperation(operation, 1 / byBound(bound, likely, fast, isShort ? Math.min(1, slow) : 0.85 * slow));
  });
  return {
    basis: say(
      '{0}: matrix products scale with the peak, and other kernels with memory bandwidth ({1} times), at the efficiency reached here. Kernels under 5 µs gain less. Copies to and from the host do not change',
      names,
      formatFixed(bytes),
    ),
  };
}

/** Returns the expected gain of a class, and the other resources that could limit it. */
function gainOf(
  kind: WorkClass,
  {bytes, products, ofLinks}: {readonly bytes: number; readonly products: number; readonly ofLinks: number},
): readonly [expected: number, other: number] {
  if (kind === 'host copy') return [1, 1];
  if (kind === 'communication') return [ofLinks, 1];
  return computing.has(kind) ? [products, bytes] : [bytes, bytes];
}

/** Predicts another batch size. */
export const batch: ChangeKind = {
  word: 'batch',
  usage: 'batch=FACTOR',
  meaning: 'batches are FACTOR times as large; the prediction is the time of a step, with FACTOR times the samples',
  make: value => {
    const factor = factorOf(value, 0.001);
    if (typeof factor === 'string') return factor;
    return (plan, bound) => scaleBatch(plan, bound, factor);
  },
};

function scaleBatch(plan: ReplayPlan, bound: Bound, factor: number): ChangeEffect {
  const {trace, replay} = plan;
  const {slices, gpuOperations} = trace;
  const ofOptimizer = new Set(launchedIn(trace, replay, optimizerRows(plan)));
  // Small kernels change less than the batch, because they did not fill the GPU.
  const large = byBound(
    bound,
    factor,
    factor < 1 ? factor : 1 + 0.75 * (factor - 1),
    factor < 1 ? 1 - 0.75 * (1 - factor) : factor * 1.05,
  );
  const short = factor < 1 ? Math.max(large, Math.sqrt(factor)) : Math.min(large, Math.sqrt(factor));
  workClasses(trace).forEach((kind, operation) => {
    if (ofOptimizer.has(operation) || kind === 'communication') return;
    const isShort = slices.durationNs[gpuOperations.slice[operation]] < latencyBoundNs;
    plan.scaleOperation(operation, isShort ? short : large);
  });
  plan.scaleSlices(namedSlices(trace, 'enumerate(DataLoader)').ofThreads, factor);
  return {
    basis: say(
      'the data loader, and kernels other than those of the optimizer and communication, take {0} times as long (kernels under 5 µs less). The CPU time of operators does not change',
      formatFixed(factor),
    ),
  };
}

function optimizerRows({trace}: ReplayPlan): number[] {
  return ['Optimizer.step', 'Optimizer.zero_grad'].flatMap(name => [...namedSlices(trace, name).ofThreads]);
}
