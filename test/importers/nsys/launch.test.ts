import Database from 'better-sqlite3';
import {describe, expect, it} from 'vitest';
import {noDetails} from '../../../src/core/figures/report-details.js';
import {ranksOfTrace} from '../../../src/core/job/ranks-of-trace.js';
import {openTrace} from '../../../src/importers/open-trace.js';
import {ownProfiles} from '../../support/own-profiles.js';
import {temporaryFolder} from '../../support/project.js';

/** An export of one process, with what nsys notes of how it was started. */
async function ranksOf(environment: readonly string[], hosts: readonly string[], isOneProcess = true) {
  const folder = temporaryFolder();
  const path = ownProfiles(folder).nsys.at(0)?.path ?? '';
  const db = new Database(path);
  const operations = db.prepare(
    "select name from sqlite_master where name like 'CUPTI_ACTIVITY_KIND_M%' or name like '%_KERNEL'",
  );
  for (const table of operations.pluck().all() as string[]) {
    if (isOneProcess)
      db.exec(`delete from ${table} where globalPid <> (select min(globalPid) from CUPTI_ACTIVITY_KIND_KERNEL)`);
  }
  db.exec('create table META_DATA_CAPTURE (name text, value text)');
  db.exec('create table if not exists TARGET_INFO_SYSTEM_ENV (name text, value text)');
  db.exec('create table TARGET_INFO_SESSION_START_TIME (utcEpochNs integer)');
  db.exec('insert into TARGET_INFO_SESSION_START_TIME values (1763510400000000123)');
  const capture = db.prepare("insert into META_DATA_CAPTURE values ('PROCESS_0:ENVIRONMENT_VARIABLE', ?)");
  for (const line of environment) capture.run(line);
  const system = db.prepare("insert into TARGET_INFO_SYSTEM_ENV (name, value) values ('Hostname', ?)");
  for (const host of hosts) system.run(host);
  db.close();
  const trace = await openTrace(path);
  return ranksOfTrace({name: 'report.sqlite', trace, details: noDetails}, 4);
}

describe('a report of nsys', () => {
  it.each([
    ['torchrun', ['RANK="3"', 'WORLD_SIZE="8"', 'SLURM_PROCID="0"'], 3, 8],
    ['Open MPI', ['OMPI_COMM_WORLD_RANK=2', 'OMPI_COMM_WORLD_SIZE=4'], 2, 4],
    ['MPICH', ['PMI_RANK="1"', 'PMI_SIZE="2"'], 1, 2],
    ['Slurm', ['SLURM_PROCID="5"', 'SLURM_NTASKS="16"'], 5, 16],
    ['Slurm, with a size that is not of the ranks', ['SLURM_PROCID="5"', 'SLURM_NTASKS="1"'], 5, null],
  ])('tells the rank that %s gave the program', async (_, environment, rank, worldSize) => {
    const [only, ...others] = await ranksOf(environment, ['node7']);
    expect(others).toEqual([]);
    expect(only).toMatchObject({rank, worldSize, rankFrom: 'profile', host: 'node7', isTimeOfDay: true});
    expect(only?.originNs).toBeGreaterThanOrEqual(1_763_510_400_000_000_123n);
  });

  it('tells no rank by words that are none, and no host where it names several', async () => {
    const [only] = await ranksOf(['RANK="first"', 'PMI_RANK=""', 'OTHER_RANK="1"'], ['a', 'b']);
    expect(only).toMatchObject({rank: 4, worldSize: null, rankFrom: 'order', host: null});
  });

  it('of several processes has a rank for each, whatever the program that started them was', async () => {
    const ranks = await ranksOf(['SLURM_PROCID="0"', 'SLURM_NTASKS="1"'], ['node7'], false);
    expect(ranks.map(({rank, worldSize, host}) => [rank, worldSize, host])).toEqual([
      [4, null, 'node7'],
      [5, null, 'node7'],
    ]);
  });
});
