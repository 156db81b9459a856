import {expect, it} from 'vitest';
import {shortNames} from '../../../src/importers/files/short-names.js';

it.each([
  [
    ['/runs/a/rank0.json', '/runs/a/rank1.json'],
    ['rank0.json', 'rank1.json'],
  ],
  [
    ['/runs/host1/trace.json', '/runs/host2/trace.json', '/runs/own.json'],
    ['host1/trace.json', 'host2/trace.json', 'own.json'],
  ],
  // Only those that are still alike get a further folder.
  [
    ['a/x/t.json', 'b/x/t.json', 'a/y/t.json'],
    ['a/x/t.json', 'b/x/t.json', 'y/t.json'],
  ],
  // Ranks of one file have one name.
  [
    ['a/t.json', 'a/t.json', 'b/t.json'],
    ['a/t.json', 'a/t.json', 'b/t.json'],
  ],
  [
    ['t.json', 'a/t.json'],
    ['t.json', 'a/t.json'],
  ],
  [
    [String.raw`C:\one\t.json`, String.raw`C:\two\t.json`],
    ['one/t.json', 'two/t.json'],
  ],
  [[], []],
])('shortNames(%j) are %j', (paths, names) => {
  expect(shortNames(paths)).toEqual(names);
});
