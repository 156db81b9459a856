import {expect, it} from 'vitest';
import {greatest, least, pushAll} from '../../../src/core/table/extremes.js';

const many = Array.from({length: 300_000}, (_, i) => i);

it('greatest(numbers) and least(numbers) take any number of them', () => {
  expect([greatest(many), least(many)]).toEqual([299_999, 0]);
  expect([greatest([]), least([]), greatest([], 5), least([], 5)]).toEqual([-Infinity, Infinity, 5, 5]);
  expect([greatest([NaN, -2, -1]), least([NaN, 2, 1]), greatest([NaN], 0)]).toEqual([-1, 1, 0]);
});

it('pushAll(list, items) adds any number of items', () => {
  const list = [-1];
  pushAll(list, many);
  expect([list.length, list.at(-1)]).toEqual([300_001, 299_999]);
});
