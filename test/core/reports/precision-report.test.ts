import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {makeReports, parseReportRequest} from '../../../src/core/reports/reports.js';
import {reportScope} from '../../../src/core/scope/report-scope.js';
import type {Selection} from '../../../src/core/scope/selection.js';
import {loadReportDetails} from '../../../src/importers/report-details.js';
import {openTrace} from '../../../src/importers/open-trace.js';
import {kineto, kinetoText} from '../../support/kineto-events.js';
import {temporaryFolder} from '../../support/project.js';
import {dataFolder, hasData} from '../../support/real-data.js';

const path = join(temporaryFolder(), 'autocast.json');
const typed = (...types: string[]) => ({'Input Dims': types.map(() => [4, 4]), 'Input type': types});
const bf16 = 'c10::BFloat16';
writeFileSync(
  path,
  kinetoText([
    kineto.range('ProfilerStep#1', 0, 100),
    kineto.range('mlp', 10, 50),
    kineto.python('nn.Module: Linear_0', 12, 40),
    // A cast is a copy inside another operator, whose own inputs are not asked for.
    kineto.op('aten::_to_copy', 14, 10, typed('float', 'Scalar')),
    kineto.op('aten::copy_', 16, 5, {...typed(bf16, 'float', 'Scalar'), 'Input Dims': [[4, 4], [4, 4], []]}),
    kineto.op('aten::mm', 30, 10, typed(bf16, bf16)),
    kineto.op('aten::copy_', 70, 5, typed('float', 'float')),
    kineto.op('autograd::engine::evaluate_function: MmBackward0', 10, 50, {}, 200),
    kineto.op('aten::mm', 20, 20, typed(bf16, 'c10::complex<double>'), 200),
    kineto.op('aten::add', 80, 5, typed('double', 'long int'), 200),
  ]),
);

async function rows(file: string, report = 'precision_sum', selection: Selection = {}): Promise<unknown[][]> {
  const trace = await openTrace(file);
  const request = parseReportRequest(report);
  if (!request) throw new Error(`There is no report ${report}.`);
  const details = await loadReportDetails(file, trace, new Set(['shapes']));
  const [made] = makeReports([request], {trace, details, scope: reportScope(trace, selection)});
  return Array.from({length: made?.rows.length ?? 0}, (_, row) => made?.rows.cells(row) ?? []);
}

describe('precision_sum', () => {
  it('has the types of operators by range and pass, and copies between types as casts', async () => {
    expect(await rows(path)).toEqual([
      ['mlp', 'forward', 2, 'bfloat16 × 3, float32 × 1', 'float32 → bfloat16 × 1'],
      ['(outside any range)', 'backward', 1, 'bfloat16 × 1, c10::complex<double> × 1', null],
      ['(outside any range)', 'forward', 1, 'float64 × 1, int64 × 1', null],
      ['ProfilerStep#1', 'forward', 1, 'float32 × 2', null],
    ]);
  });

  it('takes modules instead of ranges, and a part of the profile', async () => {
    expect(await rows(path, 'precision_sum:module')).toContainEqual([
      'Linear_0',
      'forward',
      2,
      'bfloat16 × 3, float32 × 1',
      'float32 → bfloat16 × 1',
    ]);
    expect(await rows(path, 'precision_sum', {range: 'mlp'})).toHaveLength(1);
  });

  it.skipIf(!hasData)('finds the half precision of a real profile, and its casts', async () => {
    const [first] = await rows(join(dataFolder, 'kineto', 'qwen1.5-0.5b-h100.json.gz'));
    expect(first?.[3]).toMatch(/bfloat16 × \d+/);
    expect(first?.[4]).toMatch(/float32 → bfloat16 × \d+/);
  });
});
