import {cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, it, vi} from 'vitest';
import {project, temporaryFolder} from '../../support/project.js';

interface Uri {
  readonly fsPath: string;
}

const executeCommand = vi.fn<(command: string, folder: Uri, options: object) => Promise<void>>();
vi.mock('vscode', () => ({
  FileType: {File: 1, Directory: 2},
  Uri: {joinPath: ({fsPath}: Uri, ...names: string[]): Uri => ({fsPath: join(fsPath, ...names)})},
  commands: {executeCommand},
  workspace: {
    fs: {
      createDirectory: ({fsPath}: Uri) => Promise.resolve(mkdirSync(fsPath, {recursive: true})),
      readDirectory: ({fsPath}: Uri) =>
        Promise.resolve(
          readdirSync(fsPath, {withFileTypes: true}).map(entry => [entry.name, entry.isDirectory() ? 2 : 1]),
        ),
      copy: (from: Uri, to: Uri) => {
        cpSync(from.fsPath, to.fsPath);
        return Promise.resolve();
      },
    },
  },
}));
const {openSampleCommand} = await import('../../../src/host/commands/open-sample.js');

it('“Open Sample Project” opens a copy in a window of its own, in which what the person changed stays', async () => {
  const globalStorageUri = {fsPath: temporaryFolder()};
  const open = openSampleCommand({extensionUri: {fsPath: project}, globalStorageUri} as never);
  await open();
  const copy = join(globalStorageUri.fsPath, 'sample');
  expect(executeCommand).toHaveBeenCalledWith('vscode.openFolder', {fsPath: copy}, {forceNewWindow: true});
  const sample = join(project, 'media', 'sample');
  for (const path of ['model.py', 'train.py', join('profile', 'train.pt.trace.json.gz')])
    expect(readFileSync(join(copy, path)).equals(readFileSync(join(sample, path)))).toBe(true);
  writeFileSync(join(copy, 'train.py'), 'mine\n');
  await open();
  expect(readFileSync(join(copy, 'train.py'), 'utf8')).toBe('mine\n');
});
