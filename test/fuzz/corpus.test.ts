import {readdirSync} from 'node:fs';
import {join} from 'node:path';
import {expect, it} from 'vitest';
import {project} from '../support/project.js';
import {checkFile} from './check-file.js';

const folder = join(project, 'test', 'fuzz', 'corpus');
const files = readdirSync(folder).filter(name => /\.(json|gz|zst)$/.test(name));

it('there is a corpus', () => {
  expect(files.length).toBeGreaterThanOrEqual(8);
});

it.each(files)('%s is taken as it should be', async name => {
  expect(await checkFile(join(folder, name), true)).toBeNull();
});
