import {expect, it, vi} from 'vitest';
import {lineDetails} from '../../../src/core/lines/line-details.js';
import {traceFromText} from '../../support/trace-from-text.js';

interface Address {
  readonly scheme: string;
  readonly path: string;
  readonly query: string;
}

const shown: Address[] = [];
vi.mock('vscode', async () => {
  const standIn = await import('../../support/vscode-stand-in.js');
  const registerTextDocumentContentProvider = () => new standIn.Disposable(() => undefined);
  return {
    ...standIn,
    Uri: {...standIn.Uri, from: (address: Address) => address},
    workspace: {...standIn.workspace, registerTextDocumentContentProvider},
    commands: {executeCommand: (_: string, address: Address) => Promise.resolve(shown.push(address))},
  };
});
const {RunComparison} = await import('../../../src/host/annotations/run-comparison.js');

const trace = traceFromText(`
range step_1      =========
range step_2               =========
range attention    ====     ====
call            A  B        D
stream 7         AA  BBBB    DDDD
`);
const details = lineDetails(trace, [['attention']], 'steps');

it('show(patterns) opens each comparison at an address of its own: a hidden preview may lose a new text', async () => {
  const profile = {path: '/runs/after/run.json', state: {summary: {id: 1, steps: [{}, {}]}}};
  const store = {activeOpen: profile};
  const earlier = {details: () => Promise.resolve(details), path: () => Promise.resolve('/runs/before/run.json')};
  const parts = [store, {ask: () => Promise.resolve(details)}, earlier, {}];
  const comparison = new RunComparison(...(parts as unknown as ConstructorParameters<typeof RunComparison>));
  await comparison.show([['attention']]);
  store.activeOpen = {...profile, path: '/runs/later/run.json'};
  await comparison.show([['attention']]);
  expect(shown.map(({path}) => path)).toEqual(['/attention, two runs.md', '/attention, two runs.md']);
  expect(new Set(shown.map(({query}) => query)).size).toBe(2);
  expect(comparison.provideTextDocumentContent(shown[1] as never)).toContain('This run: later');
});
