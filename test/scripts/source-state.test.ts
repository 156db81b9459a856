import {mkdirSync, renameSync, rmSync, utimesSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, it} from 'vitest';
import {sourceState} from '../../scripts/lib/source-state.mjs';
import {temporaryFolder} from '../support/project.js';

const root = temporaryFolder();

it('sourceState(folder, paths) differs after every change, and only then', () => {
  const state = () => sourceState(root, ['src', 'package.json']);
  const file = (name: string) => join(root, 'src', 'core', name);
  mkdirSync(file(''), {recursive: true});
  writeFileSync(file('a.ts'), 'a');
  const states = [state()];
  const note = (change: () => void) => {
    change();
    states.push(state());
  };
  note(() => {
    writeFileSync(file('b.ts'), 'b');
  });
  note(() => {
    renameSync(file('b.ts'), file('c.ts'));
  });
  note(() => {
    utimesSync(file('c.ts'), 1, 1);
  });
  note(() => {
    rmSync(file('c.ts'));
    writeFileSync(join(root, 'package.json'), '{}');
  });
  expect(new Set(states).size).toBe(states.length);
  writeFileSync(join(root, 'README.md'), 'not among them');
  expect(state()).toBe(states.at(-1));
});
