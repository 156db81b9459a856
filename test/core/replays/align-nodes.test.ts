import {expect, it} from 'vitest';
import {alignNodes} from '../../../src/core/replays/align-nodes.js';

/** The nodes of a replay by letters; `-` where that cannot be told. */
function aligned(operations: string, nodes: string): string | null {
  const found = alignNodes(operations.length, nodes.length, (at, node) => operations[at] === nodes[node]);
  return found && Array.from(found, node => (node < 0 ? '-' : nodes[node])).join('');
}

const alphabet = 'abcdefghijklmnopqrstuvwxyz';

it('pairs sequences of one length by place, and all must fit', () => {
  expect(aligned('aba', 'aba')).toBe('aba');
  expect(aligned('abb', 'aba')).toBeNull();
  expect(aligned('', '')).toBe('');
});

it('leaves out what one of them lacks', () => {
  expect(aligned(alphabet.replace('k', ''), alphabet)).toBe(alphabet.replace('k', ''));
  expect(aligned(alphabet, alphabet.replace('k', ''))).toBe(alphabet.replace('k', '-'));
});

it('does not choose among several that are alike', () => {
  // One of two calls of k was captured: either may be it.
  expect(aligned(alphabet.replace('k', 'kk'), alphabet)).toBe(alphabet.replace('k', '--'));
  const found = alignNodes(26, 27, (at, node) => alphabet[at] === alphabet.replace('k', 'kk')[node]);
  expect(found && Array.from(found).indexOf(-1)).toBe(10);
});

it('refuses sequences that share too little, or are too long to compare', () => {
  expect(aligned('abc', 'abcdefg')).toBeNull();
  expect(aligned(alphabet.slice(1), alphabet.slice(1).replaceAll(/[a-m]/g, '.') + 'x')).toBeNull();
  expect(alignNodes(5000, 5001, () => true)).toBeNull();
});

it('equals what all longest common subsequences agree on', () => {
  let seed = 1;
  const random = (below: number) => (seed = (seed * 48271) % 2147483647) % below;
  for (let round = 0; round < 60; round++) {
    const nodes = Array.from({length: 20}, () => random(4));
    const operations = [...nodes];
    if (round % 2 === 0) operations.splice(random(20), 1);
    else operations.splice(random(20), 0, random(4));
    const found = alignNodes(operations.length, 20, (at, node) => operations[at] === nodes[node]);
    expect(found && Array.from(found)).toEqual(agreedPartners(operations, nodes));
  }
});

/** By listing every longest common subsequence; these have 19 or 20 pairs, so that there are few. */
function agreedPartners(operations: readonly number[], nodes: readonly number[]): number[] {
  const partners = operations.map(() => new Set<number>());
  const least = Math.min(operations.length, nodes.length);
  const walk = (at: number, node: number, pairs: readonly number[], skipped: number): void => {
    if (at === operations.length) {
      if (pairs.filter(pair => pair >= 0).length === least) pairs.forEach((pair, index) => partners[index]?.add(pair));
      return;
    }
    for (let next = node; next < Math.min(nodes.length, node + 2); next++) {
      if (operations[at] === nodes[next]) walk(at + 1, next + 1, [...pairs, next], skipped);
    }
    if (skipped === 0) walk(at + 1, node, [...pairs, -1], 1);
  };
  walk(0, 0, [], 0);
  return partners.map(set => (set.size === 1 ? ([...set][0] ?? -1) : -1));
}
