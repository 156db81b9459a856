import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, it} from 'vitest';
import {runEnvironment} from '../../../src/launch/command/run-environment.js';
import {temporaryFolder} from '../../support/project.js';

const folder = temporaryFolder();
writeFileSync(join(folder, 'secrets.env'), 'A=from file\nB=from file\n');
mkdirSync(join(folder, 'folder.env'));
const values = {workspaceFolder: folder, file: null, home: '/home/me', env: {TOKEN: 'secret'}};

it('runEnvironment has the variables of the file, and its own, which win, with those of the environment', async () => {
  const env = {B: 'own', C: '${env:TOKEN}', D: '${env:NONE}'};
  for (const envFile of ['secrets.env', '${workspaceFolder}/secrets.env', join(folder, 'secrets.env')]) {
    expect(await runEnvironment({env, envFile}, values)).toEqual({A: 'from file', B: 'own', C: 'secret', D: ''});
  }
  expect(await runEnvironment({}, values)).toEqual({});
});

it.each(['none.env', 'folder.env'])('runEnvironment says that %s cannot be read', async envFile => {
  await expect(runEnvironment({envFile}, values)).rejects.toThrow(
    `${envFile}, the envFile of the run, cannot be read.`,
  );
});
