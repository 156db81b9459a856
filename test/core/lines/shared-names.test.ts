import {describe, expect, it} from 'vitest';
import {otherLinesOf} from '../../../src/core/lines/shared-names.js';

const timing = (...names: string[]) => ({names: names.map(name => ({name, count: 1, workNs: 1}))});
const site = (name: string, file: string, line: number) => ({name, file, line, count: 1});

describe('otherLinesOf(timings, path, recorded, sidecar, placesFor)', () => {
  it('counts the lines of the file that give one of the names', () => {
    const lines = [timing('a'), timing('b', 'c'), timing('c'), timing('a'), timing('a'), timing()];
    expect(otherLinesOf(lines, '/x/train.py', null, null)).toEqual([2, 1, 1, 2, 2, 0]);
  });

  it('counts lines of other files that the runner saw, each once', () => {
    const sites = [
      site('a', 'model.py', 3),
      site('b', 'model.py', 3),
      site('a', 'train.py', 9),
      site('a', 'model.py', 7),
    ];
    expect(otherLinesOf([timing('a', 'b'), timing('c')], '/x/train.py', 'train.py', {sites})).toEqual([2, 0]);
  });

  it('counts those of the workspace where there was no runner', () => {
    const places = (name: string) =>
      name === 'a'
        ? [
            {file: '/x/model.py', line: 3},
            {file: '/x/train.py', line: 1},
          ]
        : [];
    expect(otherLinesOf([timing('a'), timing('b')], '/x/train.py', null, null, places)).toEqual([1, 0]);
    expect(otherLinesOf([timing('a')], '/x/train.py', null, {sites: []}, places)).toEqual([0]);
  });
});
