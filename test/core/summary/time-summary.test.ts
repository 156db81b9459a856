import {describe, expect, it} from 'vitest';
import {idleAnswers, idleOf, idleSummary, type IdleCause} from '../../../src/core/findings/rules/idle-sql.js';
import {partMeaning, partTitle, timeParts, type TimePart} from '../../../src/core/summary/time-parts.js';
import {timeSummary, type TimeSummary} from '../../../src/core/summary/time-summary.js';
import {busiestDevice} from '../../../src/core/summary/device-busy.js';
import {timeInParts} from '../../../src/core/summary/time-in-parts.js';
import type {Trace} from '../../../src/core/trace/trace.js';
import {openTrace} from '../../../src/importers/open-trace.js';
import {itEachFile} from '../../support/each-file.js';
import {cell} from '../../support/findings.js';
import {GpuProgram} from '../../support/gpu-program.js';
import {kineto} from '../../support/kineto-events.js';
import {dataFiles} from '../../support/real-data.js';
import {traceOfEvents} from '../../support/trace-of-events.js';
import {trainingProgram} from '../../support/training-program.js';

const nsOf = ({parts}: TimeSummary): Partial<Record<TimePart, number>> =>
  Object.fromEntries(parts.map(({part, ns}) => [part, ns]));

/** The idle time of each cause on the GPU with the most work, from its first to its last operation. */
function idleByCause(trace: Trace): number[] {
  const device = busiestDevice(trace)?.device ?? -1;
  const {ns} = timeInParts(trace, device, [{fromNs: 0, toNs: trace.spanNs + 1}]);
  const parts = ['idle/loader', 'idle/allocation', 'idle/wait', 'idle/launch', 'idle/other'] as const;
  return parts.map(part => ns[0]?.[timeParts.indexOf(part)] ?? NaN);
}

/** The same by SQL, which tells three sorts of late launches apart. `labels.test.ts` asks for one cause after another. */
async function idleBySql(trace: Trace): Promise<number[]> {
  const answers = idleAnswers(await cell(trace, idleSummary));
  const sum = (...causes: readonly IdleCause[]) =>
    causes.reduce((total, cause) => total + Number(answers.get(idleOf(cause)) ?? NaN), 0);
  return [sum('loader'), sum('allocation'), sum('wait'), sum('break', 'python', 'launch'), sum('other')];
}

describe('timeSummary(trace)', () => {
  it('gives each moment of the time to what runs, of several to the first, and tells what is hidden', async () => {
    const kernel = (name: string, startUs: number, us: number, stream: number) => {
      const args = {device: 0, stream, correlation: startUs * 100 + stream};
      return {cat: 'kernel', ph: 'X', name, pid: 0, tid: stream, ts: startUs, dur: us, args};
    };
    const trace = await traceOfEvents([
      kernel('gemm', 0, 10, 7),
      kernel('ncclDevKernel_AllReduce', 5, 20, 20),
      kernel('vectorized_elementwise_kernel', 8, 4, 7),
      {...kernel('Memcpy HtoD', 20, 2, 9), cat: 'gpu_memcpy'},
    ]);
    const summary = timeSummary(trace);
    expect(nsOf(summary)).toEqual({
      'matrix product': 10_000,
      elementwise: 2_000,
      memcpy: 2_000,
      communication: 11_000,
    });
    expect(summary).toMatchObject({totalNs: 25_000, hiddenCommunicationNs: 9_000, steps: null, columns: []});
  });

  it('splits idle time by its causes, and shows the longest stretch of each', async () => {
    const program = new GpuProgram().launch({gpu: 100}).synchronise().python(50).launch({gpu: 100}).python(300);
    program.range('enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__', () => program.python(400));
    program.launch({gpu: 100}).python(200).call('cudaMalloc', 300).launch({gpu: 10});
    const trace = await traceOfEvents(program.events);
    const summary = timeSummary(trace);
    const ns = nsOf(summary);
    expect(ns).toMatchObject({'idle/loader': 400_000, 'idle/allocation': 300_000, 'idle/wait': 57_000});
    expect(Object.values(ns).reduce((sum, part) => sum + part, 0)).toBe(summary.totalNs);
    const longest = summary.parts.find(({part}) => part === 'idle/loader')?.longest;
    expect(longest && longest.toNs - longest.fromNs).toBe(605_000);
  });

  it('is of the steps where there are any: their lengths, and columns whose parts add up to them', async () => {
    const summary = timeSummary(await traceOfEvents(trainingProgram().events));
    expect(summary.steps).toEqual({count: 6, medianNs: 11_387_000, leastNs: 11_087_000, mostNs: 11_687_000});
    expect(summary.columns.map(({firstNumber}) => firstNumber)).toEqual([1, 2, 3, 4, 5, 6]);
    for (const {ns, lengthNs} of summary.columns) expect(ns.reduce((sum, part) => sum + part, 0)).toBe(lengthNs);
    expect(summary.busy).toEqual([{device: 0, name: null, busyNs: 6 * (150 + 3 * 2960 + 600) * 1000}]);
    expect(summary.tops.map(({title, rows}) => [title, rows[0]?.name])).toEqual([
      ['Kernels', 'ampere_bf16_s16816gemm_bf16_256x128_ldg8_f2f_stages_64x3_nt'],
      ['Operators', 'aten::mm'],
      ['Ranges', 'backward'],
    ]);
    for (const {rows, allNs} of summary.tops) {
      expect(rows.reduce((sum, {ns}) => sum + ns, 0)).toBeLessThanOrEqual(allNs);
    }
  });

  it('joins steps to columns where there are many', async () => {
    const program = new GpuProgram();
    for (let step = 0; step < 300; step++) {
      program.range(`ProfilerStep#${String(step)}`, () => program.launch({gpu: 10 + (step % 3)}).synchronise());
    }
    const {columns, steps} = timeSummary(await traceOfEvents(program.events));
    expect(steps?.count).toBe(300);
    expect(columns).toHaveLength(100);
    expect(columns[1]).toMatchObject({firstNumber: 3, lastNumber: 5, steps: 3});
  });

  it('tells of a profile without GPU work what the CPU did', async () => {
    const summary = timeSummary(
      await traceOfEvents([
        kineto.range('ProfilerStep#1', 0, 1000),
        kineto.range('enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__', 0, 300),
        kineto.op('aten::mm', 400, 500),
        kineto.op('aten::copy_', 450, 100),
      ]),
    );
    expect(summary).toMatchObject({hasGpuWork: false, device: null, totalNs: 1_000_000, busy: []});
    expect(nsOf(summary)).toEqual({'cpu/loader': 300_000, 'cpu/work': 500_000, 'cpu/other': 200_000});
    expect(summary.tops[0]?.rows.find(({name}) => name === 'aten::mm')?.ns).toBe(400_000);
  });

  it('has nothing to say of a profile without events', async () => {
    const summary = timeSummary(await traceOfEvents([{ph: 'i', name: 'mark', ts: 1, pid: 1, tid: 1, s: 't'}]));
    expect(summary).toMatchObject({parts: [], totalNs: 0, steps: null, tops: []});
  });

  it('says of every part what it is', () => {
    for (const part of timeParts)
      expect([partTitle(part), partMeaning(part)].every(text => text.length > 3)).toBe(true);
  });
});

describe('idle time', () => {
  it('has the causes that SQL finds', async () => {
    const trace = await traceOfEvents(trainingProgram().events);
    const ofSql = await idleBySql(trace);
    expect(ofSql.filter(ns => ns > 0).length).toBeGreaterThan(1);
    expect(idleByCause(trace)).toEqual(ofSql);
  });

  itEachFile([...dataFiles('kineto', '.json.gz'), ...dataFiles('nsys', '.sqlite')])(
    'in $name has the causes that SQL finds',
    async ({path}) => {
      const trace = await openTrace(path);
      expect(idleByCause(trace)).toEqual(await idleBySql(trace));
    },
  );
});
