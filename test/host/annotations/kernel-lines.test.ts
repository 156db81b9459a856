import {afterEach, expect, it, vi} from 'vitest';
import {kernelWorks} from '../../../src/core/lines/kernel-works.js';
import type {TimingScope} from '../../../src/core/scope/timing-scope.js';
import {lineTimingText} from '../../../src/core/text/line-timing.js';
import {kineto} from '../../support/kineto-events.js';
import {traceOfEvents} from '../../support/trace-of-events.js';
import {noScopes, scopesOf} from '../../support/scopes-stand-in.js';
import {filesOfWorkspace} from '../../support/recorded-files.js';
import {TextDocument} from '../../support/vscode-stand-in.js';

vi.mock('vscode', () => import('../../support/vscode-stand-in.js'));
const {KernelLines, kernelLineText} = await import('../../../src/host/annotations/kernel-lines.js');

const {files} = await filesOfWorkspace();

const kernel = (id: number, name: string, durationUs: number) => [
  kineto.op(name, 100 * id, 10),
  kineto.call(id, 100 * id + 1, 1),
  kineto.kernel(id, 100 * id + 20, durationUs),
];
const trace = await traceOfEvents([
  ...kernel(1, 'triton_a', 6),
  ...kernel(2, 'triton_b', 2),
  ...[kineto.call(3, 300, 1), kineto.kernel(3, 310, 8)],
]);
const site = (name: string, line: number, file = '/w/src/model.py') => ({name, file, line});
const kernels = [
  ...[site('triton_a', 2), site('triton_a', 3), site('triton_b', 3), site('triton_b', 1, '/w/src/other.py')],
  ...[site('triton_never', 1), site('triton_a', 99)],
];
const profile = {key: 1, path: '/w/a.json', state: {kind: 'open', summary: {id: 1}, sidecar: null, kernels}};
const document = new TextDocument({path: '/w/src/model.py', scheme: 'file', fsPath: '/w/src/model.py'}, 'a\nb\nc\n');

function linesOf(
  store: object,
  ask: (...asked: never[]) => unknown,
  scopes = noScopes,
  lineNow: ((line: number) => number | null) | null = null,
) {
  const annotations = {recordedLinesNow: () => Promise.resolve(lineNow)};
  const services = {annotations, files, store, scopes, engine: {ask}, log: {warn: () => undefined}};
  return new (KernelLines as new (services: unknown) => InstanceType<typeof KernelLines>)(services);
}

afterEach(() => vi.restoreAllMocks());

it('KernelLines have the work of the kernels that a line is in, and how many lines share it', async () => {
  const ask = (_: string, {names, of}: {names: readonly string[]; of: TimingScope}) =>
    Promise.resolve(kernelWorks(trace, names, of));
  const lines = await linesOf({activeOpen: profile}, ask).of(document as never);
  const style = {per: 'all', template: 'GPU {work} · {share}'} as const;
  expect(lines.map(line => [line.line, kernelLineText(line, lineTimingText(line.timing, style))])).toEqual([
    // Kernel a stands on lines 2, 3 and 99, b on 3 and in another file. 6 of 16 µs; 8 of 16.
    [2, 'compiled kernel · GPU 6.00 µs · 37.5 % · shared with 2 other lines'],
    [3, '2 compiled kernels · GPU 8.00 µs · 50.0 % · shared with 3 other lines'],
  ]);
  expect(lines.map(({kernels: names}) => names)).toEqual([['triton_a'], ['triton_a', 'triton_b']]);
  // The last 4 µs of a, the first of b.
  const scoped = await linesOf({activeOpen: profile}, ask, scopesOf({fromNs: 22_000, toNs: 121_000})).of(
    document as never,
  );
  expect(scoped.map(({timing}) => lineTimingText(timing, style))).toEqual([
    'scoped to 22.0–121.0 µs · GPU 4.00 µs · 80.0 %',
    'scoped to 22.0–121.0 µs · GPU 5.00 µs · 100 %',
  ]);
});

it('KernelLines ask nothing for other files, and again after a failure', async () => {
  let asked = 0;
  const lines = linesOf({activeOpen: profile}, () => {
    asked++;
    return Promise.reject(new Error('gone'));
  });
  const other = new TextDocument({path: '/w/none.py', scheme: 'file', fsPath: '/w/none.py'}, 'a\n');
  expect(await lines.of(other as never)).toEqual([]);
  expect(asked).toBe(0);
  expect(await lines.of(document as never)).toEqual([]);
  expect(await lines.of(document as never)).toEqual([]);
  expect(asked).toBe(2);
  expect(await linesOf({activeOpen: undefined}, () => null).of(document as never)).toEqual([]);
});

it('KernelLines stand where their lines are now, and nowhere where a line is gone', async () => {
  const ask = (_: string, {names, of}: {names: readonly string[]; of: TimingScope}) =>
    Promise.resolve(kernelWorks(trace, names, of));
  const lineNow = (line: number) => (line === 2 ? 4 : null);
  const lines = await linesOf({activeOpen: profile}, ask, noScopes, lineNow).of(document as never);
  expect(lines.map(({line, kernels: names}) => [line, names])).toEqual([[4, ['triton_a']]]);
});
