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

function linesOf(calls: readonly unknown[], kind = 'lines', lineNow: ((line: number) => number | null) | null = null) {
  let asked = 0;
  const store = {
    activeOpen: {
      key: 1,
      path: '/w/p.json',
      state: {kind: 'open', summary: {id: 1}, sidecar: {kind, sites: [], files: []}},
    },
  };
  const services = {
    annotations: {recordedLinesNow: () => Promise.resolve(lineNow)},
    engine: {ask: () => Promise.resolve((asked++, calls))},
    ...{files, store, scopes: noScopes, log: {warn: () => undefined}},
  };
  const lines = new (CallLines as new (services: unknown) => InstanceType<typeof CallLines>)(services);
  const document = new TextDocument({path: '/w/src/a.py', scheme: 'file', fsPath: '/w/src/a.py'}, 'a\nb\nc\n') as never;
  return {shown: async () => (await lines.of(document)).map(({line, name}) => [line, name]), asked: () => asked};
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
