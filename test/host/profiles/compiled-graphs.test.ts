import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, it, vi} from 'vitest';
import {temporaryFolder} from '../../support/project.js';

vi.mock('vscode', () => import('../../support/vscode-stand-in.js'));
const vscode = await import('../../support/vscode-stand-in.js');
const {ProfileStore} = await import('../../../src/host/profiles/profile-store.js');

const folder = temporaryFolder();

/** Opens a profile in a workspace, and gives what the engine is asked meanwhile, and how it went. */
async function openIn(isTrusted: boolean, answer: () => Promise<null>) {
  const path = join(folder, 'profile.json');
  writeFileSync(path, '{}');
  const asked: string[] = [];
  const engine = {
    open: () => Promise.resolve({id: 1, steps: [], info: {notes: []}}),
    ask: (method: string) => {
      asked.push(method);
      return answer();
    },
  };
  const log = {info: () => undefined, error: () => undefined};
  vi.spyOn(vscode.workspace, 'isTrusted', 'get').mockReturnValue(isTrusted);
  const store = new ProfileStore(engine as never, file => Promise.resolve(file), log as never);
  await store.openFile(path);
  return {asked, state: store.active?.state};
}

it('asks for the folder of compiled graphs, which the profile names, in a trusted workspace alone', async () => {
  const none = () => Promise.resolve(null);
  expect((await openIn(true, none)).asked).toEqual(['profile/compiled-graphs']);
  expect((await openIn(false, none)).asked).toEqual([]);
});

it('shows a profile that cannot be asked for them without their lines', async () => {
  const {state} = await openIn(true, () => Promise.reject(new Error('changed')));
  expect(state).toMatchObject({kind: 'open', kernels: []});
});
