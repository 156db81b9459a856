import {expect, it, vi} from 'vitest';
import {TextDocument} from '../../support/vscode-stand-in.js';

vi.mock('vscode', () => import('../../support/vscode-stand-in.js'));
const settings = vi.hoisted((): {codeLensEnabled: boolean; predictFor: string | null} => ({
  codeLensEnabled: true,
  predictFor: 'h100',
}));
vi.mock('../../../src/host/base/settings.js', () => ({readSettings: () => settings}));
const {PredictedLenses} = await import('../../../src/host/annotations/predicted-lenses.js');

const document = new TextDocument({path: '/w/a.py', scheme: 'file', fsPath: '/w/a.py'}, 'a\nb\nc\n') as never;
const line = (at: number, isGpuProfile: boolean) => ({
  ...{tag: {line: at}, patterns: [[`line ${String(at)}`]]},
  timing: {nameCount: 1, isGpuProfile},
});
const predicted = {predictedNs: 2000, backwardNs: 0, intervalNs: [1000, 3000], per: 'step'};

function lensesOf(lines: readonly unknown[], ask: (...asked: readonly unknown[]) => Promise<unknown>) {
  const annotations = {of: () => Promise.resolve(lines), onDidChange: () => undefined};
  const profile = {key: 1, state: {summary: {id: 7}}};
  const warn = vi.fn();
  const lenses = new PredictedLenses(annotations as never, {activeOpen: profile as never}, {ask: ask as never}, {warn});
  const titles = async () =>
    (await lenses.provideCodeLenses(document)).map(({range, command}) => [range.start.line, command?.title]);
  return {titles, warn};
}

it('stand above the lines with predicted work of a recording of the CPU, and are asked for once', async () => {
  const ask = vi.fn(() => Promise.resolve([predicted, null]));
  const {titles} = lensesOf([line(1, false), line(3, false)], ask);
  const expected = [[0, '≈ GPU 2.00 µs/step, predicted for H100']];
  expect([await titles(), await titles()]).toEqual([expected, expected]);
  const patterns = [[['line 1']], [['line 3']]];
  expect(ask.mock.calls).toEqual([['lines/predicted', {profile: 7, patterns, system: 'h100'}]]);
});

it('are none beside measured GPU work, without a GPU in the settings, or where nothing can be predicted', async () => {
  const ask = vi.fn(() => Promise.resolve(null));
  expect(await lensesOf([line(1, true)], ask).titles()).toEqual([]);
  settings.predictFor = null;
  expect(await lensesOf([line(1, false)], ask).titles()).toEqual([]);
  expect(ask).not.toHaveBeenCalled();
  settings.predictFor = 'h100';
  expect(await lensesOf([line(1, false)], ask).titles()).toEqual([]);
});

it('are none where the engine fails, and the log says so', async () => {
  const {titles, warn} = lensesOf([line(1, false)], () => Promise.reject(new Error('gone')));
  expect(await titles()).toEqual([]);
  expect(warn).toHaveBeenCalledWith(expect.stringContaining('gone'));
});
