import {execFileSync, spawnSync} from 'node:child_process';
import {expect, it} from 'vitest';
import {printedFixed} from '../../../src/core/format/printed-fixed.js';
import {skipTest} from '../../support/skip-test.js';

it('printedFixed(value, decimals) takes the even digit where two texts are equally near', () => {
  expect(printedFixed(0.0625, 3)).toBe('0.062');
  expect(printedFixed(0.1875, 3)).toBe('0.188');
  expect(printedFixed(-0.0625, 3)).toBe('-0.062');
  expect(printedFixed(0.125, 2)).toBe('0.12');
  expect(printedFixed(2.5, 0)).toBe('2');
  expect(printedFixed(3.5, 0)).toBe('4');
  // Not a half in binary, but a little more.
  expect(printedFixed(0.0025, 3)).toBe('0.003');
});

it('printedFixed(value, decimals) is the text that Python and printf write, halves and large numbers included', context => {
  const interpreter = process.env['GPU_LENS_PYTHON'] ?? 'python3';
  if (spawnSync(interpreter, ['--version']).status !== 0) {
    skipTest(context, `there is no ${interpreter}`);
    return;
  }
  const values: number[] = [];
  for (let i = 0; i < 4000; i++) values.push((i * 7919 - 9e6) / 2 ** (i % 12));
  values.push(1e13 + 0.0625, 2 ** 52 + 0.5, 2 ** 53, 4503599627370497.5, 1e20, 1e-9, 0);
  const python =
    'import sys, json; print(json.dumps([[f"{x:.{d}f}" for d in range(5)] for x in json.load(sys.stdin)]))';
  const texts = execFileSync(interpreter, ['-c', python], {
    input: JSON.stringify(values),
    encoding: 'utf8',
  });
  expect(values.map(value => [0, 1, 2, 3, 4].map(decimals => printedFixed(value, decimals)))).toEqual(
    JSON.parse(texts),
  );
});
