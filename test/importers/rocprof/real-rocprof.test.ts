import {readFileSync} from 'node:fs';
import {gunzipSync} from 'node:zlib';
import {describe, expect} from 'vitest';
import {gpuSummary} from '../../../src/core/questions/info.js';
import {openTrace} from '../../../src/importers/open-trace.js';
import {loadReportDetails} from '../../../src/importers/report-details.js';
import {itEachFile} from '../../support/each-file.js';
import {dataFiles} from '../../support/real-data.js';

interface Dispatch {
  readonly start_timestamp: number;
  readonly end_timestamp: number;
  readonly stream_id: {readonly handle: number};
  readonly dispatch_info: {
    readonly kernel_id: number;
    readonly grid_size: {readonly x: number};
    readonly workgroup_size: {readonly x: number};
  };
}

interface ToolProcess {
  readonly kernel_symbols: readonly {readonly kernel_id: number; readonly formatted_kernel_name: string}[];
  readonly buffer_records: Readonly<Record<string, readonly unknown[]>>;
}

/** What JSON.parse makes of a file, which is small enough. */
function parsed(path: string): ToolProcess {
  const json = JSON.parse(gunzipSync(readFileSync(path)).toString()) as Record<string, readonly ToolProcess[]>;
  const [process] = json['rocprofiler-sdk-tool'] ?? [];
  if (!process) throw new Error('There is no process in the file.');
  return process;
}

/** Time in which at least one of the dispatches runs, ns. */
function unionNs(dispatches: readonly Dispatch[]): number {
  let [busyNs, untilNs] = [0, 0];
  const inOrder = [...dispatches].sort((a, b) => a.start_timestamp - b.start_timestamp);
  for (const {start_timestamp: start, end_timestamp: end} of inOrder) {
    busyNs += Math.max(0, end - Math.max(start, untilNs));
    untilNs = Math.max(untilNs, end);
  }
  return busyNs;
}

describe('rocprofv3 profiles', () => {
  itEachFile(dataFiles('rocm', '.json.gz'))('$name has the figures that JSON.parse gives', async ({path}) => {
    const trace = await openTrace(path);
    const process = parsed(path);
    const dispatches = (process.buffer_records['kernel_dispatch'] ?? []) as readonly Dispatch[];
    const durations = dispatches.map(({start_timestamp: start, end_timestamp: end}) => end - start);
    expect(trace.counts.kernels).toBe(dispatches.length);
    expect(trace.counts.memcpys).toBe(process.buffer_records['memory_copy']?.length);
    expect(gpuSummary(trace).workNs).toBe(durations.reduce((sum, ns) => sum + ns));
    expect(gpuSummary(trace).busyNs).toBe(unionNs(dispatches));

    const nameOf = new Map(process.kernel_symbols.map(symbol => [symbol.kernel_id, symbol.formatted_kernel_name]));
    const expected = new Map<string, number>();
    const add = (sums: Map<string, number>, name: string, ns: number) => sums.set(name, (sums.get(name) ?? 0) + ns);
    dispatches.forEach(({dispatch_info: {kernel_id: kernel}, stream_id: {handle}}, i) => {
      add(expected, `${String(handle)} ${nameOf.get(kernel) ?? ''}`, durations[i] ?? NaN);
    });
    const found = new Map<string, number>();
    const {slices, gpuOperations, strings} = trace;
    gpuOperations.slice.forEach((slice, operation) => {
      const name = strings.get(slices.name[slice] ?? -1);
      add(found, `${String(gpuOperations.stream[operation])} ${name}`, slices.durationNs[slice] ?? NaN);
    });
    expect(found).toEqual(expected);

    const {grids} = await loadReportDetails(path, trace, new Set(['grids']));
    const blocks = dispatches.map(({dispatch_info: {grid_size: grid, workgroup_size: group}}) => grid.x / group.x);
    const sum = (values: Iterable<number>) => [...values].reduce((total, value) => total + value, 0);
    expect(sum(grids?.gridX ?? [])).toBe(sum(blocks.map(Math.ceil)));
    expect(trace.notes.filter(({code}) => /^(file|events|kernels)\//.test(code))).toEqual([]);
  });
});
