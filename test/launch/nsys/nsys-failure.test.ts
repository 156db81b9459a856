import {expect, it} from 'vitest';
import {nsysFailure} from '../../../src/launch/nsys/nsys-failure.js';

it.each([
  ['Opening\nno such table\n[=== 40%\r[====100%\n\n', 'It failed: no such table'],
  ['', 'It failed: nsys said nothing'],
  ['[====100%\n', 'It failed: nsys said nothing'],
  ['x'.repeat(301), `It failed: ${'x'.repeat(300)}`],
])('nsysFailure("It failed", %j) has the last line that is no progress', (output, message) => {
  expect(nsysFailure('It failed', output)).toMatchObject({code: 'launch/nsys-failed', message});
});
