import {reportApiName} from '../names/api-name.js';
import {memoriesOf, reportMemoryName} from '../names/memory-operation-name.js';
import {kindIndex} from '../trace/slices.js';
import {inMegabytes} from './gpu-summaries.js';
import {callerCells, reportTimeNs} from './identity.js';
import {kernelNamer, kernelNameOptions} from '../figures/kernel-names.js';
import type {ReportInput} from '../figures/report-input.js';
import {numberOrNull, type Cell, type ReportDefinition, type ReportRows} from './report.js';
import {kernelNameDetails} from './gpu-summaries.js';
import {amount, callerColumns, megabytesColumn, numberColumn, textColumn, timeColumn} from './summary.js';
import {orNull} from '../table/or-null.js';
import {sortByStart} from '../table/sort.js';
import {gridRowOf, type DetailKind} from '../figures/report-details.js';

/** `cuda_gpu_trace`: each kernel, copy and memset, by start. @see docs/metrics.md#cuda-gpu-trace */
export const gpuTrace: ReportDefinition = {
  id: 'cuda_gpu_trace',
  oldId: 'gputrace',
  title: 'CUDA GPU Trace',
  options: kernelNameOptions,
  details: options => [...new Set<DetailKind>(['grids', 'operations', ...kernelNameDetails(options)])],
  about: 'GPU trace data',
  columns: [
    timeColumn('Start', 'when the operation began'),
    timeColumn('Duration', 'from its start to its end', amount),
    numberColumn('CorrId', 'CUPTI’s number that it shares with its launching call'),
    ...['X', 'Y', 'Z'].map(axis => numberColumn(`Grd${axis}`, `blocks of the grid in ${axis.toLowerCase()}`)),
    ...['X', 'Y', 'Z'].map(axis => numberColumn(`Blk${axis}`, `threads of a block in ${axis.toLowerCase()}`)),
    numberColumn('Reg/Trd', 'registers of each thread'),
    megabytesColumn('StcSMem', 'shared memory that the kernel declares'),
    megabytesColumn('DymSMem', 'shared memory that the launch asked for'),
    megabytesColumn('Bytes', 'bytes that were copied or set'),
    {
      title: 'Throughput',
      unit: 'megabytesPerSecond',
      decimals: 3,
      definition: 'Bytes ÷ Duration; nsys rounds 10^9 ÷ Duration down before it multiplies',
    },
    textColumn('SrcMemKd', 'memory that was copied from, or set'),
    textColumn('DstMemKd', 'memory that was copied to'),
    textColumn('Device', 'the GPU and its number'),
    numberColumn('Ctx', 'CUDA context'),
    numberColumn('Strm', 'CUDA stream'),
    textColumn('Name', 'the kernel, the direction of the copy, or memset', {role: 'name'}),
  ],
  rows: gpuTraceRows,
};

function gpuTraceRows(input: ReportInput): ReportRows {
  const {trace, scope} = input;
  const {slices, gpuOperations, strings} = trace;
  const timeOf = reportTimeNs(trace);
  const kernelName = kernelNamer(input);
  const deviceNames = new Map(trace.devices.map(({id, name}) => [id, `${name ?? ''} (${String(id)})`.trimStart()]));
  const rows = new Int32Array(gpuOperations.length)
    .map((_, operation) => operation)
    .filter(
      operation =>
        (scope.operations === null || scope.operations[operation] === 1) &&
        slices.kind[gpuOperations.slice[operation]] !== kindIndex.graph,
    );
  return {
    length: rows.length,
    cells: at => {
      const operation = rows[at];
      const slice = gpuOperations.slice[operation];
      const durationNs = slices.durationNs[slice];
      const bytes = gpuOperations.bytes[operation] < 0 ? NaN : gpuOperations.bytes[operation];
      const isKernel = slices.kind[slice] === kindIndex.kernel;
      const name = strings.get(slices.name[slice]);
      return [
        timeOf(slices.startNs[slice]),
        durationNs,
        orNull(gpuOperations.correlation[operation]),
        ...launchCells(input, operation),
        inMegabytes(bytes),
        durationNs > 0 ? inMegabytes((bytes * 1e9) / durationNs) : null,
        ...memoryCells(input, operation, name),
        deviceNames.get(gpuOperations.device[operation]) ?? `(${String(gpuOperations.device[operation])})`,
        contextOf(input, operation),
        gpuOperations.stream[operation],
        isKernel ? kernelName(operation) : reportMemoryName(name),
      ];
    },
  };
}

/** Returns grid, block, registers and shared memory. */
function launchCells({details}: ReportInput, operation: number): Cell[] {
  const table = details.operations?.table;
  if (!table || !details.grids) return new Array<Cell>(9).fill(null);
  const {gridX, gridY, gridZ, blockX, blockY, blockZ} = details.grids;
  const {registers, staticSharedBytes, dynamicSharedBytes} = table;
  const row = gridRowOf(details, operation);
  const sizes = [gridX, gridY, gridZ, blockX, blockY, blockZ].map(column => numberOrNull(column[row]));
  const whole = [...sizes, numberOrNull(registers[operation])];
  const shared = [staticSharedBytes, dynamicSharedBytes].map(column => numberOrNull(column[operation]));
  return [...whole, ...shared.map(bytes => (bytes === null ? null : inMegabytes(bytes)))];
}

function memoryCells({details}: ReportInput, operation: number, name: string): Cell[] {
  const found = details.operations;
  const text = (index: number) => (index < 0 ? null : (found?.strings.get(index) ?? null));
  const source = found ? text(found.table.sourceMemory[operation]) : null;
  const target = found ? text(found.table.targetMemory[operation]) : null;
  const named = source === null && target === null ? memoriesOf(name) : null;
  return [source ?? named?.source ?? null, target ?? named?.target ?? null];
}

function contextOf({details}: ReportInput, operation: number): Cell {
  const table = details.operations?.table;
  return table ? numberOrNull(table.context[operation]) : null;
}

/** `cuda_api_trace`: each runtime and driver call, by start. */
export const apiTrace: ReportDefinition = {
  id: 'cuda_api_trace',
  oldId: 'cudaapitrace',
  title: 'CUDA API Trace',
  options: [],
  details: () => ['calls'],
  about: 'CUDA trace data',
  columns: [
    timeColumn('Start', 'when the call was made'),
    timeColumn('Duration', 'until it returned', amount),
    textColumn('Name', 'the call, without an ABI version of four digits', {role: 'name'}),
    numberColumn('Result', 'what it returned: 0 is success'),
    numberColumn('CorrID', 'CUPTI’s number that it shares with the operations it started'),
    ...callerColumns,
  ],
  rows: apiTraceRows,
};

function apiTraceRows(input: ReportInput): ReportRows {
  const {trace, details, scope} = input;
  const {slices, apiCalls, strings} = trace;
  const timeOf = reportTimeNs(trace);
  const rows = new Uint32Array(apiCalls.length)
    .map((_, call) => call)
    .filter(call => scope.slices === null || scope.slices[apiCalls.slice[call]] === 1);
  const startNs = Float64Array.from(apiCalls.slice, slice => slices.startNs[slice]);
  sortByStart(rows, startNs);
  return {
    length: rows.length,
    cells: at => {
      const call = rows[at];
      const slice = apiCalls.slice[call];
      const track = slices.track[slice];
      return [
        timeOf(startNs[call]),
        slices.durationNs[slice],
        reportApiName(strings.get(slices.name[slice])),
        details.calls ? numberOrNull(details.calls.returnValue[call]) : null,
        orNull(apiCalls.correlation[call]),
        ...callerCells(trace, details, track),
      ];
    },
  };
}
