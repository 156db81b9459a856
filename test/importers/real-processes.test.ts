import Database from 'better-sqlite3';
import {expect, it} from 'vitest';
import {flameGraph} from '../../src/core/questions/flame.js';
import {processChoices} from '../../src/core/scope/processes.js';
import {tableReport} from '../../src/core/tabs/table-tabs.js';
import {noDetails} from '../../src/core/figures/report-details.js';
import {rangeRows} from '../../src/core/figures/range-rows.js';
import {openTrace} from '../../src/importers/open-trace.js';
import {ownProfiles} from '../support/own-profiles.js';
import {temporaryFolder} from '../support/project.js';
import {describeEachFile} from '../support/each-file.js';
import {dataFiles} from '../support/real-data.js';

const twoProcesses = [...ownProfiles(temporaryFolder()).nsys, ...dataFiles('nsys', '.sqlite')].filter(({name}) =>
  /^(two-ranks|train-2xh100-2proc)/.test(name),
);

interface OfProcess {
  readonly pid: string;
  readonly device: number;
  readonly kernels: number;
  readonly kernelNs: number;
  readonly workNs: number;
  readonly busyNs: number;
}

/** What SQLite says of each process: all its operations, and the time that they cover. */
function recount(path: string): OfProcess[] {
  const db = new Database(path, {readonly: true, fileMustExist: true});
  const pid = '(globalPid >> 24) & 0xffffff';
  const operations = ['KERNEL', 'MEMCPY', 'MEMSET']
    .map(table => `select ${pid} as pid, start, "end", '${table}' as sort, deviceId from CUPTI_ACTIVITY_KIND_${table}`)
    .join(' union all ');
  // The time until an operation that is not covered by those that began before it.
  const sql = `with operations as (${operations}), covered as (
      select *, max("end") over (partition by pid order by start, "end" rows between unbounded preceding and 1 preceding)
        as before from operations)
    select cast(pid as text) as pid, min(deviceId) as device, sum(sort = 'KERNEL') as kernels,
      sum(iif(sort = 'KERNEL', "end" - start, 0)) as kernelNs, sum("end" - start) as workNs,
      sum(max(0, "end" - max(start, coalesce(before, start)))) as busyNs
    from covered group by pid order by pid`;
  const rows = db.prepare<[], OfProcess>(sql).all();
  db.close();
  return rows;
}

describeEachFile(twoProcesses)('the processes of $name', ({path}) => {
  it('have the figures that SQLite counts: in the flame graph, the ranges and the tables', async () => {
    const trace = await openTrace(path);
    const counted = recount(path);
    expect(processChoices(trace).map(({pid, text}) => [pid, text.replace(/^.* · /, '')])).toEqual(
      counted.map(({pid, device}) => [pid, `GPU ${String(device)}`]),
    );
    expect(counted).toHaveLength(2);
    for (const {pid, kernels, kernelNs, workNs, busyNs} of counted) {
      const selection = {process: pid};
      expect(flameGraph(trace, {weight: 'gpu-work', selection}).total).toBe(workNs);
      const busy = flameGraph(trace, {weight: 'gpu-busy', selection});
      const idle = busy.names.indexOf('(idle)');
      const idleNs = busy.nodes.total[busy.nodes.name.indexOf(idle)] ?? NaN;
      expect(busy.total - idleNs).toBe(busyNs);
      const rows = rangeRows(trace, 'name', {selection});
      expect(rows.reduce((sum, row) => sum + row.gpuSelfNs + row.backwardGpuSelfNs, 0)).toBe(workNs);
      const table = tableReport(trace, 'kernels', selection, noDetails).rows;
      const cells = Array.from({length: table.length}, (_, row) => table.cells(row));
      expect(cells.reduce((sum, row) => sum + Number(row[1]), 0)).toBe(kernelNs);
      expect(cells.reduce((sum, row) => sum + Number(row[2]), 0)).toBe(kernels);
    }
  });
});
