import Database from 'better-sqlite3';
import {join} from 'node:path';
import {expect, it} from 'vitest';
import {json, run} from '../support/command-line.js';
import {temporaryFolder} from '../support/project.js';

const folder = temporaryFolder();

/** A call of MPI as nsys exports it: name, start and end in ns, bytes, and its communicator: its id, or handle. */
type Call = readonly [name: string, startNs: number, endNs: number, bytes?: number, communicator?: bigint];

interface Job {
  readonly alignedBy: string;
  readonly missing: readonly number[];
  readonly ranks: readonly {readonly rank: number; readonly residualNs: number | null}[];
  readonly collectives: readonly Readonly<Record<string, unknown>>[];
  readonly notes: readonly {readonly code: string; readonly text: string}[];
}

let reports = 0;

/**
 * A report of one rank that MPI started, on thread 10 of process 10.
 *
 * @param column what says the communicator: older reports have handles alone
 */
function reportOf(rank: number, calls: readonly Call[], column: 'commUid' | 'commHandle' = 'commHandle'): string {
  const path = join(folder, `report${String(reports++)}.sqlite`);
  const database = new Database(path);
  database.exec(`
    create table META_DATA_EXPORT (name text, value text);
    insert into META_DATA_EXPORT values ('EXPORT_PRODUCT_VERSION', '2024.6.2.225'), ('EXPORT_SCHEMA_VERSION', '3.16.1');
    create table META_DATA_CAPTURE (name text, value text);
    insert into META_DATA_CAPTURE values
      ('PROCESS_0:ENVIRONMENT_VARIABLE', 'OMPI_COMM_WORLD_RANK="${String(rank)}"'),
      ('PROCESS_0:ENVIRONMENT_VARIABLE', 'OMPI_COMM_WORLD_SIZE="2"');
    create table StringIds (id integer primary key, value text not null);
    create table MPI_COLLECTIVES_EVENTS (start integer, "end" integer, globalTid integer, textId integer, ${column} integer,
      size integer);
    create table MPI_COMMUNICATORS (rank integer, commHandle integer, size integer, commUid integer);
    insert into MPI_COMMUNICATORS values (0, 11, 2, 7), (0, 12, 2, 9007199254740993);`);
  const insert = database.prepare('insert into MPI_COLLECTIVES_EVENTS values (?, ?, 281475144482826, ?, ?, ?)');
  calls.forEach(([name, startNs, endNs, bytes = 8, communicator = null], id) => {
    database.prepare('insert into StringIds values (?, ?)').run(id, name);
    insert.run(startNs, endNs, id, communicator, bytes);
  });
  database.close();
  return path;
}

it('collectives of MPI in reports of Nsight Systems align clocks and tell waiting from transfer', () => {
  // The second rank’s clock is 5 µs ahead; it comes 300 and 100 ns later to the all-reduces, the first one to the rest.
  const first = reportOf(0, [
    ['MPI_Allreduce', 1000, 1500],
    ['MPI_Bcast', 2000, 2100],
    ['MPI_Iallreduce', 2200, 2210],
    ['MPI_Allreduce', 3000, 3300],
    ['MPI_Barrier', 4000, 4050],
  ]);
  const second = reportOf(1, [
    ['MPI_Allreduce', 6300, 6500],
    ['MPI_Bcast', 6900, 7100],
    ['MPI_Iallreduce', 7200, 7210],
    ['MPI_Allreduce', 8100, 8300],
    ['MPI_Barrier', 8950, 9050],
  ]);
  const job = json('job', first, second) as Job;
  expect(job.notes).toEqual([notJudged]);
  expect([job.alignedBy, job.missing]).toEqual(['collectives', []]);
  expect(job.ranks.map(({rank, residualNs}) => [rank, residualNs])).toEqual([
    [0, 0],
    [1, 0],
  ]);
  expect(
    job.collectives.map(({name, count, bytes, waitNs, transferNs}) => ({name, count, bytes, waitNs, transferNs})),
  ).toEqual([
    {name: 'all_reduce', count: 2, bytes: null, waitNs: {0: 400, 1: 0}, transferNs: 400},
    {name: 'broadcast', count: 1, bytes: null, waitNs: {0: 0, 1: 100}, transferNs: 100},
    {name: 'barrier', count: 1, bytes: null, waitNs: {0: 0, 1: 50}, transferNs: 50},
  ]);
});

// Rank 0 makes its calls of the first communicator before those of the second, rank 1 the other way round. By order
// alone, an all-reduce of 100 ns would be paired with one of 900 ns.
const [one, other] = [7n, 9_007_199_254_740_993n];
const forth: readonly Call[] = [
  ['MPI_Allreduce', 1000, 1100, 8, one],
  ['MPI_Allreduce', 2000, 2900, 8, other],
];
const back: readonly Call[] = [
  ['MPI_Allreduce', 2100, 2900, 8, other],
  ['MPI_Allreduce', 1000, 1100, 8, one],
];

it('calls of MPI belong together by the communicator that the report names, in profiles and in summaries', () => {
  const files = [reportOf(0, forth, 'commUid'), reportOf(1, back, 'commUid')];
  const job = json('job', ...files) as Job;
  expect(
    job.collectives.map(({name, group, count, waitNs, transferNs}) => ({name, group, count, waitNs, transferNs})),
  ).toEqual([
    {name: 'all_reduce', group: 'MPI communicator 9007199254740993', count: 1, waitNs: {0: 100, 1: 0}, transferNs: 800},
    {name: 'all_reduce', group: 'MPI communicator 7', count: 1, waitNs: {0: 0, 1: 0}, transferNs: 100},
  ]);
  expect([job.alignedBy, job.notes]).toEqual(['collectives', [notJudged]]);
  const summaries = files.map(file => `${file}.parquet`);
  files.forEach((file, at) => expect(run('summarize', file, '-o', summaries[at] ?? '').status).toBe(0));
  expect((json('job', ...summaries) as Job).collectives).toEqual(job.collectives);
});

/** A few calls outside any step name nobody. */
const notJudged = {
  code: 'job/not-judged',
  text: 'GPU Lens cannot tell whether a rank holds the others up: the ranks share no collective call within a step.',
};

const text = (calls: number) =>
  `${String(calls)} collective calls of MPI are left out: the reports do not tell which of them belong together.`;

it.each([
  ['a rank uses several communicators, and the report has their handles alone', forth, back],
  [
    'one makes a call that the other does not',
    forth.slice(0, 1),
    [...forth.slice(0, 1), ['MPI_Barrier', 3000, 3100, 0, one]],
  ],
  ['they make other calls', [['MPI_Allreduce', 1000, 1100]], [['MPI_Bcast', 1000, 1100]]],
  ['they send other sizes', [['MPI_Allreduce', 1000, 1100, 8]], [['MPI_Allreduce', 1000, 1100, 16]]],
] as const)(
  'calls of MPI are left out, which is said, where %s',
  (_, ofFirst: readonly Call[], ofSecond: readonly Call[]) => {
    const files = [reportOf(0, ofFirst), reportOf(1, ofSecond)];
    const job = json('job', ...files) as Job;
    expect([job.alignedBy, job.collectives]).toEqual(['wall clock', []]);
    expect(job.notes).toContainEqual({code: 'job/mpi-left-out', text: text(ofFirst.length + ofSecond.length)});
    const summaries = files.map(file => `${file}.parquet`);
    files.forEach((file, at) => expect(run('summarize', file, '-o', summaries[at] ?? '').status).toBe(0));
    expect((json('job', ...summaries) as Job).notes).toEqual(job.notes);
  },
);

it('a communicator of the report on whose calls the ranks do not agree is left out alone', () => {
  const files = [
    reportOf(0, [...forth, ['MPI_Barrier', 4000, 4100, 0, one], ['MPI_Bcast', 5000, 5100, 8, other]], 'commUid'),
    // What was recorded of it is shorter, but alike.
    reportOf(1, [...forth, ['MPI_Reduce', 4000, 4100, 8, one]], 'commUid'),
  ];
  const job = json('job', ...files) as Job;
  expect(job.collectives.map(({group, count}) => [group, count])).toEqual([[`MPI communicator ${String(other)}`, 1]]);
  expect(job.notes).toEqual([notJudged, {code: 'job/mpi-left-out', text: text(4)}]);
});
