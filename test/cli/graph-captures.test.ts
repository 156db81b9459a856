import {copyFileSync, mkdirSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {json, run} from '../support/command-line.js';
import {project, temporaryFolder} from '../support/project.js';

const fixture = join(project, 'test', 'fixtures', 'graphs');
const profile = join(fixture, 'train_graph.pt.trace.json.gz');
const capture = join(fixture, 'train_graph.capture.pt.trace.json.gz');

describe('a profile with a recorded capture', () => {
  it('has its captured operators once, also where the capture is named', () => {
    const sql = "SELECT name, count(*) AS n FROM slices WHERE kind = 'cpu_op' GROUP BY name ORDER BY name";
    const [alone, named] = [[], ['--capture', capture]].map(options => json('query', profile, sql, ...options));
    expect(named).toEqual(alone);
    expect(json('ranges', profile, '--capture', capture)).toEqual(json('ranges', profile));
  });

  it('is one rank and one profile of its folder: the capture lies beside it', () => {
    const folder = join(temporaryFolder(), 'ranks');
    mkdirSync(folder);
    for (const rank of [0, 1]) {
      for (const [from, kind] of [
        [profile, ''],
        [capture, '.capture'],
      ] as const) {
        copyFileSync(from, join(folder, `train.rank${String(rank)}${kind}.pt.trace.json.gz`));
      }
    }
    expect(json('info', folder)).toHaveLength(2);
    const {status, stderr} = run('job', folder);
    expect([status, stderr.includes('are both rank')]).toEqual([0, false]);
  });
});
