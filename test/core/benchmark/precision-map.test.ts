import {expect, it} from 'vitest';
import {layoutText} from '../../../src/core/benchmark/layout-table.js';
import {parsePrecisionRows, precisionTable} from '../../../src/core/benchmark/precision-map.js';

const row = {
  name: 'layers.N.ffn',
  kind: 'SwiGLU',
  count: 12,
  parameters: ['float32'],
  inputs: ['float32'],
  outputs: ['bfloat16'],
  gradients: ['float32'],
  casts: [
    {from: 'float32', to: 'bfloat16', count: 3},
    {from: 'bfloat16', to: 'float32', count: 1},
  ],
};

it('precisionTable(rows) has a type in each cell and casts with their numbers', () => {
  expect(layoutText(precisionTable([row]), 'csv')).toBe(
    'Module or range,Kind,Count,Parameters,Inputs,Outputs,Gradients,Casts\n' +
      'layers.N.ffn,SwiGLU,12,float32,float32,bfloat16,float32,"float32 → bfloat16 × 3, bfloat16 → float32 × 1"\n',
  );
});

it('parsePrecisionRows(value) keeps what is a row, and of a row what is a type', () => {
  expect(parsePrecisionRows([row])).toEqual([row]);
  expect(parsePrecisionRows('rows')).toEqual([]);
  expect(parsePrecisionRows([null, {name: 1}, {name: 'a', kind: 'range', inputs: [3, 'bool'], casts: [{}]}])).toEqual([
    {name: 'a', kind: 'range', count: 1, parameters: [], inputs: ['bool'], outputs: [], gradients: [], casts: []},
  ]);
});
