import {join} from 'node:path';
import {expect, it} from 'vitest';
import {json} from '../support/command-line.js';
import {project} from '../support/project.js';

interface Row {
  readonly name: string;
  readonly count: number;
  readonly gpuWorkNs: number;
}

const fixture = join(project, 'test', 'fixtures', 'backward-thread', 'train.pt.trace.json.gz');

it('gpu-lens ranges gives lines the work that they launched in backward’s own thread', () => {
  const rows = new Map((json('ranges', fixture, '--by', 'line') as Row[]).map(row => [row.name, row]));
  const figures = (line: number) => {
    const {count, gpuWorkNs} = rows.get(`train.py:${String(line)}`) ?? {};
    return [count, gpuWorkNs];
  };
  // Both lines of a checkpointed block, called twice as often as the block.
  expect(figures(13)).toEqual([12, 88_354]);
  expect(figures(14)).toEqual([12, 14_880]);
  // An optimizer that a hook steps, inside its function.
  expect(figures(19)).toEqual([12, 22_463]);
  expect(figures(20)).toEqual([12, 22_463]);
  // The main thread's own lines.
  expect(figures(25)).toEqual([3, 70_307]);
  expect(figures(28)).toEqual([6, 55_906]);
});
