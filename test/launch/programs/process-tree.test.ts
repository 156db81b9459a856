import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, it} from 'vitest';
import {project} from '../../support/project.js';

it('a run’s first process is waited for a little longer than it waits for the others', () => {
  const waiting = source('src/launch/programs/process-tree.ts');
  const supervisor = source('src/runner/gpulens_runner/process_tree.py');
  const ms = (name: string) => Number(new RegExp(`${name} = ([\\d_]+)`).exec(waiting)?.[1]?.replaceAll('_', ''));
  const seconds = (name: string) => Number(new RegExp(`${name} = ([\\d.]+)`).exec(supervisor)?.[1]);
  expect(ms('supervisorGraceMs')).toBe(1000 * seconds('GRACE_SECONDS'));
  expect(ms('supervisorWritingGraceMs')).toBe(1000 * seconds('_WRITING_SECONDS'));
  // Twenty rounds of making an end, a tenth of a second each.
  expect(ms('marginMs')).toBeGreaterThan(1000 * seconds('_POLL_SECONDS') * seconds('_ROUNDS'));
});

function source(path: string): string {
  return readFileSync(join(project, path), 'utf8');
}
