import {expect, it, vi} from 'vitest';
import {filesOfWorkspace} from '../../support/recorded-files.js';
import {noScopes} from '../../support/scopes-stand-in.js';
import {TextDocument} from '../../support/vscode-stand-in.js';

vi.mock('vscode', () => import('../../support/vscode-stand-in.js'));
const {CallLines} = await import('../../../src/host/annotations/call-lines.js');

const {files} = await filesOfWorkspace();
const call = (file: string, line: number, gpuWorkNs: number, isGpuProfile = true) => ({
  ...{file, line, name: `${file}:${String(line)}`},
  timing: {isGpuProfile, gpuWorkNs, backwardGpuWorkNs: 0},
});

function linesOf(
  calls: readonly unknown[],
  kind = 'lines',
  lineNow: ((line: number) => number | null) | null = null,
  automatic: readonly string[] = [],
) {
  const lines = automatic.map(name => ({name, kind: 'line', file: 'src/a.py', line: 1}));
  let asked = 0;
  const store = {
    activeOpen: {
      key: 1,
      path: '/w/p.json',
      state: {kind: 'open', summary: {id: 1}, sidecar: {kind, sites: [], files: [], lines}},
    },
  };
  const services = {
    annotations: {recordedLinesNow: () => Promise.resolve(lineNow)},
    engine: {ask: () => Promise.resolve((asked++, calls))},
    ...{files, store, scopes: noScopes, log: {warn: () => undefined}},
  };
  const callLines = new (CallLines as new (services: unknown) => InstanceType<typeof CallLines>)(services);
  const document = new TextDocument({path: '/w/src/a.py', scheme: 'file', fsPath: '/w/src/a.py'}, 'a\nb\nc\n') as never;
  return {shown: async () => (await callLines.of(document)).map(({line, name}) => [line, name]), asked: () => asked};
}

it('calls of torch stand on their lines, from the top, in the file that they are of', async () => {
  const {shown, asked} = linesOf([
    ...[call('src/a.py', 3, 5), call('src/a.py', 1, 2), call('src/a.py', 2, 0), call('src/b.py', 1, 9)],
    call('src/a.py', 99, 1),
  ]);
  expect(await shown()).toEqual([
    [1, 'src/a.py:1'],
    [3, 'src/a.py:3'],
  ]);
  expect(await shown()).toHaveLength(2);
  expect(asked()).toBe(1);
});

it('calls stay with their lines, are there without a GPU, and of the line pass alone', async () => {
  const calls = [call('src/a.py', 1, 0, false), call('src/a.py', 2, 0, false)];
  expect(await linesOf(calls, 'lines', line => (line === 1 ? 3 : null)).shown()).toEqual([[3, 'src/a.py:1']]);
  const other = linesOf(calls, 'steps');
  expect(await other.shown()).toEqual([]);
  expect(other.asked()).toBe(0);
});

it('automatic lines of recorded steps are shown, those without GPU work too, and no other name that looks like one', async () => {
  const calls = [call('src/a.py', 1, 5), call('src/a.py', 2, 0), call('src/a.py', 3, 7)];
  expect(await linesOf(calls, 'steps', null, ['src/a.py:1', 'src/a.py:2']).shown()).toEqual([
    [1, 'src/a.py:1'],
    [2, 'src/a.py:2'],
  ]);
});
