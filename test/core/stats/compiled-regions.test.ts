import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, it} from 'vitest';
import {fusedOperators} from '../../../src/core/stats/compiled-regions.js';
import {reportOfFile, reportsOfFile, textRows} from '../../support/make-report.js';
import {kineto, kinetoText} from '../../support/kineto-events.js';
import {temporaryFolder} from '../../support/project.js';
import {dataFolder, hasData} from '../../support/real-data.js';

it('compiled_sum stands the work of a region on it, whatever is inside', async () => {
  const path = join(temporaryFolder(), 'compiled.json');
  writeFileSync(
    path,
    kinetoText([
      kineto.op('Torch-Compiled Region: 0/1', 0, 100),
      kineto.op('triton_poi_fused_add_relu_3', 10, 20),
      kineto.call(1, 12, 5),
      kineto.kernel(1, 20, 30),
      kineto.call(2, 40, 5),
      kineto.kernel(2, 60, 10),
      kineto.call(3, 110, 5),
      kineto.kernel(3, 120, 10),
    ]),
  );
  const rows = textRows(await reportOfFile(path, 'compiled_sum'));
  expect(rows.map(row => Object.values(row))).toEqual([
    ['75.0', '30000', '1', 'Torch-Compiled Region: 0/1', 'triton_poi_fused_add_relu_3', 'add_relu'],
    ['25.0', '10000', '1', 'Torch-Compiled Region: 0/1', 'Torch-Compiled Region: 0/1', 'inside compiled region'],
  ]);
});

it('fusedOperators(name) is null for names that are no fused kernel’s', () => {
  expect(['triton_red_fused__unsafe_view_add_1', 'aten::mm', 'triton_0'].map(fusedOperators)).toEqual([
    '_unsafe_view_add',
    null,
    null,
  ]);
});

it.skipIf(!hasData)('compiled_sum of a compiled model has all of its work', async () => {
  const path = join(dataFolder, 'kineto', 'torch-compile-triton-mi300.json.gz');
  const [compiled = [], all = []] = (await reportsOfFile(path, ['compiled_sum', 'cuda_gpu_sum'])).map(textRows);
  const sum = (rows: Record<string, string>[]) =>
    rows.reduce((total, row) => total + Number(row['Total Time (ns)']), 0);
  expect(sum(compiled)).toBe(sum(all));
  expect(compiled.filter(row => row['Fused'] !== 'inside compiled region').map(row => row['Fused'])).toContain(
    'add_mean_mul_pow_rsqrt',
  );
});
