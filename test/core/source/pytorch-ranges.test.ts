import {expect, it} from 'vitest';
import {isPyTorchRange} from '../../../src/core/source/pytorch-ranges.js';

it.each([
  ['ProfilerStep#3', true],
  ['ProfilerStep*', true],
  ['Optimizer.step#SGD.step', true],
  ['ProfilerStep', false],
  ['my ProfilerStep#3', false],
  ['layer_*', false],
])('isPyTorchRange(%s) is %s', (name, is) => {
  expect(isPyTorchRange(name)).toBe(is);
});
