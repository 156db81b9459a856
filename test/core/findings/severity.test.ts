import {expect, it} from 'vitest';
import {severityOf} from '../../../src/core/findings/rules/severity.js';

it.each([
  [2.99, null],
  [3, 'low'],
  [9.99, 'low'],
  [10, 'medium'],
  [24.99, 'medium'],
  [25, 'high'],
  [100, 'high'],
])('severityOf(%d, 100) is %s: each threshold belongs to what is above it', (part, severity) => {
  expect(severityOf(part, 100)).toBe(severity);
});

it('severityOf(part, 0) is null: a part of nothing is none', () => {
  expect(severityOf(5, 0)).toBeNull();
});
