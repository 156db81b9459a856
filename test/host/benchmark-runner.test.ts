import {existsSync, mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, it, vi} from 'vitest';
import type * as vscode from 'vscode';
import {sweepsFolder} from '../../src/launch/benchmark/sweep-files.js';
import {tryLock} from '../../src/launch/programs/file-lock.js';
import {pointResult} from '../support/sweep.js';
import {project, temporaryFolder} from '../support/project.js';
import * as standIn from '../support/vscode-stand-in.js';
import {patience} from '../support/patience.js';

const folder = temporaryFolder();
const program = join(folder, 'bench.cjs');
const started = join(folder, 'started');
// Measures nothing, and ends when it is ended.
writeFileSync(
  program,
  `require('node:fs').writeFileSync(${JSON.stringify(started)}, ''); setInterval(() => {}, 1000);`,
);

vi.mock('vscode', () => ({
  EventEmitter: standIn.EventEmitter,
  extensions: standIn.extensions,
  l10n: standIn.l10n,
  Uri: {joinPath: () => ({fsPath: program})},
  workspace: {...standIn.workspace, workspaceFolders: [{uri: {fsPath: folder}}]},
}));
const {BenchmarkRunner, workspaceOutput} = await import('../../src/host/benchmark/benchmark-runner.js');

it('BenchmarkRunner does one thing at a time, and ends it when the window closes', async () => {
  const log = {info: () => undefined, warn: () => undefined} as unknown as vscode.LogOutputChannel;
  const runner = new BenchmarkRunner(standIn.Uri.file(project) as unknown as vscode.Uri, log);
  const given = {python: process.execPath};
  const record = {
    id: 'one',
    name: 'sweep',
    startedAt: '',
    pointCount: 1,
    config: given,
    results: new Map([[0, pointResult({result: {}})]]),
    profiles: new Map(),
    precision: new Map(),
    isEnded: true,
    badLines: 0,
  };
  const sweep = {folder: join(folder, 'sweep'), record};
  mkdirSync(sweep.folder);
  mkdirSync(join(workspaceOutput(), sweepsFolder), {recursive: true});
  const {signal} = new AbortController();
  const other = await tryLock(join(workspaceOutput(), sweepsFolder, 'one.lock.sqlite'));
  await expect(runner.profile(sweep, 0, signal)).rejects.toThrow('This sweep is being measured by');
  other?.release();
  const profiling = runner.profile(sweep, 0, signal);
  const ended = expect(profiling).rejects.toThrow('It ended with status');
  expect(runner.isRunning).toBe(true);
  await expect(runner.profile(sweep, 0, signal)).rejects.toThrow('which this would disturb');
  await expect(runner.precision(sweep, 0, signal)).rejects.toThrow('which this would disturb');
  await expect(runner.run(given, 'sweep', 'none')).rejects.toThrow('which this would disturb');
  await vi.waitFor(() => {
    expect(existsSync(started)).toBe(true);
  }, patience);
  runner.dispose();
  await ended;
  expect(runner.isRunning).toBe(false);
});
