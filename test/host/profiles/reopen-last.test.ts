import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, it, onTestFinished, vi} from 'vitest';
import {patience} from '../../support/patience.js';

vi.mock('vscode', () => import('../../support/vscode-stand-in.js'));
const {openingStore} = await import('../../support/opening-store.js');
const {reopenLast} = await import('../../../src/host/profiles/reopen-last.js');

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
    const {store, finish} = openingStore();
    const memento = {get: (key: string) => memory.get(key), update: (key: string, to: unknown) => memory.set(key, to)};
    const restoring = reopenLast(store, memento as never);
    await vi.waitFor(() => {
      expect(store.active?.path).toBe(last);
    }, patience);
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
  const {store, finish} = openingStore();
  const restoring = reopenLast(store, {get: () => last, update: () => undefined} as never);
  await finish(last);
  await restoring;
  expect(store.activeOpen?.path).toBe(last);
});
