import type {RangeChoice} from '../attribution/ranges.js';
import {getOrAdd} from '../table/get-or-add.js';
import type {Trace} from '../trace/trace.js';
import {operationOrigins} from '../figures/operation-origins.js';
import {attributionOf} from '../scope/attribution-of.js';
import {selectOperations, type Selection} from '../scope/selection.js';

/** The origin of some operations of one name. */
export interface LaunchSource {
  /** The operator around the launch; for a kernel made by torch.compile, it has the kernel's name. Null for none. */
  readonly operator: string | null;
  /** The first such operator: row of the slices table, -1 for none. The file may record its kernel's source. */
  readonly operatorSlice: number;
  /** Names that may lead to a line: tagged ranges from the innermost outwards, the module, the user's Python frame. */
  readonly names: readonly string[];
  readonly instances: number;
  /** Sum of the durations of these instances. */
  readonly gpuWorkNs: number;
}

/** A range may have another name in each step. If there are more sources, those with the most GPU work are returned. */
export const mostLaunchSources = 5000;

/**
 * Returns what launched GPU operations, the most GPU work first. For autograd's launches, ranges around the launch come
 * before those around the forward operator; module and frame are the forward operator's. An operation has no source if
 * no call launched it, or if nothing is around the call. At most `mostLaunchSources`.
 *
 * @param isWanted whether an operation's slice is wanted
 * @param choice the kind of the selection's range; the user's ranges if absent
 * @throws TraceError `selection/no-match`, `trace/too-many-open-ranges`
 * @see docs/metrics.md#origins
 */
export function launchSources(
  trace: Trace,
  isWanted: (slice: number) => boolean,
  selection: Selection = {},
  choice?: RangeChoice,
): LaunchSource[] {
  const {slices, strings, gpuOperations} = trace;
  const attribution = attributionOf(trace);
  const {ranges, stacks, credit, own, sites} = attribution;
  const chosen = selectOperations(trace, attributionOf(trace, choice), selection);
  const {operator, module, frame} = operationOrigins(trace, attribution);
  const found = new Map<string, LaunchSource & {instances: number; gpuWorkNs: number}>();
  for (let operation = 0; operation < gpuOperations.length; operation++) {
    const slice = gpuOperations.slice[operation];
    if (chosen?.[operation] === 0 || !isWanted(slice) || sites.siteOf[operation] < 0) continue;
    const names = namesAround(operation);
    const operatorName = operator[operation] < 0 ? -1 : slices.name[operator[operation]];
    if (operatorName < 0 && names.length === 0) continue;
    // Texts are looked up once per source, not per operation.
    const sum = getOrAdd(found, [operatorName, ...names].join(), () => ({
      operator: operatorName < 0 ? null : strings.get(operatorName),
      operatorSlice: operator[operation],
      names: names.map(name => strings.get(name)),
      ...{instances: 0, gpuWorkNs: 0},
    }));
    sum.instances++;
    sum.gpuWorkNs += slices.durationNs[slice];
  }
  return [...found.values()].sort((a, b) => b.gpuWorkNs - a.gpuWorkNs).slice(0, mostLaunchSources);

  /** Returns names as indices into the string table. */
  function namesAround(operation: number): number[] {
    const site = sites.siteOf[operation];
    const rows: number[] = [];
    for (const stack of [own[site], credit.forward[site]]) {
      for (let node = stack; node >= 0; node = stacks.parent[node]) rows.push(ranges.slice[stacks.range[node]]);
    }
    rows.push(module[operation], frame[operation]);
    return [...new Set(rows.filter(slice => slice >= 0).map(slice => slices.name[slice]))];
  }
}
