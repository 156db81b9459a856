import {copyFileSync, existsSync, mkdtempSync, realpathSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {callTool, type ServerProgram, type ToolAnswer} from '../../../src/launch/mcp/call-tool.js';
import {cli} from '../../support/command-line.js';
import {project} from '../../support/project.js';

const sample = join(project, 'media', 'sample', 'profile', 'train.pt.trace.json.gz');
let cwd = '';

beforeAll(() => {
  cwd = realpathSync(mkdtempSync(join(tmpdir(), 'gpu-lens-call-')));
  copyFileSync(sample, join(cwd, 'sample.json.gz'));
});

afterAll(() => {
  rmSync(cwd, {recursive: true, force: true});
});

function call(
  name: string,
  input: object,
  args: readonly string[],
  signal = new AbortController().signal,
): Promise<ToolAnswer> {
  const server: ServerProgram = {program: process.execPath, args, cwd, env: process.env};
  return callTool(server, {name: 'test', version: '1'}, {name, arguments: input}, signal);
}

describe('callTool', () => {
  it('returns what a tool of the server answers', async () => {
    const {text, isError} = await call('open', {file: 'sample.json.gz'}, [cli, 'mcp', `--root=${cwd}`]);
    expect([isError, JSON.parse(text)]).toMatchObject([false, {data: {format: 'kineto'}}]);
  });

  it.each([
    ['a file out of the root', 'open', {file: '/etc/hostname'}, 'There is no such file'],
    ['a command that nobody allowed', 'profile', {command: ['true']}, 'This command may not be run'],
    ['a tool that there is not', 'rm', {}, 'There is no such tool'],
  ])('says that %s is refused', async (_, name, input, sentence) => {
    const {text, isError} = await call(name, input, [cli, 'mcp', `--root=${cwd}`]);
    expect([isError, text]).toEqual([true, expect.stringContaining(sentence)]);
  });

  it('says that a server gave no answer', async () => {
    await expect(call('open', {}, ['-e', ''])).rejects.toThrow('The tool gave no answer.');
  });

  it('ends a server that it waits for when it is cancelled', async () => {
    const started = join(cwd, 'started');
    const server = `require('node:fs').writeFileSync(${JSON.stringify(started)}, ''); setTimeout(() => {}, 600_000);`;
    const cancel = new AbortController();
    const waiting = expect(call('open', {}, ['-e', server], cancel.signal)).rejects.toThrow('The call was cancelled.');
    await expect.poll(() => existsSync(started)).toBe(true);
    cancel.abort();
    await waiting;
  });
});
