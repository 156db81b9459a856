import {existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, it} from 'vitest';
import {project} from '../support/project.js';

it('SECURITY.md names only tests that are there', () => {
  const text = readFileSync(join(project, 'SECURITY.md'), 'utf8');
  const named = [...text.matchAll(/`(test\/[^`]+)`/g)].map(([, path = '']) => path);
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter(path => !existsSync(join(project, path)))).toEqual([]);
});
