import {expect, it} from 'vitest';
import {environmentDifferences} from '../../../src/core/benchmark/environment-differences.js';
import {pointResult} from '../../support/sweep.js';

const measured = (device: string, environment: object) =>
  pointResult({result: {device, environment: {...environment}}});

it('environmentDifferences(results) names what changed while a sweep was cut off', () => {
  const results = [
    measured('cpu', {torch: '2.12.0', python: '3.12'}),
    measured('cpu', {torch: '2.13.0', python: '3.12'}),
  ];
  expect(environmentDifferences(results)).toBe(
    'Not all points were measured in the same surroundings: torch 2.12.0, 2.13.0.',
  );
  const commits = ['a', 'b', 'c', 'd', 'e'].map(commit => measured('cpu', {commit}));
  expect(environmentDifferences(commits)).toContain('commit a, b, c and 2 more.');
});

it('environmentDifferences(results) is null for two GPUs of one sweep, and for points that tell nothing', () => {
  const a = measured('cuda:0', {torch: '2.13.0', load: 1, gpu: {name: 'A', driver: '1'}});
  const b = measured('cuda:1', {torch: '2.13.0', load: 2, gpu: {name: 'B', driver: '1'}});
  expect(environmentDifferences([a, b, measured('cpu', {})])).toBeNull();
  const replaced = measured('cuda:0', {gpu: {name: 'C', driver: '1'}});
  expect(environmentDifferences([a, b, replaced])).toContain('GPU cuda:0 name A, C.');
});
