import type {JobRank, RankCall} from './job-rank.js';

/** A value of a summary's table. Whole numbers of a file are read as a bigint or a number. */
export type SummaryValue = string | number | bigint | null;

/** Column → its values, row by row; a column that a file lacks is absent. */
export type SummaryTable = Readonly<Record<string, ArrayLike<SummaryValue | undefined>>>;

/**
 * A column of a summary, and the type of its cells. A row has values in the columns of its kind, and in the first four.
 */
export interface SummaryColumn {
  readonly name: SummaryColumnName;
  readonly type: 'text' | 'integer' | 'real';
  readonly about: string;
}

const columns = {
  kind: ['text', 'What the row is: rank, part, step, range, collective, kernel, tokens or grouped'],
  rank: ['integer', 'The rank; empty where neither the profile nor its name tells it'],
  file: ['text', 'The profile that was summarised'],
  process: ['text', 'The process of that profile, where it holds several ranks'],
  name: ['text', 'The range, the collective operation, the kernel, or the part of the time'],
  host: ['text', 'rank: the machine, where the profile or its name tells it'],
  device: ['text', 'rank: its GPU, where the profile names one'],
  world_size: ['integer', 'rank: how many ranks the job has'],
  rank_from: ['text', 'rank: what tells the rank: profile, name or order'],
  origin_ns: ['integer', 'rank: the first event on its own clock, ns'],
  is_time_of_day: ['integer', 'rank: 1 where that clock is the time of day'],
  step: ['integer', 'step, collective: the step’s number'],
  start_ns: ['integer', 'step, collective: when it begins, ns from the first event'],
  end_ns: ['integer', 'step, collective: when it ends'],
  duration_ns: ['integer', 'step, collective: end_ns - start_ns; part: how long'],
  count: ['integer', 'kernel: how often it ran; tokens, grouped: how many'],
  gpu_work_ns: ['integer', 'range: GPU work launched inside, the backward pass included; kernel: its GPU work'],
  cpu_wall_ns: ['integer', 'range: time between its begin and end'],
  cpu_self_ns: ['integer', 'range: that less the ranges inside'],
  process_group: ['text', 'collective: the process group'],
  group_size: ['integer', 'collective: ranks of the group'],
  sequence: ['integer', 'collective: number of the call in its group'],
  busy_ns: ['integer', 'collective: time in which its kernels ran, on the CPU all of its time; rank: that of its GPUs'],
  bytes: ['real', 'collective: bytes as NCCL’s tests count them'],
  exposed_ns: ['integer', 'collective, rank: the part of busy_ns in which the GPU computed nothing'],
  sent_bytes: ['real', 'collective: bytes that the rank puts in'],
  group_ranks: ['text', 'collective: ranks of the group, as the profile lists them'],
  splits: ['text', 'collective: the parts of an all-to-all, a rank each'],
  peer: ['integer', 'collective: the rank that is sent to'],
  layer: ['text', 'collective: the layer whose experts an all-to-all is for; tokens, grouped: their layer'],
  is_dispatch: ['integer', 'collective: 1 where it brings them what they work on'],
  mpi: [
    'text',
    'collective: of MPI as JSON: the function, the bytes that it sends, and its communicator’s handle on this rank',
  ],
  experts: ['integer', 'grouped: how many experts the products are of'],
  expert: ['integer', 'tokens: the expert that was given them; empty for all that the router gave out'],
} as const satisfies Readonly<Record<string, readonly [SummaryColumn['type'], string]>>;
export type SummaryColumnName = keyof typeof columns;

/** The columns of a summary, in their order. */
export const summaryColumns: readonly SummaryColumn[] = Object.entries(columns).map(([name, [type, about]]) => ({
  ...{name: name as SummaryColumnName, type, about},
}));

type Row = Partial<Record<SummaryColumnName, SummaryValue>>;

/**
 * Returns the summary of a profile's ranks as a table: all data that a job needs, with a row for each rank, part of its
 * time, step, range, collective call and kernel. Unknown numbers are null.
 */
export function summaryTable(ranks: readonly JobRank[]): Record<SummaryColumnName, SummaryValue[]> {
  const empty = summaryColumns.map(({name}) => [name, [] as SummaryValue[]]);
  const table = Object.fromEntries(empty) as Record<SummaryColumnName, SummaryValue[]>;
  const add = (row: Row) => {
    for (const {name} of summaryColumns) table[name].push(row[name] ?? null);
  };
  for (const rank of ranks) for (const row of rowsOf(rank)) add(row);
  return table;
}

function* rowsOf(rank: JobRank): Generator<Row> {
  const {file, process, host, device, worldSize, rankFrom, originNs, isTimeOfDay} = rank;
  const own: Row = {rank: rankFrom === 'order' ? null : rank.rank, file, process};
  const clock: Row = {origin_ns: originNs, is_time_of_day: isTimeOfDay ? 1 : 0};
  const overlap: Row = rank.overlap
    ? {busy_ns: rank.overlap.communicationNs, exposed_ns: rank.overlap.communicationNs - rank.overlap.overlapNs}
    : {};
  yield {kind: 'rank', ...own, ...clock, host, device, world_size: worldSize, rank_from: rankFrom, ...overlap};
  for (const {part, ns} of rank.parts) yield {kind: 'part', ...own, name: part, duration_ns: ns};
  for (const {number, startNs, endNs} of rank.steps)
    yield {kind: 'step', ...own, step: number, ...span(startNs, endNs)};
  for (const {name, gpuWorkNs, cpuWallNs, cpuSelfNs} of rank.ranges) {
    yield {kind: 'range', ...own, name, gpu_work_ns: gpuWorkNs, cpu_wall_ns: cpuWallNs, cpu_self_ns: cpuSelfNs};
  }
  for (const call of rank.calls) {
    yield {kind: 'collective', ...own, ...callCells(call, rank)};
  }
  for (const {name, count, gpuWorkNs} of rank.kernels) {
    yield {kind: 'kernel', ...own, name, count, gpu_work_ns: gpuWorkNs};
  }
  for (const {layer, expert, tokens} of rank.tokens) yield {kind: 'tokens', ...own, layer, expert, count: tokens};
  for (const {layer, experts, tokens} of rank.grouped) yield {kind: 'grouped', ...own, layer, experts, count: tokens};
}

function callCells(call: RankCall, {steps}: JobRank): Row {
  const {operation, group, groupSize, sequence, startNs, endNs, busyNs, bytes, step} = call;
  const place: Row = {step: step < 0 ? null : steps[step].number, ...span(startNs, endNs)};
  const member: Row = {process_group: group, group_size: known(groupSize), sequence: known(sequence)};
  const {exposedNs, sentBytes, groupRanks, splits, peer, layer, isDispatch, mpi} = call;
  const experts: Row = {layer, is_dispatch: layer === null ? null : Number(isDispatch)};
  const sent: Row = {sent_bytes: known(sentBytes), group_ranks: groupRanks, splits, peer: known(peer)};
  const busy: Row = {busy_ns: busyNs, exposed_ns: known(exposedNs), bytes: known(bytes)};
  const byMpi: Row = mpi ? {mpi: JSON.stringify({...mpi, bytes: known(mpi.bytes)})} : {};
  return {name: operation, ...place, ...member, ...busy, ...sent, ...experts, ...byMpi};
}

function span(startNs: number, endNs: number): Row {
  return {start_ns: startNs, end_ns: endNs, duration_ns: endNs - startNs};
}

function known(value: number): number | null {
  return Number.isNaN(value) ? null : value;
}
