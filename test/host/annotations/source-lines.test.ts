import {afterEach, expect, it, vi} from 'vitest';
import {noScopes} from '../../support/scopes-stand-in.js';
import {filesOfWorkspace} from '../../support/recorded-files.js';
import {TextDocument, workspace} from '../../support/vscode-stand-in.js';

vi.mock('vscode', () => import('../../support/vscode-stand-in.js'));
const {SourceLineWorks} = await import('../../../src/host/annotations/source-lines.js');

const {files} = await filesOfWorkspace();
const document = new TextDocument({path: '/w/a.py', scheme: 'file', fsPath: '/w/a.py'}, 'pass\n');
const store = {activeOpen: {key: 1, state: {kind: 'open', summary: {id: 1}, sidecar: null}}};

afterEach(() => vi.restoreAllMocks());

it('asks once for what the settings want, and again after a failure', async () => {
  const asked: unknown[] = [];
  const engine = {
    ask: (_: string, {of}: {of: string}) => {
      asked.push(of);
      return asked.length === 1 ? Promise.reject(new Error('gone')) : Promise.resolve({lines: [], modules: []});
    },
  };
  const works = new (SourceLineWorks as new (...all: unknown[]) => InstanceType<typeof SourceLineWorks>)({
    annotations: {recordedLinesNow: () => Promise.resolve(null)},
    files,
    store,
    scopes: noScopes,
    engine,
    log: {warn: () => undefined},
  });
  for (let round = 0; round < 3; round++) await works.of(document as never);
  expect(asked).toEqual(['steps', 'steps']);
  vi.spyOn(workspace, 'getConfiguration').mockReturnValue({
    get: (key: string) => (key === 'codeLens.per' ? 'call' : undefined),
  });
  for (let round = 0; round < 2; round++) await works.of(document as never);
  expect(asked).toEqual(['steps', 'steps', 'profile']);
});
