import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {afterAll, describe, expect, it} from 'vitest';
import {noDetails} from '../../../src/core/figures/report-details.js';
import {find, factQueries} from '../../../src/core/findings/find.js';
import {nsysRules} from '../../../src/core/findings/nsys/nsys-rules.js';
import type {FactValue} from '../../../src/core/findings/rules/rule.js';
import type {Trace} from '../../../src/core/trace/trace.js';
import {openTrace} from '../../../src/importers/open-trace.js';
import {loadReportDetails} from '../../../src/importers/report-details.js';
import {columnDetails} from '../../../src/sql/needed-details.js';
import {TraceDatabase} from '../../../src/sql/trace-database.js';
import {cell} from '../../support/findings.js';
import {GpuProgram} from '../../support/gpu-program.js';
import {writeNsysDatabase} from '../../support/nsys-database.js';
import {dataFolder, hasData} from '../../support/real-data.js';
import {traceOfEvents} from '../../support/trace-of-events.js';

/** The same of a file. */
async function listedIn(path: string): Promise<Record<string, readonly number[]>> {
  const trace = await openTrace(path);
  return listed(trace, await loadReportDetails(path, trace, columnDetails));
}

/** Rule → the values of its evidence. */
async function listed(trace: Trace, details = noDetails): Promise<Record<string, readonly number[]>> {
  const answers = new Map<string, FactValue>();
  const database = new TraceDatabase();
  database.addDetails(details);
  for (const sql of factQueries(nsysRules)) answers.set(sql, await cell(trace, sql, database));
  const found = find(answers, nsysRules).map(({rule, evidence}) => [rule, evidence.map(({value}) => value)] as const);
  return Object.fromEntries(found);
}

async function ofProgram(make: (program: GpuProgram) => void) {
  const program = new GpuProgram();
  make(program);
  return listed(await traceOfEvents(program.events));
}

/** What a synchronous copy looks like: `cudaMemcpy` beside the copy that it made. */
function renameCalls(program: GpuProgram, from: string, to: string): void {
  for (const event of program.events as {name?: string}[]) if (event.name === from) event.name = to;
}

describe('nsys’s expert rules', () => {
  it('list gaps of more than 500 ms, and no others', async () => {
    const gap = (ms: number) => (program: GpuProgram) =>
      void program
        .launch({gpu: 100})
        .python(ms * 1000 + 90)
        .launch({gpu: 100});
    expect((await ofProgram(gap(501)))['nsys/gpu_gaps']?.[0]).toBe(1);
    expect((await ofProgram(gap(499)))['nsys/gpu_gaps']).toBeUndefined();
  });

  it('list those of 30 parts that are used for less than half', async () => {
    // 10 ms of work, 20 ms of nothing, and a last operation of 1 ms: 31 ms, of which about 20 parts are empty.
    const half = await ofProgram(program => void program.launch({gpu: 10_000}).python(29_995).launch({gpu: 1000}));
    const [rows, timeNs] = half['nsys/gpu_time_util'] ?? [];
    expect(rows).toBeGreaterThanOrEqual(18);
    expect(rows).toBeLessThanOrEqual(20);
    expect((timeNs ?? NaN) / 20e6).toBeCloseTo(1, 0);
    expect(await ofProgram(program => void program.launches(60, {gpu: 100, cpu: 100}))).toEqual({});
  });

  it('list copies by their call, memory, size and way', async () => {
    const copies = async (name: string, bytes: number, call: string) =>
      Object.keys(
        await ofProgram(program => {
          program.launch({gpu: 10, name, bytes});
          renameCalls(program, 'cudaMemcpyAsync', call);
        }),
      );
    const [pageable, pinned] = ['Memcpy HtoD (Pageable -> Device)', 'Memcpy HtoD (Pinned -> Device)'];
    expect(await copies(pageable, 10, 'cudaMemcpyAsync')).toEqual(['nsys/cuda_memcpy_async']);
    expect(await copies(pinned, 10, 'cudaMemcpyAsync')).toEqual([]);
    expect(await copies(pinned, 64_001, 'cudaMemcpy')).toEqual(['nsys/cuda_memcpy_sync']);
    expect(await copies(pinned, 64_000, 'cudaMemcpy')).toEqual([]);
    expect(await copies('Memcpy DtoH (Device -> Pinned)', 4, 'cudaMemcpy')).toEqual(['nsys/cuda_memcpy_sync']);
    expect(await copies('Memcpy DtoD (Device -> Device)', 1e6, 'cudaMemcpy')).toEqual([]);
  });

  it('list synchronous memsets of pinned memory', async () => {
    const memset = async (name: string, call: string) => {
      const program = new GpuProgram();
      program.launch({gpu: 10, name, bytes: 4});
      renameCalls(program, 'cudaMemcpyAsync', call);
      for (const event of program.events as {cat?: string}[]) if (event.cat === 'gpu_memcpy') event.cat = 'gpu_memset';
      return Object.keys(await listed(await traceOfEvents(program.events)));
    };
    expect(await memset('Memset (Pinned)', 'cudaMemset')).toEqual(['nsys/cuda_memset_sync']);
    expect(await memset('Memset (Device)', 'cudaMemset')).toEqual([]);
    expect(await memset('Memset (Pinned)', 'cudaMemsetAsync')).toEqual([]);
  });

  it('list calls that synchronise', async () => {
    const calls = (name: string) => ofProgram(program => void program.launch({gpu: 100}).call(name, 300));
    expect(await calls('cudaStreamSynchronize')).toEqual({'nsys/cuda_api_sync': [1, 300_000, 300_000]});
    expect(await calls('cudaEventSynchronize')).toEqual({});
  });
});

/** What the rules of nsys 2022.4.2 list for these files: the number, the time of all, ns; of chunks the use, percent. */
describe.skipIf(!hasData)('the rules of nsys 2022.4', () => {
  it.each([
    [
      'cs336-2.7b-a100',
      {
        'nsys/gpu_time_util': [2, 616_308_664, 308_154_332, 7.4],
        'nsys/cuda_memcpy_async': [292, 4_460_338_962, 40_706_690],
        'nsys/cuda_api_sync': [295, 953_678_852, 471_281_585],
      },
    ],
    [
      'power-iteration-t4',
      {'nsys/cuda_memcpy_async': [89, 322_040, 6176], 'nsys/cuda_api_sync': [89, 335_519, 10_207]},
    ],
    [
      'cloverleaf-4xa100-mpi',
      {'nsys/cuda_memcpy_sync': [269, 9_376_491, 51_968], 'nsys/cuda_api_sync': [1312, 301_652_956, 1_951_451]},
    ],
    [
      'train-2xh100-2proc',
      {'nsys/cuda_memcpy_async': [4, 3360, 928], 'nsys/cuda_api_sync': [8, 856_929_451, 428_468_918]},
    ],
  ])('list the same in %s', async (name, expected) => {
    expect(await listedIn(join(dataFolder, 'nsys', `${name}.sqlite`))).toEqual(expected);
  });
});

describe('the memories of an export', () => {
  const path = join(mkdtempSync(join(tmpdir(), 'gpu-lens-memories-')), 'made.sqlite');
  afterAll(() => {
    rmSync(dirname(path), {recursive: true});
  });

  const rulesWith = async (sql: string) => Object.keys(await listedIn(writeNsysDatabase(path, sql)));

  it.each([
    [0, 2, ['nsys/cuda_memcpy_async']],
    [2, 0, ['nsys/cuda_memcpy_async']],
    [1, 2, []],
  ])('%i and %i of a copy that an asynchronous call started', async (source, target, expected) => {
    const rules = await rulesWith(`UPDATE StringIds SET value = 'cudaMemcpyAsync_v3020' WHERE id = 9;
      ALTER TABLE CUPTI_ACTIVITY_KIND_MEMCPY ADD srcKind integer; ALTER TABLE CUPTI_ACTIVITY_KIND_MEMCPY ADD dstKind integer;
      UPDATE CUPTI_ACTIVITY_KIND_MEMCPY SET srcKind = ${String(source)}, dstKind = ${String(target)};`);
    expect(rules.filter(rule => rule.includes('mem'))).toEqual(expected);
  });

  it.each([
    [1, ['nsys/cuda_memset_sync']],
    [4, ['nsys/cuda_memset_sync']],
    [2, []],
  ])('%i of a memset that a synchronous call started', async (kind, expected) => {
    const rules = await rulesWith(`UPDATE StringIds SET value = 'cudaMemset_v3020' WHERE id = 9;
      CREATE TABLE CUPTI_ACTIVITY_KIND_MEMSET (start integer, "end" integer, deviceId integer, contextId integer, streamId integer,
        correlationId integer, globalPid integer, value integer, bytes integer, memKind integer);
      DELETE FROM CUPTI_ACTIVITY_KIND_MEMCPY;
      INSERT INTO CUPTI_ACTIVITY_KIND_MEMSET VALUES (4000, 4400, 0, 1, 7, 2, 281475144482816, 0, 4096, ${String(kind)});`);
    expect(rules.filter(rule => rule.includes('mem'))).toEqual(expected);
  });
});
