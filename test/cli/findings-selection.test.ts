import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {attributionOf} from '../../src/core/scope/attribution-of.js';
import {selectOperations, type Selection} from '../../src/core/scope/selection.js';
import {selectedStatements} from '../../src/sql/selected-statement.js';
import {openTrace} from '../../src/importers/open-trace.js';
import {json, run} from '../support/command-line.js';
import {cell} from '../support/findings.js';
import {GpuProgram} from '../support/gpu-program.js';
import {kineto, kinetoText} from '../support/kineto-events.js';
import {temporaryFolder} from '../support/project.js';
import {dataFolder, hasData} from '../support/real-data.js';
import {traceOfEvents} from '../support/trace-of-events.js';

const path = join(temporaryFolder(), 'steps.json');
const program = new GpuProgram();
// Only step 1 has products in fp32; only step 2 waits for data.
program.range('ProfilerStep#1', () => program.launches(5, {name: 'ampere_sgemm_128x64_tn', gpu: 600, cpu: 600}));
program.range('ProfilerStep#2', () => {
  for (let at = 0; at < 5; at++) {
    program.range('enumerate(DataLoader)#_Next', () => program.python(400));
    program.launch({name: 'other', gpu: 600}).python(600);
  }
});
writeFileSync(path, kinetoText(program.events, {deviceProperties: [{id: 0, name: 'NVIDIA A100-SXM4-80GB'}]}));

interface Found {
  readonly rule: string;
  readonly evidence: readonly {readonly value: number; readonly query: string}[];
}

const findings = (...options: string[]) => json('findings', path, ...options) as Found[];

describe('gpu-lens findings of a part', () => {
  it('looks at the step that is named, and its queries do, too', () => {
    expect(findings('--step', '1').map(({rule}) => rule)).toEqual(['precision/fp32-products']);
    const [loader, ...others] = findings('--step', '2');
    expect(others).toEqual([]);
    expect(loader?.rule).toBe('idle/data-loader');
    const [first] = loader?.evidence ?? [];
    // Four waits of 400 µs lie between operations of the step, less the queue's last 5 µs.
    expect(first?.value).toBeGreaterThan(1.4e6);
    const [row] = json('query', path, first?.query ?? '') as Record<string, number>[];
    expect(Object.values(row ?? {})).toEqual([first?.value]);
    expect(run('findings', path, '--step', '2', '--verify').stderr).toContain('were recomputed, and are the same.');
  });

  it('takes windows, ranges, devices and passes', () => {
    expect(findings('--from', '0', '--to', '2999000').map(({rule}) => rule)).toEqual(['precision/fp32-products']);
    expect(findings('--filter-nvtx', 'ProfilerStep#1').map(({rule}) => rule)).toEqual(['precision/fp32-products']);
    expect(findings('--device', '0').length).toBe(findings().length);
    const backward = run('findings', path, '--pass', 'backward');
    expect(backward).toMatchObject({
      status: 0,
      stderr: 'Note: The selection has no GPU work, which most rules need.\n',
    });
  });

  it('says what there is where nothing fits', () => {
    expect(run('findings', path, '--step', '7')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('no step 7') as string,
    });
    expect(run('findings', path, '--device', '3')).toMatchObject({status: 1});
  });
});

it.each([3, 1200])('a selection by SQL holds a step without the %i steps inside it', async count => {
  const inner = Array.from({length: count}, (_, at) => 10 + 10 * at);
  const events = [
    kineto.range('iteration_0', 0, 10 * count + 100),
    ...inner.flatMap((ts, at) => [
      ...[kineto.range(`step_${String(at + 1)}`, ts, 6), kineto.call(2 * at + 1, ts + 1, 2)],
      ...[
        kineto.kernel(2 * at + 1, ts + 4, 3),
        kineto.call(2 * at + 2, ts + 7, 1),
        kineto.kernel(2 * at + 2, ts + 9, 1),
      ],
    ]),
  ];
  const trace = await traceOfEvents(events);
  for (const [step, workNs] of [
    [0, 1000 * count],
    [1, 3000],
  ] as const) {
    const selected = selectOperations(trace, attributionOf(trace), {step});
    const select = selectedStatements(trace, {step});
    expect(await cell(trace, select('SELECT sum(duration_ns) FROM gpu_operations'))).toBe(workNs);
    expect(await cell(trace, select('SELECT count(*) FROM gpu_operations'))).toBe(selected?.filter(Boolean).length);
    expect(await cell(trace, select('SELECT count(*) FROM api_calls'))).toBe(selected?.filter(Boolean).length);
  }
});

describe.skipIf(!hasData)('a selection by SQL', () => {
  const file = (name: string) => join(dataFolder, ...name.split('/'));
  const cases: readonly (readonly [string, Selection])[] = [
    ['kineto/ns-resolution-rank0.json.gz', {step: 103}],
    ['kineto/ns-resolution-rank0.json.gz', {range: '## forward ##'}],
    ['kineto/ns-resolution-rank0.json.gz', {range: '## forward ##/2', pass: 'forward'}],
    ['kineto/ns-resolution-rank0.json.gz', {pass: 'backward'}],
    ['kineto/ns-resolution-rank0.json.gz', {pass: 'forward', fromNs: 1e8, toNs: 3e8}],
    ['kineto/resnet50-v100-2021.json.gz', {fromNs: 1e7, toNs: 2e8, stream: 7}],
    ['nsys/train-2xh100-2proc.sqlite', {device: 1}],
    ['nsys/power-iteration-t4.sqlite', {fromNs: 5e8}],
  ];
  it.each(cases)('holds the operations of %s that %j holds', async (name, selection) => {
    const trace = await openTrace(file(name));
    const selected = selectOperations(trace, attributionOf(trace), selection);
    let count = 0;
    let workNs = 0;
    trace.gpuOperations.slice.forEach((slice, operation) => {
      if (selected?.[operation] !== 1) return;
      count++;
      workNs += trace.slices.durationNs[slice] ?? NaN;
    });
    const select = selectedStatements(trace, selection);
    expect(count).toBeGreaterThan(0);
    expect(await cell(trace, select('SELECT count(*) FROM gpu_operations'))).toBe(count);
    expect(await cell(trace, select('SELECT sum(duration_ns) FROM gpu_operations'))).toBe(workNs);
  });
});
