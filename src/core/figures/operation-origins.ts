import type {Attribution} from '../attribution/attribute.js';
import {findStacks, threadScopes} from '../attribution/find-stacks.js';
import {StackTreeBuilder} from '../attribution/open-ranges.js';
import {rowsOfKinds} from '../attribution/rows-of-kinds.js';
import {isOfPackage} from '../source/python-packages.js';
import {distinctAscending} from '../table/search.js';
import {namesThat} from '../trace/names-that.js';
import type {SliceKind} from '../trace/slices.js';
import type {Trace} from '../trace/trace.js';
import {attributionOf} from '../scope/attribution-of.js';

/**
 * The origin of each GPU operation: by its row, rows of the slices table, -1 if the trace does not record it.
 *
 *     operation  operator         module            frame
 *             0  "aten::addmm"    "nn.Module: Mlp"  "train.py(12): step"
 *             1  "aten::mul"      -1                -1
 */
export interface OperationOrigins {
  /** The innermost PyTorch operator around the launching call. */
  readonly operator: Int32Array;
  /** The innermost module. */
  readonly module: Int32Array;
  /** The innermost Python frame of the user's own code. */
  readonly frame: Int32Array;
  /** 1 if module and frame come from the forward operator: autograd's threads run no Python. */
  readonly isOfForward: Uint8Array;
}

/** Returns the operator, module and Python frame that launched each operation. @see docs/metrics.md#origins */
export function operationOrigins(trace: Trace, attribution: Attribution = attributionOf(trace)): OperationOrigins {
  const {sites, credit} = attribution;
  const forward = distinctAscending(credit.forwardSlice);
  const at = (containers: Int32Array) => ({
    site: innermostAround(trace, containers, sites.slice),
    forward: innermostAround(trace, containers, forward.values),
  });
  const operators = innermostAround(trace, rowsOfKinds(trace, new Set<SliceKind>(['cpu_op'])), sites.slice);
  const modules = at(rowsOfKinds(trace, new Set<SliceKind>(['module'])));
  const frames = at(userFrames(trace));
  const length = sites.siteOf.length;
  const origins = {
    operator: new Int32Array(length).fill(-1),
    module: new Int32Array(length).fill(-1),
    frame: new Int32Array(length).fill(-1),
    isOfForward: new Uint8Array(length),
  };
  for (let operation = 0; operation < length; operation++) {
    const site = sites.siteOf[operation];
    if (site < 0) continue;
    origins.operator[operation] = operators[site];
    origins.module[operation] = modules.site[site];
    origins.frame[operation] = frames.site[site];
    const place = forward.placeOf(credit.forwardSlice[site]);
    if (place < 0 || modules.site[site] >= 0 || frames.site[site] >= 0) continue;
    origins.module[operation] = modules.forward[place];
    origins.frame[operation] = frames.forward[place];
    origins.isOfForward[operation] = 1;
  }
  return origins;
}

/** Returns site → row of the innermost container around it on its thread, -1 for none. */
function innermostAround(trace: Trace, rows: Int32Array, sites: Int32Array): Int32Array {
  const tree = new StackTreeBuilder();
  const {innermost} = findStacks(trace, {rows, ids: null, scopeOfTrack: threadScopes(trace)}, sites, tree);
  for (let site = 0; site < innermost.length; site++) if (innermost[site] >= 0) innermost[site] = rows[innermost[site]];
  return innermost;
}

function userFrames(trace: Trace): Int32Array {
  return rowsOfKinds(trace, new Set<SliceKind>(['python_function'])).filter(namesThat(trace, isUserFrame));
}

const standardModules = new Set(
  'contextlib _contextlib functools threading runpy typing abc enum inspect copy pickle weakref warnings queue selectors socket subprocess'.split(
    ' ',
  ),
);

/**
 * Returns whether a Python frame of PyTorch's profiler (`path/file.py(12): name`) is the user's own: not a built-in,
 * and not part of an installed package, PyTorch or the standard library.
 */
export function isUserFrame(name: string): boolean {
  const path = /^([^<].*)\.py\(\d+\): /.exec(name)?.[1];
  if (path === undefined) return false;
  if (/(?:^|[/\\])(?:(?:site|dist)-packages|lib(?:64)?[/\\]python3?\.?\d*)[/\\]/.test(path)) return false;
  return /[/\\]/.test(path) ? !isOfPackage(path) : !standardModules.has(path);
}
