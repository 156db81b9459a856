import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {attributionOf} from '../../../src/core/scope/attribution-of.js';
import {stepSpans} from '../../../src/core/scope/step-spans.js';
import {stepsOf} from '../../../src/core/scope/steps.js';
import {stepRows} from '../../../src/core/tabs/range-table.js';
import {stepUtilisations} from '../../../src/core/roofline/step-utilisation.js';
import {createEngine} from '../../../src/engine/engine.js';
import {openTrace} from '../../../src/importers/open-trace.js';
import {system} from '../../support/estimates.js';
import {kineto, kinetoText, type KinetoEvent} from '../../support/kineto-events.js';
import {reportOfFile, textRows} from '../../support/make-report.js';
import {temporaryFolder} from '../../support/project.js';
import {rooflineInput} from '../../support/read-roofline.js';

const folder = temporaryFolder();

function file(name: string, events: readonly KinetoEvent[]): string {
  const path = join(folder, name);
  writeFileSync(path, kinetoText(events, {deviceProperties: [{id: 0, name: 'NVIDIA A100-SXM4-80GB'}]}));
  return path;
}

async function spansUs(path: string): Promise<number[][]> {
  const trace = await openTrace(path);
  return stepSpans(trace, attributionOf(trace).sites).map(({number, startNs, endNs}) => [
    number,
    startNs / 1000,
    endNs / 1000,
  ]);
}

// 2·m·k·n of half of 312 TFLOP/s in 7 ms.
const flops = 0.5 * 312e12 * 7e-3;
const product = (at: number) =>
  kineto.op('aten::mm', at, 20, {
    'Input Dims': [
      [8192, 8192],
      [8192, Math.round(flops / 2 / 8192 / 8192)],
    ],
    'Input type': ['c10::BFloat16', 'c10::BFloat16'],
  });

/** Three steps of 30 µs of the CPU, of which each launches 7 ms of the GPU. */
const ahead = file(
  'ahead.json',
  [0, 1, 2].flatMap(step => [
    kineto.range(`ProfilerStep#${String(step)}`, 30 * step, 30),
    product(30 * step + 2),
    kineto.call(step + 1, 30 * step + 5, 5),
    kineto.kernel(step + 1, 40 + 7000 * step, 7000),
  ]),
);

describe('stepSpans(trace, sites)', () => {
  it('begins at the later of the step’s start and its predecessor’s end, and ends with its last GPU operation', async () => {
    expect(await spansUs(ahead)).toEqual([
      [0, 0, 7040],
      [1, 7040, 14_040],
      [2, 14_040, 21_040],
    ]);
  });

  it('is the range where the GPU is done before the CPU', async () => {
    const path = file('behind.json', [
      kineto.range('ProfilerStep#7', 0, 100),
      kineto.call(1, 10, 5),
      kineto.kernel(1, 20, 30),
      kineto.range('ProfilerStep#8', 120, 100),
    ]);
    expect(await spansUs(path)).toEqual([
      [7, 0, 100],
      [8, 120, 220],
    ]);
  });

  it('does not take a step around another for its predecessor', async () => {
    const path = file('nested.json', [
      kineto.range('step 1', 0, 100),
      kineto.range('step 10', 10, 20),
      kineto.range('step 11', 40, 20),
      kineto.range('step 2', 100, 50),
      kineto.call(1, 15, 5),
      kineto.kernel(1, 20, 35),
      kineto.call(2, 105, 5),
      kineto.kernel(2, 120, 90),
    ]);
    expect(await spansUs(path)).toEqual([
      [1, 0, 100],
      [10, 10, 55],
      [11, 55, 60],
      [2, 100, 210],
    ]);
  });

  it('is a step in the timeline, in the table of steps and in mfu_sum', async () => {
    const trace = await openTrace(ahead);
    const spans = stepSpans(trace, attributionOf(trace).sites);
    const rows = stepRows(trace, {});
    expect(spans.map((_, at) => rows.cells(at).slice(0, 3))).toEqual(
      spans.map(({number, startNs, endNs}) => [number, startNs, endNs - startNs]),
    );
    expect(stepsOf(trace).map(({endNs, startNs}) => endNs - startNs)).toEqual([30_000, 30_000, 30_000]);
    expect(textRows(await reportOfFile(ahead, 'mfu_sum')).map(row => Number(row['Duration (ns)']))).toEqual(
      spans.map(({startNs, endNs}) => endNs - startNs),
    );
    const engine = createEngine({settings: {memoryLimitBytes: null, cache: null}, profiles: []}, 'test');
    const call = {signal: new AbortController().signal, report: () => undefined};
    const summary = await engine['profile/open']({path: ahead}, call);
    expect(summary.steps).toEqual(spans);
  });
});

describe('stepUtilisations(input, system) where the CPU runs ahead', () => {
  it('is half of the peak for products at half of the peak', async () => {
    const utilisations = stepUtilisations(await rooflineInput(ahead), system('a100-80gb'));
    for (const {utilisation} of utilisations) {
      expect(utilisation).toBeGreaterThan(0.49);
      expect(utilisation).toBeLessThan(0.505);
    }
    expect(utilisations).toHaveLength(3);
  });

  it('says so where more than the peak was reached', async () => {
    const path = file('impossible.json', [
      kineto.range('ProfilerStep#1', 0, 1000),
      product(2),
      kineto.call(1, 5, 5),
      kineto.kernel(1, 40, 700),
    ]);
    const [row] = textRows(await reportOfFile(path, 'mfu_sum'));
    expect(Number(row?.['MFU (%)'])).toBeGreaterThan(300);
    expect(row?.['Note']).toContain('above the peak');
    const [usual] = textRows(await reportOfFile(ahead, 'mfu_sum'));
    expect(usual?.['Note']).toBe('');
  });
});
