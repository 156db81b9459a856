import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, it} from 'vitest';
import {kernelLines, parseSidecar} from '../../../src/core/source/sidecar.js';
import {noDetails} from '../../../src/core/figures/report-details.js';
import {wholeTrace} from '../../../src/core/scope/report-scope.js';
import {makeReports, parseReportRequest} from '../../../src/core/reports/reports.js';
import {openTrace} from '../../../src/importers/open-trace.js';
import {fusedOperators} from '../../../src/core/reports/compiled-regions-report.js';
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
  const report = await reportOfFile(path, 'compiled_sum');
  expect(report.rows.footer).toEqual(['80 % of all GPU work is of compiled regions.']);
  expect(textRows(report).map(row => Object.values(row))).toEqual([
    [
      '60.00',
      '30000',
      '1',
      'Torch-Compiled Region: 0/1',
      'triton_poi_fused_add_relu_3',
      'add_relu',
      'inside compiled region',
    ],
    [
      '20.00',
      '10000',
      '1',
      'Torch-Compiled Region: 0/1',
      'Torch-Compiled Region: 0/1',
      'inside compiled region',
      'inside compiled region',
    ],
  ]);
});

it.skipIf(!hasData)('compiled_sum of a compiled model has the lines that a sidecar knows', async () => {
  const trace = await openTrace(join(dataFolder, 'kineto', 'torch-compile-triton-mi300.json.gz'));
  const kernel = 'triton_poi_fused__unsafe_view_mul_silu_2';
  const site = (line: unknown) => ({name: kernel, file: 'model.py', line, function: 'forward', code: 'x'});
  const sidecar = parseSidecar(JSON.stringify({sites: [], compiledKernels: [site(12), site(14), site('15'), null]}));
  const definition = parseReportRequest('compiled_sum');
  const [report] = makeReports(definition ? [definition] : [], {
    ...{trace, details: noDetails, scope: wholeTrace},
    kernelLines: kernelLines(sidecar ?? {kernels: []}),
  });
  const rows = report ? textRows(report) : [];
  const linesOf = (operator: string) => rows.find(row => row['Operator'] === operator)?.['Lines'];
  expect(linesOf(kernel)).toBe('model.py:12, model.py:14');
  expect(linesOf('triton_poi_fused__unsafe_view_add_3')).toBe('inside compiled region');
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
