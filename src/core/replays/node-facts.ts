import type {GridTable, LaunchedKernels, ReportDetails} from '../figures/report-details.js';
import {gridRowOf} from '../figures/report-details.js';
import {kernelClass, type KernelClass} from '../names/kernel-class.js';
import type {Trace} from '../trace/trace.js';
import {nodeKindOfOperation, type CapturedGraph, type NodeKind} from './captured-graphs.js';
import type {GraphReplay} from './graph-replays.js';

/** Facts by which nodes and operations are compared; absent facts match anything. */
export interface NodeFacts {
  readonly kind: NodeKind;
  readonly kernel: string | null;
  /** Grid and block, `20,32,1,128,1,1`. */
  readonly grid: string | null;
  /** The innermost operator around the captured call; null for operations. */
  readonly operator: string | null;
}

/** Returns whether an operation can be a node, given what is known of both. */
export function isNodeOf(operation: NodeFacts, node: NodeFacts): boolean {
  if (operation.kernel === null) return operation.kind === node.kind;
  if (!isKindOf(operation.kernel, operation.kind, node.kind)) return false;
  if (node.kind !== 'kernel') return true;
  if (node.grid !== null && operation.grid !== null && node.grid !== operation.grid) return false;
  if (node.kernel !== null) return node.kernel === operation.kernel;
  return node.operator === null || canLaunch(node.operator, operation.kernel);
}

/** AMD's runtime copies and fills with its own kernels. */
function isKindOf(kernel: string, kind: NodeKind, asked: NodeKind): boolean {
  return kind === asked || (asked !== 'kernel' && /rocclr_(?:copy|fill)/i.test(kernel));
}

const products = /^aten::(?:mm|addmm|bmm|baddbmm|linear|matmul|_scaled_mm)$/;
const elementwise = /^aten::(?:add|sub|mul|div|neg|relu|gelu|silu|sigmoid|tanh|exp|rsqrt|pow|copy|fill|zero)_?$/;
const neverOfProducts: ReadonlySet<KernelClass> = new Set(['softmax', 'normalisation', 'attention', 'communication']);

/** Returns whether an operator can launch a kernel, if the capture does not name the launched kernel. */
function canLaunch(operator: string, kernel: string): boolean {
  // Triton's kernels have the names of their operators.
  if (operator.startsWith('triton_')) return operator === kernel;
  if (products.test(operator)) return !neverOfProducts.has(kernelClass(kernel));
  return !elementwise.test(operator) || kernelClass(kernel) !== 'matrix product';
}

/** Returns the facts of a captured graph's nodes. */
export function factsOfGraph(
  trace: Trace,
  {calls, kinds}: CapturedGraph,
  launched: LaunchedKernels | null,
  operatorOf: (slice: number) => string | null,
): NodeFacts[] {
  return Array.from(calls, (call, at) => {
    const name = launched?.name[call] ?? -1;
    return {
      kind: kinds[at],
      kernel: launched && name >= 0 ? launched.strings.get(name) : null,
      grid: launched ? gridText(launched.grids, call) : null,
      operator: operatorOf(trace.apiCalls.slice[call]),
    };
  });
}

/** Returns the facts of a replay's operations; null if the graph was traced as a whole. */
export function factsOfReplay(trace: Trace, {operations}: GraphReplay, details: ReportDetails): NodeFacts[] | null {
  const {slices, gpuOperations, strings} = trace;
  const facts: NodeFacts[] = [];
  for (const operation of operations) {
    const slice = gpuOperations.slice[operation];
    const kind = nodeKindOfOperation(slices.kind[slice]);
    if (kind === null) return null;
    const grid = details.grids ? gridText(details.grids, gridRowOf(details, operation)) : null;
    facts.push({kind, kernel: strings.get(slices.name[slice]), grid, operator: null});
  }
  return facts;
}

function gridText({gridX, gridY, gridZ, blockX, blockY, blockZ}: GridTable, row: number): string | null {
  const parts = [gridX, gridY, gridZ, blockX, blockY, blockZ].map(column => column[row]);
  return parts.some(part => part === -1) ? null : parts.join();
}
