import {expect, it} from 'vitest';
import {readable} from '../../webview/timeline/readable.js';

it.each([
  ['18.262488766401056', '18.26'],
  ['0.000123456', '0.0001235'],
  ['-1234.5678901', '-1235'],
  ['1234567', '1234567'],
  ['0.5', '0.5'],
  ['2.14748', '2.147'],
  ['[128, 1, 1]', '[128, 1, 1]'],
  ['1.2.3.45678', '1.2.3.45678'],
  ['', ''],
])('readable(%j) is %j', (value, text) => {
  expect(readable(value)).toBe(text);
});
