import {crc32} from 'node:zlib';
import {expect, it, vi} from 'vitest';
import {compiledCallTimings} from '../../../src/core/lines/compiled-regions.js';
import {linesNow} from '../../../src/core/source/line-now.js';
import {kineto} from '../../support/kineto-events.js';
import {filesOfWorkspace} from '../../support/recorded-files.js';
import {noScopes} from '../../support/scopes-stand-in.js';
import {traceOfEvents} from '../../support/trace-of-events.js';
import {TextDocument} from '../../support/vscode-stand-in.js';

vi.mock('vscode', () => import('../../support/vscode-stand-in.js'));
const {CompiledCalls, compiledCallText} = await import('../../../src/host/annotations/compiled-calls.js');

const {files} = await filesOfWorkspace();

const text = 'model = compile(net)\nfor x in data:\n    model(x)\n    other(x)\n';
const path = '/w/train.py';
const region = (id: string) => `Torch-Compiled Region: ${id}`;
const sidecar = {
  sites: [],
  compiledCalls: [
    {name: region('0/0'), file: path, line: 3},
    {name: region('1/0'), file: path, line: 3},
    {name: region('2/0'), file: path, line: 4},
    {name: region('3/0'), file: '/w/elsewhere.py', line: 1},
  ],
  files: [{file: path, gitBlob: null, lineCrc32: text.split('\n').map(line => crc32(line))}],
};
const style = {per: 'call', template: 'GPU {work} · {share} · ×{count}'} as const;

/** The lines of a text as it is now: what stands there. */
async function shown(now: string, failures = 0): Promise<string[]> {
  const trace = await traceOfEvents([
    kineto.op(region('0/0'), 0, 20),
    kineto.op(region('1/0'), 30, 20),
    kineto.call(1, 5, 1),
    kineto.kernel(1, 8, 6),
    kineto.call(2, 35, 1),
    kineto.kernel(2, 40, 4),
  ]);
  let asked = 0;
  const engine = {
    ask: (_: string, {calls}: {calls: string[][]}) =>
      ++asked <= failures
        ? Promise.reject(new Error('no engine'))
        : Promise.resolve(compiledCallTimings(trace, calls, 'profile')),
  };
  const store = {activeOpen: {key: 1, path: '/w/p.json', state: {kind: 'open', summary: {id: 1}, sidecar}}};
  const lines = now.split('\n');
  const annotations = {
    recordedLinesNow: () => {
      const recorded = sidecar.files[0]?.lineCrc32;
      const linesHere = {lineCount: lines.length, crcAt: (line: number) => crc32(lines[line - 1] ?? '')};
      return Promise.resolve(recorded ? linesNow(recorded, linesHere) : null);
    },
  };
  const services = {annotations, files, store, scopes: noScopes, engine, log: {warn: () => undefined}};
  const calls = new (CompiledCalls as new (services: unknown) => InstanceType<typeof CompiledCalls>)(services);
  const document = new TextDocument({path, scheme: 'file', fsPath: path}, now) as never;
  for (let round = 0; round < failures; round++) expect(await calls.of(document)).toEqual([]);
  return (await calls.of(document)).map(call => `${String(call.line)}: ${compiledCallText(call, style)}`);
}

it('a call has the figures of its regions, and one that is not in the profile has none', async () => {
  expect(await shown(text)).toEqual(['3: 2 compiled regions · GPU 5.00 µs/call · 100 % · ×2']);
});

it('a call stays with its line when the text is edited', async () => {
  expect(await shown(`# one\n# two\n${text}`)).toEqual(['5: 2 compiled regions · GPU 5.00 µs/call · 100 % · ×2']);
  expect(await shown(text.replace('    model(x)\n', ''))).toEqual([]);
});

it('asks again after a failure', async () => {
  expect(await shown(text, 1)).toHaveLength(1);
});
