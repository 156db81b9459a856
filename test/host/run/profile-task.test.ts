import {chmodSync, copyFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, it, vi} from 'vitest';
import type {ProfileDefinition} from '../../../src/launch/command/profile-definition.js';
import {temporaryFolder} from '../../support/project.js';

const folder = temporaryFolder();
const uriOf = (path: string) => ({fsPath: path, path, scheme: 'file'});

vi.mock('vscode', async () => ({
  l10n: (await import('../../support/vscode-stand-in.js')).l10n,
  Task: class {
    constructor(
      readonly definition: unknown,
      readonly scope: unknown,
      readonly name: string,
      readonly source: string,
      readonly execution: unknown,
    ) {}
  },
  ProcessExecution: class {
    constructor(
      readonly process: string,
      readonly args: readonly string[],
    ) {}
  },
  TaskScope: {Workspace: 2},
  TaskRevealKind: {Always: 1},
  TaskPanelKind: {Dedicated: 2},
  Uri: {joinPath: ({fsPath}: {fsPath: string}, ...parts: string[]) => uriOf(join(fsPath, ...parts))},
  extensions: {getExtension: () => undefined},
  workspace: {workspaceFolders: [], getConfiguration: () => ({get: () => undefined})},
}));
const {createProfileTask} = await import('../../../src/host/run/profile-task.js');

copyFileSync('/bin/sleep', join(folder, 'bench'));
chmodSync(join(folder, 'bench'), 0o755);
writeFileSync(join(folder, 'run.sh'), '#!/bin/sh\n');

async function profilerOf(members: Omit<ProfileDefinition, 'type'>): Promise<string | undefined> {
  const workspaceFolder = {uri: uriOf(folder), name: 'w', index: 0} as never;
  const surroundings = {extensionUri: uriOf('/ext') as never, messages: '/m'};
  const definition = {type: 'gpu-lens', python: '/venv/bin/python', ...members} as const;
  const {execution} = await createProfileTask(definition, workspaceFolder, surroundings);
  const {args} = execution as unknown as {args: readonly string[]};
  return args.find(argument => argument.startsWith('--profiler='));
}

it.each([
  [{command: './bench'}, 'nsys'],
  [{command: '${workspaceFolder}/bench', cwd: '/'}, 'nsys'],
  [{command: './run.sh'}, 'pytorch'],
  [{command: 'bash', args: ['run.sh']}, 'pytorch'],
  [{script: 'train.py'}, 'pytorch'],
  [{command: './bench', profiler: 'pytorch'}, 'pytorch'],
])('createProfileTask(%j) records with %s where nothing else is said', async (members, expected) => {
  expect(await profilerOf(members)).toBe(`--profiler=${expected}`);
});
