import {say} from '../base/say.js';
import {TraceError} from '../base/errors.js';
import {getOrAdd} from '../table/get-or-add.js';
import {TableBuilder} from '../table/table.js';
import {operatorSchema} from '../trace/gpu-operations.js';
import {kindIndex, sliceSchema} from '../trace/slices.js';
import type {Trace} from '../trace/trace.js';
import type {CapturedStack} from './stacks-of-replay.js';

/** A launch of a graph, with the captured calls of its operations. */
export interface ExpandedReplay {
  /** Row of the slices table of the launch. */
  readonly launch: number;
  /** Rows of `gpuOperations`. */
  readonly operations: readonly number[];
  /** By operation: the captured call and its surroundings. */
  readonly stacks: readonly CapturedStack[];
}

/** A row added inside a launch: `from` and `end` count the launch's operations. */
interface AddedRow {
  readonly name: number;
  readonly kind: number;
  readonly from: number;
  end: number;
  /** Row of the capture's operators, -1 for none. */
  readonly operator: number;
  /** The replay's operation whose captured call this row is, -1 for others. */
  readonly operation: number;
}

/** These rows take a gigabyte; only malicious files have more. */
const mostRows = 30_000_000;

/**
 * Returns the trace with the calls that captured a graph added inside each of its launches: their callers (ranges,
 * operators, modules, Python frames), and the calls themselves. Each call takes 1 ns, because a replay spends no time
 * in it.
 *
 *     cudaGraphLaunch   |======================|       the launch, as it was
 *       nn.Module: Mlp  |=|                            two captured calls: 2 ns
 *         aten::mm      ||
 *           call        ||                             launched the first kernel
 *         aten::relu     ||
 *           call         ||                            launched the second one
 *
 * A launch that is too short for its calls, or has no free time for them, is unchanged.
 *
 * @param captured the trace to which the rows of the stacks belong
 * @throws TraceError `capture/too-large`
 */
export function expandReplays(trace: Trace, captured: Trace, replays: readonly ExpandedReplay[]): Trace {
  const texts = new Map<number, number>();
  const domains = new Map(trace.domainOfName);
  const inside = new Map<number, PlacedRows>();
  let count = 0;
  replays.forEach((replay, index) => {
    const place = freePlace(trace, replay.launch, replay.operations.length);
    if (!place) return;
    const rows = rowsOfReplay(captured, replay, nameOf);
    count += rows.length;
    if (count > mostRows) {
      const text = say('The replays of graphs have too many calls to be shown one by one.');
      throw new TraceError('capture/too-large', text);
    }
    inside.set(place.after, {rows, startNs: place.startNs, track: trace.slices.track[replay.launch], replay: index});
  });
  return {...withRows(trace, captured, inside, count), domainOfName: domains};

  function nameOf(name: number): number {
    return getOrAdd(texts, name, () => {
      const index = trace.strings.intern(captured.strings.get(name));
      const domain = captured.domainOfName.get(name);
      if (domain !== undefined) domains.set(index, domain);
      return index;
    });
  }
}

/** Rows added after a row of the slices table. */
interface PlacedRows {
  readonly rows: readonly AddedRow[];
  readonly startNs: number;
  readonly track: number;
  readonly replay: number;
}

function withRows(trace: Trace, captured: Trace, inside: ReadonlyMap<number, PlacedRows>, count: number): Trace {
  const {slices, operators, gpuOperations, apiCalls} = trace;
  const table = new TableBuilder(sliceSchema, slices.length + count);
  const rowOf = new Int32Array(slices.length + 1);
  const calls = new Int32Array(gpuOperations.length).fill(-1);
  const numbered = new NumberedOperators(trace, captured);
  for (let row = 0; row < slices.length; row++) {
    const at = table.add();
    rowOf[row] = at;
    for (const name of columnNames) table.columns[name][at] = slices[name][row];
    numbered.addOwn(row, at);
    const placed = inside.get(row);
    for (const {name, kind, from, end, operator, operation} of placed?.rows ?? []) {
      const {startNs = 0, track = 0, replay = 0} = placed ?? {};
      const slice = table.push({startNs: startNs + from, durationNs: end - from, name, track, kind, source: -1});
      if (operation >= 0) calls[operation] = slice;
      if (operator >= 0) numbered.addCaptured(slice, operator, replay);
    }
  }
  rowOf[slices.length] = table.length;
  const moved = (rows: Int32Array) => Int32Array.from(rows, row => rowOf[row]);
  return {
    ...trace,
    slices: table.finish(),
    tracks: trace.tracks.map(track => ({
      ...track,
      firstSlice: rowOf[track.firstSlice],
      endSlice: rowOf[track.endSlice],
    })),
    gpuOperations: {...gpuOperations, slice: moved(gpuOperations.slice)},
    apiCalls: {...apiCalls, slice: moved(apiCalls.slice)},
    operators: {...operators, ...numbered.table.finish()},
    forwardBackward: moved(trace.forwardBackward),
    assumed: moved(trace.assumed),
    capturedCalls: calls,
  };
}

/** The operators of a trace, and those of a capture, renumbered for each replay. */
class NumberedOperators {
  readonly table: TableBuilder<typeof operatorSchema>;
  readonly #firstSequence: number;
  readonly #sequences: number;
  readonly #firstThread: number;
  #next = 0;

  constructor(
    private readonly trace: Trace,
    private readonly captured: Trace,
  ) {
    const {operators} = trace;
    this.table = new TableBuilder(operatorSchema, operators.length + 1024);
    this.#firstSequence = 1 + greatest(operators.sequence);
    this.#sequences = 1 + greatest(captured.operators.sequence);
    this.#firstThread = 1 + greatest(operators.forwardThread);
  }

  /** Adds the operators of a row of the trace's slices, which is now row `slice`. */
  addOwn(row: number, slice: number): void {
    const {externalId, sequence, forwardThread, length, slice: rows} = this.trace.operators;
    for (; this.#next < length && rows[this.#next] === row; this.#next++) {
      const at = this.#next;
      this.table.push({slice, externalId: externalId[at], sequence: sequence[at], forwardThread: forwardThread[at]});
    }
  }

  /** Adds an operator of the capture. A replay's backward operators find their forward ones only within the replay. */
  addCaptured(slice: number, row: number, replay: number): void {
    const sequence = this.captured.operators.sequence[row];
    const thread = this.captured.operators.forwardThread[row];
    this.table.push({
      slice,
      externalId: -1,
      sequence: sequence < 0 ? -1 : this.#firstSequence + replay * this.#sequences + sequence,
      forwardThread: thread > 0 ? this.#firstThread + thread : thread,
    });
  }
}

const columnNames = ['startNs', 'durationNs', 'name', 'track', 'kind', 'source'] as const;

/** Returns the rows to add inside a launch, parents first. Consecutive calls share their common surroundings. */
function rowsOfReplay(
  captured: Trace,
  {operations, stacks}: ExpandedReplay,
  nameOf: (name: number) => number,
): AddedRow[] {
  const {slices} = captured;
  const rows: AddedRow[] = [];
  let open: {slice: number; row: AddedRow}[] = [];
  stacks.forEach(({around, call, operatorOf}, at) => {
    let shared = 0;
    while (shared < open.length && shared < around.length && open[shared].slice === around[shared]) shared++;
    open = open.slice(0, shared);
    for (const {row} of open) row.end = at + 1;
    for (const slice of around.slice(shared)) {
      const row = added(slice, slices.kind[slice], at, operatorOf(slice), -1);
      open.push({slice, row});
    }
    added(call, kindIndex.cuda_graph_event, at, -1, operations[at]);
  });
  return rows;

  function added(slice: number, kind: number, from: number, operator: number, operation: number): AddedRow {
    const row = {name: nameOf(slices.name[slice]), kind, from, end: from + 1, operator, operation};
    rows.push(row);
    return row;
  }
}

/**
 * Returns where inside a launch `lengthNs` are free, and the row of the slices table before it; null if there is no
 * such place.
 */
function freePlace({slices, tracks}: Trace, launch: number, lengthNs: number): {after: number; startNs: number} | null {
  const {startNs, durationNs, track} = slices;
  const endNs = startNs[launch] + durationNs[launch];
  const {endSlice} = tracks[track[launch]];
  let freeNs = startNs[launch];
  let after = launch;
  for (let row = launch + 1; row < endSlice && startNs[row] <= endNs; row++) {
    if (startNs[row] > freeNs + lengthNs) break;
    freeNs = Math.max(freeNs, startNs[row] + durationNs[row] + 1);
    after = row;
  }
  return freeNs + lengthNs <= endNs ? {after, startNs: freeNs} : null;
}

function greatest(column: ArrayLike<number>): number {
  let most = 0;
  for (let at = 0; at < column.length; at++) most = Math.max(most, column[at]);
  return most;
}
