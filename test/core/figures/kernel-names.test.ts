import Database from 'better-sqlite3';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {wholeTrace} from '../../../src/core/scope/report-scope.js';
import {makeReports, parseReportRequest} from '../../../src/core/reports/reports.js';
import {loadReportDetails} from '../../../src/importers/report-details.js';
import {openTrace} from '../../../src/importers/open-trace.js';
import {textRows} from '../../support/make-report.js';
import {dataFolder, hasData} from '../../support/real-data.js';

/** Name → kernels and their time, as SQL has it of an export. */
type Sums = ReadonlyMap<string, readonly [count: number, totalNs: number]>;

function sumsBy(rows: readonly {name: string; ns: number}[]): Sums {
  const sums = new Map<string, [number, number]>();
  for (const {name, ns} of rows) {
    const [count, totalNs] = sums.get(name) ?? [0, 0];
    sums.set(name, [count + 1, totalNs + ns]);
  }
  return sums;
}

function kernelsBy(path: string, column: 'shortName' | 'mangledName'): Sums {
  const db = new Database(path, {readonly: true});
  const rows = db
    .prepare(
      `SELECT s.value AS name, k.end - k.start AS ns FROM CUPTI_ACTIVITY_KIND_KERNEL k
       JOIN StringIds s ON s.id = coalesce(k.${column}, k.demangledName)`,
    )
    .all() as {name: string; ns: number}[];
  db.close();
  return sumsBy(rows);
}

/** The shortest push/pop range around each call on its thread, found by looking at every pair of the two. */
function kernelsByRange(path: string): Sums {
  const db = new Database(path, {readonly: true});
  const rows = db
    .prepare(
      `SELECT s.value AS kernel, k.end - k.start AS ns, (
         SELECT coalesce(
             (SELECT text || ':' FROM NVTX_EVENTS d WHERE d.eventType = 75 AND d.domainId = n.domainId
              AND d.globalTid / 0x1000000 = n.globalTid / 0x1000000), '') || coalesce(n.text, t.value)
         FROM NVTX_EVENTS n LEFT JOIN StringIds t ON t.id = n.textId
         WHERE n.eventType = 59 AND n.globalTid = r.globalTid AND n.start <= r.start AND r.end <= n.end
         ORDER BY n.end - n.start LIMIT 1) AS range
       FROM CUPTI_ACTIVITY_KIND_KERNEL k
       JOIN CUPTI_ACTIVITY_KIND_RUNTIME r ON r.correlationId = k.correlationId
         AND r.globalTid / 0x1000000 = k.globalPid / 0x1000000
       JOIN StringIds s ON s.id = k.demangledName
       -- A runtime call and the driver call inside it may have one number: either stands in the same range.
       GROUP BY k.rowid`,
    )
    .all() as {kernel: string; ns: number; range: string | null}[];
  db.close();
  return sumsBy(rows.map(({kernel, ns, range}) => ({name: range === null ? kernel : `${range}/${kernel}`, ns})));
}

async function kernelSums(path: string, option: string): Promise<Sums> {
  const trace = await openTrace(path);
  const details = await loadReportDetails(path, trace, new Set(['operations', 'ranges']));
  const request = parseReportRequest(`cuda_gpu_kern_sum:${option}`);
  if (!request) throw new Error('No report.');
  const [report] = makeReports([request], {trace, details, scope: wholeTrace});
  const rows = report ? textRows(report) : [];
  return new Map(
    rows.map(row => [row['Name'] ?? '', [Number(row['Instances']), Number(row['Total Time (ns)'])] as const]),
  );
}

describe.skipIf(!hasData)('the names of kernels in real exports are those that SQL finds', () => {
  const file = (name: string) => join(dataFolder, 'nsys', `${name}.sqlite`);
  const all = ['cs336-2.7b-a100', 'power-iteration-t4', 'cs336-windows-2026.2', 'saxpy-mpi-a100-schema2.9'];

  it.each([...all, 'train-2xh100-2proc', 'cloverleaf-4xa100-mpi'])(':base and :mangled, %s', async name => {
    const path = file(name);
    expect(await kernelSums(path, 'base')).toEqual(kernelsBy(path, 'shortName'));
    expect(await kernelSums(path, 'mangled')).toEqual(kernelsBy(path, 'mangledName'));
  });

  it.each(['power-iteration-t4', 'cs336-windows-2026.2', 'saxpy-mpi-a100-schema2.9'])(':nvtx-name, %s', async name => {
    const path = file(name);
    const sums = await kernelSums(path, 'nvtx-name');
    expect(sums).toEqual(kernelsByRange(path));
    expect([...sums.keys()].some(text => text.includes('/'))).toBe(true);
  });
});
