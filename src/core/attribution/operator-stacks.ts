import type {SliceKind} from '../trace/slices.js';
import type {Trace} from '../trace/trace.js';
import {findStacks, threadScopes} from './find-stacks.js';
import type {LaunchSites} from './launch-sites.js';
import {StackTreeBuilder} from './open-ranges.js';
import {rowsOfKinds} from './rows-of-kinds.js';

/** The operators and annotations around each launch: follow `parent` from the innermost outwards. */
export interface OperatorStacks {
  /** Site → row of the slices table of the innermost one, -1 for none. */
  readonly innermost: Int32Array;
  /** Site → node of its stack, -1 for none. */
  readonly node: Int32Array;
  /** Node → row of the slices table. */
  readonly slice: Int32Array;
  /** Node → the node below it, -1 for none. */
  readonly parent: Int32Array;
}

/**
 * Returns the stacks that PyTorch recorded around each launch on its thread. @throws TraceError
 * `trace/too-many-open-ranges`
 */
export function operatorStacks(trace: Trace, sites: LaunchSites): OperatorStacks {
  const rows = rowsOfKinds(trace, new Set<SliceKind>(['cpu_op', 'user_annotation']));
  const tree = new StackTreeBuilder();
  const scopes = {rows, ids: null, scopeOfTrack: threadScopes(trace)};
  const {node, innermost} = findStacks(trace, scopes, sites.slice, tree);
  const {range, parent} = tree.finish();
  return {innermost: innermost.map(at => (at < 0 ? -1 : rows[at])), node, slice: range.map(at => rows[at]), parent};
}
