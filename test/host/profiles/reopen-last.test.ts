import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, it, onTestFinished, vi} from 'vitest';

vi.mock('vscode', () => import('../../support/vscode-stand-in.js'));
const {ProfileStore} = await import('../../../src/host/profiles/profile-store.js');
const {reopenLast} = await import('../../../src/host/profiles/reopen-last.js');

/** A store whose profiles are open once `finish` is called with their path. */
function storeOfTests(): {store: InstanceType<typeof ProfileStore>; finish: (path: string) => Promise<void>} {
  const opening = new Map<string, () => void>();
  const engine = {
    open: ({path}: {path: string}) =>
      new Promise(resolve =>
        opening.set(path, () => {
          resolve({id: path, steps: [], info: {notes: []}});
        }),
      ),
    ask: () => Promise.resolve(null),
  };
  const log = {info: () => undefined, error: () => undefined};
  const store = new ProfileStore(engine as never, path => Promise.resolve(path), log as never);
  const finish = async (path: string) => {
    await vi.waitFor(() => {
      expect(opening.has(path)).toBe(true);
    });
    opening.get(path)?.();
  };
  return {store, finish};
}

it.each(['before', 'after'])(
  'reopenLast leaves the place to a profile that is open %s the restored one',
  async when => {
    const folder = mkdtempSync(join(tmpdir(), 'gpu-lens-reopen-'));
    onTestFinished(() => {
      rmSync(folder, {recursive: true});
    });
    const [last, mine] = ['last.json', 'mine.json'].map(name => join(folder, name)) as [string, string];
    for (const path of [last, mine]) writeFileSync(path, '{}');
    const memory = new Map<string, unknown>([['profiles.active', last]]);
    const {store, finish} = storeOfTests();
    const memento = {get: (key: string) => memory.get(key), update: (key: string, to: unknown) => memory.set(key, to)};
    const restoring = reopenLast(store, memento as never);
    await vi.waitFor(() => {
      expect(store.active?.path).toBe(last);
    });
    const opened = store.openFile(mine);
    if (when === 'before') await finish(mine).then(() => opened);
    await finish(last);
    await restoring;
    if (when === 'after') await finish(mine).then(() => opened);
    expect([store.active?.path, memory.get('profiles.active')]).toEqual([mine, mine]);
    expect(store.open.map(({path}) => path).sort()).toEqual([last, mine].sort());
  },
);

it('reopenLast opens what was active where nothing else is opened', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gpu-lens-reopen-'));
  onTestFinished(() => {
    rmSync(folder, {recursive: true});
  });
  const last = join(folder, 'last.json');
  writeFileSync(last, '{}');
  const {store, finish} = storeOfTests();
  const restoring = reopenLast(store, {get: () => last, update: () => undefined} as never);
  await finish(last);
  await restoring;
  expect(store.activeOpen?.path).toBe(last);
});
