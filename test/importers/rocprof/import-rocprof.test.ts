import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {rangeRows} from '../../../src/core/figures/range-rows.js';
import {traceInfo} from '../../../src/core/questions/info.js';
import {instantKinds} from '../../../src/core/trace/instants.js';
import {sliceKinds} from '../../../src/core/trace/slices.js';
import type {Trace} from '../../../src/core/trace/trace.js';
import {openTrace} from '../../../src/importers/open-trace.js';
import {loadReportDetails} from '../../../src/importers/report-details.js';
import {readSliceArguments} from '../../../src/importers/slice-arguments.js';
import {opened} from '../../support/opened-file.js';
import {temporaryFolder} from '../../support/project.js';
import {
  agents,
  bootNs,
  call,
  copy,
  dispatch,
  rocprofProcess,
  rocprofText,
  stepRecords,
  type RocprofRecord,
} from '../../support/rocprof-records.js';

const folder = temporaryFolder();
let files = 0;

function write(text: string): string {
  const path = join(folder, `${String(++files)}_results.json`);
  writeFileSync(path, text);
  return path;
}

const open = (...processes: readonly RocprofRecord[]) => openTrace(write(rocprofText(...processes)));
const openRecords = (records: RocprofRecord, more?: RocprofRecord) => open(rocprofProcess(records, more));

/** The slices as a person reads them, in the order of the table. */
function rows({slices, strings, tracks}: Trace): string[] {
  return Array.from(slices.kind, (kind, row) => {
    const [start, duration] = [slices.startNs[row] ?? NaN, slices.durationNs[row] ?? NaN];
    const track = tracks[slices.track[row] ?? -1]?.name ?? '';
    return `${track} | ${sliceKinds[kind] ?? ''} ${strings.get(slices.name[row] ?? -1)} ${String(start)}+${String(duration)}`;
  });
}

const codes = ({notes}: Trace) => notes.map(({code}) => code);

describe('openTrace(a rocprofv3 profile)', () => {
  it('has kernels, copies, calls of HIP and HSA, and ranges on their rows', async () => {
    const trace = await open();
    expect(rows(trace)).toEqual([
      'Stream 7 | kernel gemm(float*) 4000+2000',
      'Copies | gpu_memcpy Memcpy HtoD (Host -> Device) 1600+800',
      'thread 908 (main) | nvtx_pushpop step 0+9000',
      'thread 908 (main) | cuda_runtime hipMemcpyAsync 1000+500',
      'thread 908 (main) | cuda_runtime hipLaunchKernel 2000+400',
      'thread 908 (main) | cuda_driver hsa_signal_store_relaxed 2100+100',
    ]);
    expect(trace.gpuOperations).toMatchObject({length: 2, device: Uint8Array.of(0, 0)});
    expect(Array.from(trace.gpuOperations.bytes)).toEqual([4096, -1]);
    expect(trace.processes).toEqual([{pid: '908', name: 'python3.12'}]);
    expect(trace.recordingEndNs).toBe(90_000);
    expect(trace.originNs).toBe(BigInt(bootNs));
  });

  it('says what it is, names the GPU, and counts what is not shown', async () => {
    const {profiler, devices, counts, notes} = traceInfo(await open());
    expect({profiler, devices}).toEqual({profiler: 'rocprofv3', devices: [{id: 0, name: 'AMD Instinct MI300X'}]});
    expect(counts).toMatchObject({kernels: 1, memcpys: 1, apiCalls: 3, ranges: 1});
    expect(notes).toContainEqual({
      code: 'events/not-shown',
      text: '2 events were left out because GPU Lens does not show their kinds (memory_allocation).',
    });
  });

  it('gives work to the range around the HIP call that launched it, by correlation id', async () => {
    const trace = await open();
    expect(rangeRows(trace, 'name').filter(({name}) => name === 'step')).toMatchObject([{gpuSelfNs: 2800}]);
  });

  it('knows both names of ranges, start/stop ranges and marks', async () => {
    const kind = 'MARKER_CORE_RANGE_API';
    const trace = await openRecords(
      {
        marker_api: [
          call(kind, 'roctxThreadRangeA', 1, 0, 500, 911),
          call(kind, 'roctxProcessRangeA', 2, 100, 300),
          call('MARKER_CORE_API', 'roctxRangeStartA', 9, 150, 10),
          call(kind, 'roctxMarkA', 3, 200, 0),
          call('MARKER_CORE_API', 'roctxGetThreadId', 4, 250, 1),
        ],
      },
      {
        strings: {
          ...(rocprofProcess({})['strings'] as object),
          marker_api: [
            {key: 1, value: 'outer'},
            {key: 2, value: 'epoch'},
            {key: 3, value: 'now'},
          ],
        },
      },
    );
    expect(rows(trace)).toEqual([
      'thread 908 (main) | library_call roctxGetThreadId 250+1',
      'thread 911 | nvtx_pushpop outer 0+500',
      'ROCTx start/stop ranges | nvtx_startend epoch 100+300',
      'ROCTx start/stop ranges | nvtx_startend roctxRangeStartA 150+10',
    ]);
    const {atNs, kind: kinds, name} = trace.instants;
    expect([atNs[0], instantKinds[kinds[0] ?? -1], trace.strings.get(name[0] ?? -1)]).toEqual([
      200,
      'nvtx_mark',
      'now',
    ]);
    expect(codes(trace)).toContain('gpu/none');
  });

  it('puts kernels on the queue where the recording is grouped by queues, or has no streams', async () => {
    const grouped = rocprofProcess(stepRecords, {metadata: {pid: 1, config: {group_by_queue: true}}});
    expect(rows(await open(grouped))[0]).toMatch(/^Queue 18 \| kernel /);
    expect(rows(await openRecords({kernel_dispatch: [dispatch(8, 1, 0, 5, {})]}))[0]).toMatch(/^Queue 18 \| kernel /);
  });

  it('tells copies between GPUs, on one GPU and on the host', async () => {
    const {cpu, gpu, otherGpu} = agents;
    const trace = await openRecords({
      memory_copy: [
        copy(gpu, cpu, 1, 0, 1, 1),
        copy(gpu, otherGpu, 2, 10, 1, 1),
        copy(gpu, gpu, 3, 20, 1, 1),
        copy(cpu, cpu, 4, 30, 1, 1),
      ],
    });
    expect(rows(trace)).toEqual([
      'Copies | gpu_memcpy Memcpy DtoH (Device -> Host) 0+1',
      'Copies | gpu_memcpy Memcpy DtoD (Device -> Device) 20+1',
      'Copies | gpu_memcpy Memcpy PtoP (Device -> Device) 10+1',
      'Copies on the host | other Memcpy HtoH (Host -> Host) 30+1',
    ]);
    expect(trace.devices.map(({name}) => name)).toEqual(['AMD Instinct MI300X', 'gfx942']);
  });

  it('reads names and processors that stand behind the records, and several processes', async () => {
    const {buffer_records: records, ...rest} = rocprofProcess(stepRecords);
    const trace = await open({buffer_records: records, ...rest}, rocprofProcess(stepRecords, {metadata: {pid: 909}}));
    expect(rows(trace).filter(row => row.includes('kernel gemm(float*)'))).toHaveLength(2);
    expect(trace.processes.map(({pid}) => pid)).toEqual(['908', '909']);
    expect(rangeRows(trace, 'name').find(({name}) => name === 'step')).toMatchObject({gpuSelfNs: 5600});
  });

  it('keeps every nanosecond of a machine that has run for a year', async () => {
    // 31 million seconds, whose ns no double holds.
    const late = rocprofText().replaceAll(/_timestamp":(\d+)\d/g, (_, digits: string) => `_timestamp":310${digits}1`);
    const trace = await openTrace(write(late));
    expect(trace.originNs).toBe(31_063_857_982_592_001n);
    expect(rows(trace)[0]).toBe('Stream 7 | kernel gemm(float*) 4000+2000');
  });

  it('tells what a record says besides, and what reports need of a kernel', async () => {
    const path = write(rocprofText());
    const trace = await openTrace(path);
    const args = await readSliceArguments(await opened(path), trace, 0);
    expect(args).toContainEqual({name: 'grid_size', value: '{x: 1000, y: 4, z: 1}'});
    expect(args).toContainEqual({name: 'correlation_id', value: '{internal: 3, external: 0}'});
    expect(args.map(({name}) => name)).not.toContain('start_timestamp');
    const {grids, operations} = await loadReportDetails(path, trace, new Set(['grids', 'operations']));
    const kernel = 1;
    // A grid of 1000 × 4 work-items in groups of 256 × 2.
    expect([grids?.gridX[kernel], grids?.gridY[kernel], grids?.blockX[kernel], grids?.blockY[kernel]]).toEqual([
      4, 2, 256, 2,
    ]);
    expect(operations?.table.registers[kernel]).toBe(32);
    expect(operations?.table.staticSharedBytes[kernel]).toBe(1024);
    expect(operations?.table.dynamicSharedBytes[kernel]).toBe(2048);
    expect(operations?.strings.get(operations.table.mangledName[kernel] ?? -1)).toBe('_Z4gemmPf.kd');
    expect(grids?.gridX[0]).toBe(-1);
  });
});
