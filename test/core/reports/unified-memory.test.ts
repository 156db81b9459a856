import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {reportScope} from '../../../src/core/scope/report-scope.js';
import {makeReports, parseReportRequest} from '../../../src/core/reports/reports.js';
import {loadReportDetails} from '../../../src/importers/report-details.js';
import {openTrace} from '../../../src/importers/open-trace.js';
import {run} from '../../support/command-line.js';
import {reportOfFile, textRows} from '../../support/make-report.js';
import {writeNsysDatabase} from '../../support/nsys-database.js';
import {temporaryFolder} from '../../support/project.js';

const process = '281475144482816';

/** Two pages: one goes to the device and back, the other to the device; faults of both sides. */
const events = `
  alter table CUPTI_ACTIVITY_KIND_MEMCPY add column virtualAddress integer;
  delete from CUPTI_ACTIVITY_KIND_MEMCPY;
  insert into CUPTI_ACTIVITY_KIND_MEMCPY (start, "end", deviceId, contextId, streamId, globalPid, bytes, copyKind, virtualAddress)
    values (2000, 3000, 0, 1, 7, ${process}, 2000000, 11, 65536), (4000, 5000, 0, 1, 7, ${process}, 1000000, 12, 65536),
    (6000, 6500, 0, 1, 7, ${process}, 4000000, 11, 131072), (7000, 8000, 0, 1, 7, ${process}, 9000000, 1, null);
  create table CUDA_UM_CPU_PAGE_FAULT_EVENTS (start integer, globalPid integer, address integer, CpuInstruction integer,
    module integer);
  insert into StringIds values (920, 'fill'), (921, '0x55ab');
  insert into CUDA_UM_CPU_PAGE_FAULT_EVENTS values (1350, ${process}, 65536, 920, 922), (1360, ${process}, 4096, 920, 922),
    (9000, ${process}, 65536, 921, 922);
  create table CUDA_UM_GPU_PAGE_FAULT_EVENTS (start integer, "end" integer, globalPid integer, deviceId integer,
    address integer, numberOfPageFaults integer);
  insert into CUDA_UM_GPU_PAGE_FAULT_EVENTS values (5000, 5100, ${process}, 0, 65536, 3), (5200, 5300, ${process}, 0, 65536, 4);`;
const path = writeNsysDatabase(join(temporaryFolder(), 'unified.sqlite'), events);

const rowsOf = async (name: string) => textRows(await reportOfFile(path, name)).map(row => Object.values(row));

describe('reports of unified memory', () => {
  it('um_sum has a row for each address, the highest throughput first', async () => {
    // 4 MB in 500 ns; 3 MB in 2000 ns.
    expect(await rowsOf('um_sum')).toEqual([
      ['0x20000', '4.000', '0.000', '0', '0', '8000000.000'],
      ['0x10000', '2.000', '1.000', '2', '7', '1500000.000'],
      ['0x1000', '0.000', '0.000', '1', '0', 'None'],
    ]);
    const report = await reportOfFile(path, 'um_sum:rows=1');
    expect(report.rows.length).toBe(1);
    expect(report.rows.footer).toEqual(['2 further addresses are left out: um_sum:rows=N shows N.']);
  });

  it('um_total_sum adds them up', async () => {
    expect(await rowsOf('um_total_sum')).toEqual([['6.000', '1.000', '3', '7', '0x1000', '0x20000']]);
  });

  it('um_cpu_page_faults_sum counts by what caused them', async () => {
    expect(await rowsOf('um_cpu_page_faults_sum')).toEqual([
      ['2', 'fill'],
      ['1', '0x55ab'],
    ]);
  });

  it('are of what is selected', async () => {
    const trace = await openTrace(path);
    const details = await loadReportDetails(path, trace, new Set(['unifiedMemory']));
    const request = parseReportRequest('um_total_sum');
    if (!request) throw new Error('no such report');
    // The first CPU faults come before the window, and the second migration ends in it.
    const [fromNs, toNs] = [4500, 5150].map(ns => ns - Number(trace.originNs)) as [number, number];
    const [report] = makeReports([request], {trace, details, scope: reportScope(trace, {fromNs, toNs})});
    if (!report) throw new Error('no report');
    expect(Object.values(textRows(report)[0] ?? {})).toEqual(['0.000', '1.000', '0', '3', '0x10000', '0x10000']);
  });

  it('leave a migration without an address out of the addresses, and count its bytes', async () => {
    const more = `${events} insert into CUPTI_ACTIVITY_KIND_MEMCPY (start, "end", deviceId, contextId, streamId, globalPid,
      bytes, copyKind, virtualAddress) values (8000, 9000, 0, 1, 7, ${process}, 3000000, 11, null);`;
    const file = writeNsysDatabase(join(temporaryFolder(), 'without-address.sqlite'), more);
    const [total] = textRows(await reportOfFile(file, 'um_total_sum'));
    expect(Object.values(total ?? {})).toEqual(['9.000', '1.000', '3', '7', '0x1000', '0x20000']);
    expect((await reportOfFile(file, 'um_sum')).rows.length).toBe(3);
  });

  it('say where there is none, and are called as nsys called them', () => {
    const plain = writeNsysDatabase(join(temporaryFolder(), 'plain.sqlite'));
    expect(run('stats', plain, '-r', 'um_sum').stderr).toContain(
      'does not contain page faults or migrations of CUDA unified memory',
    );
    expect(run('stats', path, '-r', 'unifiedmemorytotals', '--format', 'csv').stdout).toContain('\n6.000,1.000,3,7,');
  });
});
