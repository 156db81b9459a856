import {execFileSync} from 'node:child_process';
import {existsSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {join} from 'node:path';
import {beforeAll, describe, expect, inject, it} from 'vitest';
import {tools} from '../../src/cli/mcp/tools.js';
import {callTool} from '../../src/launch/mcp/call-tool.js';
import {root} from '../../scripts/lib/run.mjs';
import {cli} from '../support/command-line.js';
import {patience} from '../support/patience.js';
import {Workbench} from './support/workbench.js';

const sample = readFileSync(join(root, 'media', 'sample', 'profile', 'train.pt.trace.json.gz'));
const file = 'sample.json.gz';
const readings = [
  ...['open', 'summary', 'lines', 'findings', 'whatif'].map(name => ({name, input: {file}})),
  {name: 'table', input: {file, report: 'key_averages'}},
  {name: 'query', input: {file, sql: 'SELECT name, duration_ns FROM kernels ORDER BY start_ns'}},
  {name: 'compare', input: {base: file, changed: file}},
];
/** Says which interpreter runs it. */
const told = 'import os, sys\nopen("ran.txt", "w").write(sys.executable)\n';

interface Call {
  readonly name: string;
  readonly input: object;
}

interface Answer {
  readonly tools: readonly string[];
  readonly answers: readonly {readonly text?: string; readonly error?: string}[];
}

describe('an agent in VS Code', () => {
  let workbench: Workbench;
  beforeAll(async () => {
    const fixtures = join(root, 'test', 'e2e', 'fixtures');
    workbench = await Workbench.start({
      files: {'notes.txt': 'Notes\n', [file]: sample, 'told.py': told},
      settings: {'standIn.interpreter': inject('python'), 'gpuLens.mcp.allowedCommands': ['python told.py']},
      // VS Code reads its extensions when a server starts.
      ownServer: {extensions: [join(fixtures, 'tool-caller'), join(fixtures, 'python-extension-stand-in')]},
    });
    await workbench.openFile('notes.txt');
  });

  const pathOf = (name: string) => join(workbench.workspace, name);
  const begin = async (command: 'Call' | 'Start Servers', calls: readonly Call[]) => {
    writeFileSync(pathOf('calls.json'), JSON.stringify(calls));
    await workbench.command(`Tool Caller: ${command}`);
  };
  const answer = async (): Promise<Answer> => {
    await expect.poll(() => existsSync(pathOf('answer.json'))).toBe(true);
    const read = JSON.parse(readFileSync(pathOf('answer.json'), 'utf8')) as Answer;
    rmSync(pathOf('answer.json'));
    return read;
  };
  /** What `gpu-lens mcp` answers without an editor. */
  const served = async ({name, input}: Call) => {
    const args = [cli, 'mcp', `--root=${workbench.workspace}`];
    const server = {program: process.execPath, args, cwd: workbench.workspace, env: process.env};
    const {text} = await callTool(
      server,
      {name: 'test', version: '1'},
      {name, arguments: input},
      AbortSignal.timeout(patience.timeout),
    );
    return {text};
  };

  it('has every tool, and each answers what the server does', async () => {
    await begin(
      'Call',
      readings.map(({name, input}) => ({name: `gpuLens_${name}`, input})),
    );
    const {tools: found, answers} = await answer();
    expect(found.filter(name => name.startsWith('gpuLens_')).sort()).toEqual(
      tools.map(({name}) => `gpuLens_${name}`).sort(),
    );
    expect(answers).toEqual(await Promise.all(readings.map(served)));
  });

  it('runs nothing that the person does not confirm', async () => {
    await begin('Call', [{name: 'gpuLens_profile', input: {command: ['touch', 'ran.txt']}}]);
    const dialog = workbench.page.locator('.monaco-dialog-box');
    await dialog.waitFor();
    expect(await dialog.innerText()).toContain('touch ran.txt');
    await dialog.getByRole('button', {name: 'Cancel'}).click();
    expect((await answer()).answers[0]?.text).toBeUndefined();
    expect(existsSync(pathOf('ran.txt'))).toBe(false);
  });

  it('finds GPU Lens’s server, which VS Code starts, and which answers the same', async () => {
    const call = {name: '_open', input: {file}};
    await begin('Start Servers', [call]);
    const {tools: found, answers} = await answer();
    expect(found.filter(name => name.startsWith('mcp_'))).toHaveLength(tools.length);
    expect(answers).toEqual([await served({...call, name: 'open'})]);
  });

  it('runs what a setting allows with the interpreter that the person has selected', async () => {
    await begin('Call', [{name: '_profile', input: {command: ['python', 'told.py']}}]);
    const dialog = workbench.page.locator('.monaco-dialog-box');
    await dialog.waitFor();
    await dialog.getByRole('button', {name: 'Yes'}).click();
    expect((await answer()).answers[0]?.error).toBeUndefined();
    expect(readFileSync(pathOf('ran.txt'), 'utf8')).toBe(inject('python'));
  });

  it('lets another extension open a profile, ask for the figures of a line, and show it', async () => {
    const folder = join(root, 'media', 'sample');
    const program = join(root, 'test', 'desktop', 'use-api.cjs');
    writeFileSync(pathOf('calls.json'), JSON.stringify({program, folder}));
    await workbench.command('Tool Caller: Use API');
    await expect.poll(() => existsSync(pathOf('answer.json'))).toBe(true);
    const {figures, ...rest} = JSON.parse(readFileSync(pathOf('answer.json'), 'utf8')) as {figures: object};
    const {expected} = createRequire(import.meta.url)(program) as {expected: object};
    expect(rest).toEqual(expected);
    const profile = join(folder, 'profile', 'train.pt.trace.json.gz');
    const ranges = JSON.parse(
      execFileSync(process.execPath, [cli, 'ranges', profile, '--source', folder, '--format', 'json'], {
        encoding: 'utf8',
      }),
    ) as readonly Record<string, unknown>[];
    const [{name, count, cpuWallNs, gpuWorkNs, backwardGpuWorkNs} = {}] = ranges.filter(({line}) => line === 43);
    expect(figures).toMatchObject({names: [name], count, cpuWallNs, gpuWorkNs, backwardGpuWorkNs});
  });
});
