import {describe, expect, it} from 'vitest';
import {mappedPath} from '../../../src/core/source/path-map.js';
import {PathIndex} from '../../../src/core/source/path-index.js';
import {SourceIndex, type FileContents} from '../../../src/core/source/source-index.js';
import type {SourceTag} from '../../../src/core/source/source-tag.js';
import {unmatched} from '../../../src/core/source/unmatched.js';

function tag(line: number, ...pattern: string[]): SourceTag {
  return {api: 'record_function', pattern: pattern.length > 0 ? pattern : null, line, endLine: line + 1, offset: 0};
}

function indexOf(files: Record<string, Partial<FileContents>>): SourceIndex {
  const index = new SourceIndex();
  for (const [file, contents] of Object.entries(files))
    index.set(file, {tags: [], modules: [], compiled: [], ...contents});
  return index;
}

function placesOf(index: SourceIndex, name: string): string[] {
  return index.placesFor(name).map(({file, line}) => `${file}:${String(line)}`);
}

describe('SourceIndex.placesFor(name)', () => {
  it('gives every line that opens it, in order of file and line', () => {
    const index = indexOf({'b.py': {tags: [tag(3, 'a'), tag(1, 'a')]}, 'a.py': {tags: [tag(2, 'a'), tag(5, 'c')]}});
    expect(placesOf(index, 'a')).toEqual(['a.py:2', 'b.py:1', 'b.py:3']);
    expect(placesOf(index, 'none')).toEqual([]);
  });

  it('prefers the exact name to patterns, and of these the one with more text', () => {
    const index = indexOf({'a.py': {tags: [tag(1, '', '_'), tag(2, 'layer_', ''), tag(3, 'layer_0'), tag(4)]}});
    expect(placesOf(index, 'layer_0')).toEqual(['a.py:3']);
    expect(placesOf(index, 'layer_')).toEqual(['a.py:2', 'a.py:1']);
  });

  it('puts a module on the forward of its class', () => {
    const forward = {className: 'Mlp', line: 7, endLine: 9, offset: 0};
    const index = indexOf({'a.py': {modules: [forward]}, 'b.py': {modules: [{...forward, className: 'Mlp_0'}]}});
    expect(placesOf(index, 'nn.Module: Mlp_12')).toEqual(['a.py:7']);
    expect(placesOf(index, 'nn.Module: Linear_0')).toEqual([]);
  });

  it('follows files that change and go', () => {
    const index = indexOf({'a.py': {tags: [tag(1, 'a'), tag(2, 'l', '')]}, 'b.py': {tags: [tag(1, 'a')]}});
    index.set('a.py', {tags: [tag(9, 'b')], modules: [], compiled: []});
    expect([placesOf(index, 'a'), placesOf(index, 'b'), placesOf(index, 'l0')]).toEqual([['b.py:1'], ['a.py:9'], []]);
    index.delete('b.py');
    index.delete('never.py');
    expect([placesOf(index, 'a'), index.files, index.tags.length]).toEqual([[], 1, 1]);
    expect(index.paths.matching('b.py')).toEqual([]);
    index.set('w/x/c.py', {tags: [], modules: [], compiled: ['Net']});
    index.set('w/xy/c.py', {tags: [], modules: [], compiled: ['Net', 'f']});
    expect([...index.compiledNames]).toEqual(['Net', 'f']);
    expect(index.filesBelow('w/x')).toEqual(['w/x/c.py']);
  });
});

describe('PathIndex.matching(path)', () => {
  const paths = new PathIndex();
  for (const file of ['/w/a/train.py', '/w/b/train.py', '/w/b/model.py', 'C:\\w\\c\\io.py']) paths.add(file);
  it.each([
    ['/other/b/train.py', ['/w/b/train.py']],
    ['b/train.py', ['/w/b/train.py']],
    ['train.py', ['/w/a/train.py', '/w/b/train.py']],
    ['/elsewhere/train.py', ['/w/a/train.py', '/w/b/train.py']],
    ['D:\\x\\b\\model.py', ['/w/b/model.py']],
    ['/x/c/io.py', ['C:\\w\\c\\io.py']],
    ['./b/./train.py', ['/w/b/train.py']],
    ['/w/a/other.py', []],
    ['torch/nn/model.py', []],
    ['w/b/model.py', ['/w/b/model.py']],
    ['deep/w/b/model.py', ['/w/b/model.py']],
    ['', []],
  ])('%s: %j', (path, expected) => {
    expect(paths.matching(path)).toEqual(expected);
  });
});

describe('mappedPath(path, map)', () => {
  it.each([
    ['/job/src/a.py', {'/job': '/w'}, '/w/src/a.py'],
    ['/job/src/a.py', {'/job': '/w', '/job/src/': '/v/'}, '/v/a.py'],
    ['C:\\job\\a.py', {'C:\\job': '/w'}, '/w/a.py'],
    ['/jobs/a.py', {'/job': '/w'}, null],
    ['/job/../etc/a.py', {'/job': '/w'}, null],
    ['/x/a.py', {'/': '/w'}, '/w/x/a.py'],
    ['a.py', {}, null],
  ])('%s by %j is %s', (path, map, expected) => {
    expect(mappedPath(path, map)).toBe(expected);
  });
});

describe('unmatched(index, names, isPlaced)', () => {
  const index = indexOf({'a.py': {tags: [tag(1, 'a'), tag(2, 'layer_', ''), tag(3, 'gone'), tag(4), tag(5, 'x', '')]}});

  it('tells what has nothing on the other side', () => {
    const {ranges, tags} = unmatched(
      index,
      ['a', 'layer_3', 'elsewhere', 'placed', 'ProfilerStep#3'],
      name => name === 'placed',
    );
    expect(ranges).toEqual(['elsewhere']);
    expect(tags.map(({line}) => line)).toEqual([3, 5]);
  });
});
