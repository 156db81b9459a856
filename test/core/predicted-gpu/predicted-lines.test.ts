import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {systemPreset} from '../../../src/core/estimate/system-presets.js';
import {
  predictedLines,
  predictedLineText,
  predictedLineTooltip,
} from '../../../src/core/predicted-gpu/predicted-lines.js';
import {predictedStep} from '../../../src/core/predicted-gpu/predicted-step.js';
import {openTrace} from '../../../src/importers/open-trace.js';
import {loadReportDetails} from '../../../src/importers/report-details.js';
import {kineto} from '../../support/kineto-events.js';
import {project} from '../../support/project.js';
import {traceOfEvents} from '../../support/trace-of-events.js';

const h100 = systemPreset('h100');
if (!h100) throw new Error('There is no preset of the H100.');
const matrix = [512, 512];

describe('predictedLines', () => {
  it('has the work of a line for each step, as worked out by hand, and none of a line without any', async () => {
    const step = (number: number, startUs: number) => [
      kineto.range(`ProfilerStep#${String(number)}`, startUs, 100),
      kineto.range('train', startUs + 5, 60),
      kineto.op('aten::mm', startUs + 10, 50),
      kineto.range('nothing', startUs + 80, 5),
    ];
    const trace = await traceOfEvents([...step(1, 0), ...step(2, 100)]);
    const {slices, strings} = trace;
    const products = Array.from(slices.name.keys()).filter(row => strings.get(slices.name[row] ?? 0) === 'aten::mm');
    const inputs = {dims: [matrix, matrix], types: ['float', 'float'], values: ['', '']};
    const shapes = new Map(products.map(row => [row, inputs] as const));
    const [train, nothing] = predictedLines(trace, shapes, h100, [[['train']], [['nothing']]]);
    // 2 · 512³ / 66.9 TFLOP/s = 4.012 µs, 10 + 4.012 / 0.532 = 17.542 µs in each step; faster and slower by 1.6.
    expect(train).toMatchObject({backwardNs: 0, per: 'step'});
    expect(train?.predictedNs).toBeCloseTo(17_542, -1);
    expect(train?.intervalNs[0]).toBeCloseTo(17_542 / 1.6, -1);
    expect(train?.intervalNs[1]).toBeCloseTo(17_542 * 1.6, -1);
    expect(nothing).toBeNull();
  });

  it('has of the sample what "whatif --system" has of its ranges', async () => {
    const path = join(project, 'media', 'sample', 'profile', 'train.pt.trace.json.gz');
    const trace = await openTrace(path);
    const shapes = (await loadReportDetails(path, trace, new Set(['allShapes']))).allShapes ?? new Map();
    const {ranges} = predictedStep(trace, shapes, h100, {step: null, automatic: []});
    expect(ranges.length).toBeGreaterThan(10);
    const lines = predictedLines(
      trace,
      shapes,
      h100,
      ranges.map(({name}) => [[name]]),
    );
    for (const [at, {name, predictedGpuWorkNs, predictedBackwardGpuWorkNs}] of ranges.entries()) {
      // Steps do the same work: the mean of all is that of all but the first.
      const part = (lines[at]?.predictedNs ?? NaN) / (predictedGpuWorkNs + predictedBackwardGpuWorkNs);
      expect([name, part]).toEqual([name, expect.closeTo(1, 3)]);
      expect([name, lines[at]?.backwardNs]).toEqual([name, expect.closeTo(predictedBackwardGpuWorkNs, -2)]);
    }
  });

  it('is never without its mark, its GPU and its interval', () => {
    const line = {
      predictedNs: 1_900_000,
      backwardNs: 1_200_000,
      intervalNs: [1_200_000, 3_000_000],
      per: 'step',
    } as const;
    expect(predictedLineText(line, 'h100')).toBe('≈ GPU 1.90 ms/step, predicted for H100');
    expect(predictedLineTooltip(line)).toMatch(
      /^Predicted, not measured: .* between 1\.20 ms and 3\.00 ms; forward 700 µs/,
    );
  });
});
