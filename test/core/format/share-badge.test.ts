import {expect, it} from 'vitest';
import {shareBadge} from '../../../src/core/format/share-badge.js';

it.each([
  [0, ''],
  [0.004, ''],
  [0.006, '1'],
  [0.306, '31'],
  [0.994, '99'],
  [1, '99'],
])('shareBadge(%d) is "%s"', (fraction, badge) => {
  expect(shareBadge(fraction)).toBe(badge);
});
