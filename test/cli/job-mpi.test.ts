import Database from 'better-sqlite3';
import {join} from 'node:path';
import {expect, it} from 'vitest';
import {json} from '../support/command-line.js';
import {temporaryFolder} from '../support/project.js';

const folder = temporaryFolder();

/** Calls of MPI as nsys exports them: name, start and end, ns. */
type Call = readonly [name: string, startNs: number, endNs: number];

/** A report of one rank that MPI started, on thread 10 of process 10. */
function reportOf(rank: number, calls: readonly Call[]): string {
  const path = join(folder, `report${String(rank)}.sqlite`);
  const database = new Database(path);
  database.exec(`
    create table META_DATA_EXPORT (name text, value text);
    insert into META_DATA_EXPORT values ('EXPORT_PRODUCT_VERSION', '2024.6.2.225'), ('EXPORT_SCHEMA_VERSION', '3.16.1');
    create table META_DATA_CAPTURE (name text, value text);
    insert into META_DATA_CAPTURE values
      ('PROCESS_0:ENVIRONMENT_VARIABLE', 'OMPI_COMM_WORLD_RANK="${String(rank)}"'),
      ('PROCESS_0:ENVIRONMENT_VARIABLE', 'OMPI_COMM_WORLD_SIZE="2"');
    create table StringIds (id integer primary key, value text not null);
    create table MPI_COLLECTIVES_EVENTS (start integer, "end" integer, globalTid integer, textId integer, size integer);`);
  calls.forEach(([name, startNs, endNs], id) => {
    database.prepare('insert into StringIds values (?, ?)').run(id, name);
    database.prepare('insert into MPI_COLLECTIVES_EVENTS values (?, ?, 281475144482826, ?, 8)').run(startNs, endNs, id);
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
  const job = json('job', first, second) as {
    alignedBy: string;
    missing: number[];
    ranks: {rank: number; residualNs: number}[];
    collectives: Record<string, unknown>[];
  };
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
