import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, it} from 'vitest';
import {rooflineAnswer} from '../../../src/core/questions/roofline.js';
import {loadReportDetails} from '../../../src/importers/report-details.js';
import {openTrace} from '../../../src/importers/open-trace.js';
import {kineto, kinetoText} from '../../support/kineto-events.js';
import {temporaryFolder} from '../../support/project.js';

/** A product of [10, 20] by [20, 30]: 12,000 operations. */
const product = (correlation: number, ts: number, workUs: number) => [
  kineto.op('aten::mm', ts, 40, {
    'Input Dims': [
      [10, 20],
      [20, 30],
    ],
    'Input type': ['float', 'float'],
  }),
  kineto.call(correlation, ts + 2, 5),
  kineto.kernel(correlation, ts + 500, workUs),
];

it('rooflineAnswer(by module) has one point for identical layers, and one for what is in no module', async () => {
  const path = join(temporaryFolder(), 'modules.json');
  writeFileSync(
    path,
    kinetoText([
      kineto.range('nn.Module: Net', 0, 300),
      kineto.range('nn.Module: Net.layers.0', 10, 90),
      kineto.range('nn.Module: Net.layers.0.mlp', 20, 70),
      ...product(1, 30, 7),
      kineto.range('nn.Module: Net.layers.1', 110, 90),
      kineto.range('nn.Module: Net.layers.1.mlp', 120, 70),
      ...product(2, 130, 9),
      ...product(3, 210, 3),
      ...product(4, 400, 2),
    ]),
  );
  const trace = await openTrace(path);
  const details = await loadReportDetails(path, trace, new Set(['shapes', 'collectives']));
  const {marks} = rooflineAnswer(trace, details, {by: 'module', system: null, model: null});
  expect(marks.map(({name, count, matrixFlops, gpuWorkNs}) => [name, count, matrixFlops, gpuWorkNs])).toEqual([
    ['Net.layers.0…1.mlp', 2, 24_000, 16_000],
    ['Net', 1, 12_000, 3000],
    ['(outside any module)', 1, 12_000, 2000],
  ]);
});
