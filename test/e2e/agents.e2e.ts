import {existsSync, readFileSync, rmSync} from 'node:fs';
import {join} from 'node:path';
import {beforeAll, describe, expect, it} from 'vitest';
import {tools} from '../../src/cli/mcp/tools.js';
import {root} from '../../scripts/lib/run.mjs';
import {Workbench} from './support/workbench.js';

const sample = readFileSync(join(root, 'media', 'sample', 'profile', 'train.pt.trace.json.gz'));

interface Answer {
  readonly tools: readonly string[];
  readonly text?: string;
  readonly error?: string;
}

describe('the tools of language models', () => {
  let workbench: Workbench;
  beforeAll(async () => {
    workbench = await Workbench.start({
      files: {'notes.txt': 'Notes\n', 'sample.json.gz': sample},
      // VS Code reads its extensions when a server starts.
      ownServer: {extensions: [join(root, 'test', 'e2e', 'fixtures', 'tool-caller')]},
    });
    await workbench.openFile('notes.txt');
  }, 240_000);

  const path = () => join(workbench.workspace, 'answer.json');
  const answer = async (): Promise<Answer> => {
    await expect.poll(() => existsSync(path()), {timeout: 60_000}).toBe(true);
    const read = JSON.parse(readFileSync(path(), 'utf8')) as Answer;
    rmSync(path());
    return read;
  };

  it('answer what the server does', async () => {
    await workbench.command('Tool Caller: Open');
    const {tools: found, text, error} = await answer();
    expect({found: [...found].sort(), error}).toEqual({
      found: tools.map(({name}) => `gpuLens_${name}`).sort(),
      error: undefined,
    });
    expect(JSON.parse(text ?? '')).toMatchObject({data: {format: 'kineto'}});
  });

  it('run nothing that the person does not confirm', async () => {
    await workbench.command('Tool Caller: Profile');
    const dialog = workbench.page.locator('.monaco-dialog-box');
    await dialog.waitFor();
    expect(await dialog.innerText()).toContain('touch ran.txt');
    await dialog.getByRole('button', {name: 'Cancel'}).click();
    expect((await answer()).text).toBeUndefined();
    expect(existsSync(join(workbench.workspace, 'ran.txt'))).toBe(false);
  });
});
