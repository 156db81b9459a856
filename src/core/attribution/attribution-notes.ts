import {formatCount, plural} from '../format/count.js';
import {KeyedRows} from '../table/keyed-rows.js';
import {lowerBound} from '../table/search.js';
import {kindIndex} from '../trace/slices.js';
import type {Trace, TraceNote} from '../trace/trace.js';
import type {Attribution} from './attribute.js';
import {autogradOperators} from './autograd-operators.js';
import {linkForwardOperators} from './forward-operators.js';
import {operatorStacks} from './operator-stacks.js';
import {mostPathNames} from './range-groups.js';

/** Thresholds, as shares of operations: notes are written above `unlaunched` and below `agreement`. */
const worthSaying = {unlaunched: 0.05, agreement: 0.9} as const;

/**
 * Returns notes on how reliably a file links GPU work to its launches; none if it does so well.
 *
 * @see docs/metrics.md#quality
 */
export function attributionNotes(trace: Trace, attribution: Attribution): TraceNote[] {
  const notes: TraceNote[] = [];
  const add = (code: string, text: string) => notes.push({code, text});
  noteLaunches(trace, attribution, add);
  noteExternalIds(trace, attribution, add);
  noteForwardBackward(trace, add);
  noteDepth(attribution, add);
  return notes;
}

type AddNote = (code: string, text: string) => void;

/** Notes ranges that nest so deep that call paths are cut. */
function noteDepth({ranges: {parent}}: Attribution, add: AddNote): void {
  const depthOf = new Int32Array(parent.length);
  let deepest = 0;
  // Parents precede children.
  for (let range = 0; range < parent.length; range++) {
    depthOf[range] = parent[range] < 0 ? 1 : depthOf[parent[range]] + 1;
    if (depthOf[range] > deepest) deepest = depthOf[range];
  }
  if (deepest <= mostPathNames) return;
  add(
    'ranges/deep',
    `Ranges nest ${formatCount(deepest)} deep: call paths show the innermost ${String(mostPathNames)} names.`,
  );
}

function noteLaunches({gpuOperations}: Trace, {sites}: Attribution, add: AddNote): void {
  const {length} = gpuOperations;
  let unlaunched = 0;
  for (let operation = 0; operation < length; operation++) {
    if (sites.callOf[operation] < 0) unlaunched++;
  }
  if (unlaunched > worthSaying.unlaunched * length) {
    add(
      'attribution/no-launch',
      `${plural(unlaunched, 'GPU operation')} of ${formatCount(length)} have no launching call in the file: no range can be told from it.`,
    );
  }
}

/** Kineto names an operator for each operation, which should be one around the launching call. */
function noteExternalIds(trace: Trace, attribution: Attribution, add: AddNote): void {
  const {copies, agreeing, disagreeing} = externalIdAgreement(trace, attribution);
  if (copies > 0) {
    add(
      'attribution/external-ids',
      `The external ids of ${plural(copies, 'GPU operation')} are copies of their correlation ids and say nothing: operators are told by time.`,
    );
  }
  if (disagreeing > 0 && agreeing < worthSaying.agreement * (agreeing + disagreeing)) {
    add(
      'attribution/external-ids-disagree',
      `The external ids of ${plural(disagreeing, 'GPU operation')} name another operator than the one around the launching call: the latter counts.`,
    );
  }
}

/**
 * Counts the operations whose external ids are copies of correlation ids, agree with containment in time, or disagree.
 *
 * @param chosen operations whose mask is 1; null for all
 */
export function externalIdAgreement(
  trace: Trace,
  {sites}: Attribution,
  chosen: Uint8Array | null = null,
): {copies: number; agreeing: number; disagreeing: number} {
  const {slices, gpuOperations, operators} = trace;
  const {externalId, correlation, length} = gpuOperations;
  const counts = {copies: 0, agreeing: 0, disagreeing: 0};
  if (!externalId.some(id => id !== -1)) return counts;
  const byExternalId = new KeyedRows(operators.externalId);
  const {node, slice: sliceOf, parent} = operatorStacks(trace, sites);
  const isCall = (site: number) => site >= 0 && sites.isCall[site] === 1;
  const isAsked = (operation: number) => (chosen === null || chosen[operation] === 1) && externalId[operation] !== -1;
  for (let operation = 0; operation < length; operation++) {
    const id = externalId[operation];
    const site = sites.siteOf[operation];
    if (!isAsked(operation) || !isCall(site)) continue;
    const isCopy = id === correlation[operation];
    const slot = byExternalId.slot(id);
    const named = slot < 0 ? -1 : operators.slice[byExternalId.rows[byExternalId.offsets[slot]]];
    if (named >= 0 && isAround(node[site], named)) counts.agreeing++;
    else if (isCopy) counts.copies++;
    else if (named >= 0 && slices.kind[named] === kindIndex.cpu_op) counts.disagreeing++;
  }
  return counts;

  function isAround(stack: number, slice: number): boolean {
    for (let at = stack; at >= 0; at = parent[at]) if (sliceOf[at] === slice) return true;
    return false;
  }
}

/** Compares the profiler's own arrows from forward to backward operators with the sequence numbers. */
function noteForwardBackward(trace: Trace, add: AddNote): void {
  const {forwardBackward} = trace;
  if (forwardBackward.length === 0) return;
  const operators = autogradOperators(trace);
  const {forwardOf} = linkForwardOperators(trace, operators);
  let disagreeing = 0;
  for (let i = 0; i < forwardBackward.length; i += 2) {
    const row = lowerBound(operators.slice, forwardBackward[i + 1]);
    if (operators.slice[row] !== forwardBackward[i + 1]) continue;
    if (forwardOf[row] >= 0 && forwardOf[row] !== forwardBackward[i]) disagreeing++;
  }
  if (disagreeing === 0) return;
  add(
    'attribution/fwdbwd-disagree',
    `${plural(disagreeing, 'arrow')} from forward to backward operators of ${formatCount(forwardBackward.length / 2)} lead elsewhere than the sequence numbers, which count.`,
  );
}
