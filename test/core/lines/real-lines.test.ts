import {join} from 'node:path';
import {expect, it} from 'vitest';
import {lineTimings} from '../../../src/core/lines/line-timings.js';
import {rangeRows, type RangeRow} from '../../../src/core/figures/range-rows.js';
import {stepScope} from '../../../src/core/scope/step-scope.js';
import {memorySummary} from '../../../src/core/reports/memory-reports.js';
import {openTrace} from '../../../src/importers/open-trace.js';
import {reportOfTrace, textRows} from '../../support/make-report.js';
import {dataFolder, hasData} from '../../support/real-data.js';
import {describeEachFile} from '../../support/each-file.js';
import {project} from '../../support/project.js';

const sample = {name: 'the sample', path: join(project, 'media', 'sample', 'profile', 'train.pt.trace.json.gz')};
const real = ['bert-small-h100', 'qwen1.5-0.5b-h100', 'train-resnet18-ddp-mi300', 'alexnet-cuda-sync'].map(name => ({
  name,
  path: join(dataFolder, 'kineto', `${name}.json.gz`),
}));

const same = [
  'count',
  'cpuWallNs',
  'gpuWorkNs',
  'backwardGpuWorkNs',
  'launches',
] as const satisfies readonly (keyof RangeRow)[];

describeEachFile([sample, ...(hasData ? real : [])])('the lines of $name', ({path}) => {
  it('have the figures of gpu-lens ranges, in all and summed over the steps', async () => {
    const trace = await openTrace(path);
    const rows = rangeRows(trace, 'name').filter(({name, count}) => count > 0 && !name.startsWith('('));
    const lines = rows.map(({name}) => [[name]]);
    for (const [at, timing] of lineTimings(trace, lines, 'profile').entries()) {
      for (const key of same) expect(timing[key]).toBe(rows[at]?.[key]);
    }
    const {numbers} = stepScope(trace);
    const ofSteps = numbers.map(
      step => new Map(rangeRows(trace, 'name', {selection: {step}}).map(row => [row.name, row])),
    );
    for (const [at, timing] of lineTimings(trace, lines).entries()) {
      const name = rows[at]?.name ?? '';
      if (timing.of === 'profile') continue;
      for (const key of same) {
        const sum = ofSteps.reduce((total, step) => total + (step.get(name)?.[key] ?? 0), 0);
        expect([name, key, timing[key]]).toEqual([name, key, sum]);
      }
      expect(timing.allGpuWorkNs).toBeGreaterThanOrEqual(timing.gpuWorkNs + timing.backwardGpuWorkNs);
    }
    expect(rows.length).toBeGreaterThan(0);
  });
});

it('the peak of a line is that of memory_sum', async () => {
  const trace = await openTrace(join(project, 'test', 'fixtures', 'key-averages', 'memory.pt.trace.json.gz'));
  const rows = textRows(reportOfTrace(trace, memorySummary.id)).filter(row => !row['Range']?.startsWith('('));
  const timings = lineTimings(
    trace,
    rows.map(row => [[row['Range'] ?? '']]),
    'profile',
  );
  expect(rows.length).toBeGreaterThan(0);
  expect(timings.map(({peakBytes}) => peakBytes)).toEqual(rows.map(row => Number(row['Peak (B)'])));
});
