import {expect, it} from 'vitest';
import {shortened} from '../../../src/core/format/shortened.js';
import {noLineLaunches} from '../../../src/core/source/no-line.js';

it('shortened(name) leaves the end of a long name out, at whole letters', () => {
  expect(shortened('a'.repeat(160))).toBe('a'.repeat(160));
  expect(shortened('a'.repeat(161))).toBe(`${'a'.repeat(159)}…`);
  expect(shortened(`${'a'.repeat(158)}${'😀'.repeat(9)}`)).toBe(`${'a'.repeat(158)}…`);
  expect(noLineLaunches('k'.repeat(5000)).length).toBeLessThan(300);
});
