import {describe, expect, it} from 'vitest';
import {rankFiles, rankInFileName} from '../../../src/core/names/rank-files.js';

describe('rankInFileName(name)', () => {
  it.each([
    ['train.rank3.812.pt.trace.json.gz', 3],
    ['ddp-rank-12-of-128.json', 12],
    ['Rank_0.nsys-rep', 0],
    ['report1.sqlite', null],
  ])('of %s is %s', (name, rank) => {
    expect(rankInFileName(name)).toBe(rank);
  });
});

describe('rankFiles(name, names)', () => {
  it('finds files that differ by the rank, and by numbers of processes', () => {
    const names = [
      'train.rank0.812.pt.trace.json.gz',
      'train.rank0.812.pt.trace.json.gz.meta.json',
      'train.rank1.813.pt.trace.json.gz',
      'infer.rank1.813.pt.trace.json.gz',
      'train.pid77.77.pt.trace.json.gz',
    ];
    expect([...rankFiles(names[0] ?? '', names)]).toEqual([
      [0, names[0]],
      [1, names[2]],
    ]);
  });

  it('takes of several files of a rank the one of the same run, and leaves out what nobody can tell', () => {
    const names = [
      'rank0.100.json',
      'rank0.200.json',
      'rank1.100.json',
      'rank1.200.json',
      'rank2.300.json',
      'rank2.301.json',
    ];
    expect([...rankFiles('rank0.200.json', names)]).toEqual([
      [0, 'rank0.200.json'],
      [1, 'rank1.200.json'],
    ]);
  });
  it('takes none of another run for a rank that this run has not', () => {
    const names = ['run1-rank-0.json', 'run2-rank-0.json', 'run2-rank-1.json'];
    expect([...rankFiles('run1-rank-0.json', names)]).toEqual([[0, 'run1-rank-0.json']]);
    expect([...rankFiles('run2-rank-0.json', names)].map(([rank]) => rank)).toEqual([0, 1]);
  });
});
