import {expect, it} from 'vitest';
import {formatCount, plural} from '../../../src/core/format/count.js';
import {formatDuration, formatPercent} from '../../../src/core/format/duration.js';
import {foldName, parseOperatorName} from '../../../src/core/names/operator-name.js';
import {displayName} from '../../../src/core/names/slice-name.js';

it.each([
  [0, '0 ns'],
  [950, '950 ns'],
  [999.6, '1.00 µs'],
  [1000, '1.00 µs'],
  [12_345, '12.3 µs'],
  [999_400, '999 µs'],
  [999_500, '1.00 ms'],
  [44_300_000, '44.3 ms'],
  [1_240_000_000, '1.24 s'],
  [75_000_000_000, '75.0 s'],
  [4_460_346_194_000, '4460 s'],
  [-1500, '-1.50 µs'],
  [NaN, '–'],
])('formatDuration(%d) is %s', (ns, text) => {
  expect(formatDuration(ns)).toBe(text);
});

it.each([
  [0, 10, '0 %'],
  [1, 0, '0 %'],
  [1, 1e9, '<0.01 %'],
  [306, 1000, '30.6 %'],
  [5, 1000, '0.50 %'],
  [1000, 1000, '100 %'],
  [9996, 10000, '100 %'],
])('formatPercent(%d, %d) is %s', (part, whole, text) => {
  expect(formatPercent(part, whole)).toBe(text);
});

it('formatCount(count) puts commas between thousands', () => {
  expect([0, 999, 1000, -12345, 1234567].map(formatCount)).toEqual(['0', '999', '1,000', '-12,345', '1,234,567']);
});

it('plural(count, noun) agrees with the number', () => {
  expect([plural(1, 'kernel'), plural(2, 'copy'), plural(1465, 'event')]).toEqual([
    '1 kernel',
    '2 copies',
    '1,465 events',
  ]);
});

it.each([
  ['cudaLaunchKernel_v7000', 'cudaLaunchKernel'],
  ['cudaGraphLaunch_v10000', 'cudaGraphLaunch'],
  ['cuLaunchKernel', 'cuLaunchKernel'],
  ['my_range_v2', 'my_range_v2'],
  ['void at::native::foo<float>(int)', 'at::native::foo<float>(int)'],
  ['void main loop', 'void main loop'],
])('displayName(%s) is %s', (name, shown) => {
  expect(displayName(name)).toBe(shown);
});

it.each([
  ['ProfilerStep#12', 'ProfilerStep*'],
  ['layer_12', 'layer_12'],
  ['aten::mm, seq = 7, op_id = 12, sizes = [[2, 3]]', 'aten::mm'],
  ['aten::mm, op_id = 12', 'aten::mm'],
  ['aten::mm, op_id = x', 'aten::mm, op_id = x'],
  ['a = b, c', 'a = b, c'],
  ['<built-in method forward of Net object at 0x7f12Ab>', '<built-in method forward of Net object>'],
])('foldName(%s) is %s', (name, folded) => {
  expect(foldName(name)).toBe(folded);
});

it('parseOperatorName(name) tells the sequence number, -1 where there is none, and null for other names', () => {
  expect(parseOperatorName('MmBackward0, seq = 7')).toEqual({text: 'MmBackward0', sequence: 7});
  expect(parseOperatorName('aten::mm, op_id = 3')).toEqual({text: 'aten::mm', sequence: -1});
  expect(parseOperatorName('aten::mm, seq = 99999999999999999999')).toEqual({text: 'aten::mm', sequence: -1});
  expect(parseOperatorName('learning rate = 3')).toBeNull();
});
