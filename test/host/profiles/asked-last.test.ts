import {describe, expect, it, vi} from 'vitest';

vi.mock('vscode', () => import('../../support/vscode-stand-in.js'));
const {openingStore} = await import('../../support/opening-store.js');

/** Files that nobody has written: the engine's stand-in opens them. */
const [big, small, third] = ['/big.json', '/small.json', '/third.json'] as const;

describe('the active profile is the one that was asked for last', () => {
  it('whichever is open first', async () => {
    const {store, finish} = openingStore();
    const bigOne = store.openFile(big);
    const smallOne = store.openFile(small);
    await finish(small);
    await smallOne;
    expect(store.activeOpen?.path).toBe(small);
    await finish(big);
    await bigOne;
    expect(store.activeOpen?.path).toBe(small);
    expect(store.open).toHaveLength(2);
  });

  it('unless it cannot be opened', async () => {
    const {store, finish, fail} = openingStore();
    const first = store.openFile(small);
    await finish(small);
    await first;
    const bigOne = store.openFile(big);
    const broken = store.openFile(third);
    await fail(third);
    await broken;
    expect(store.activeOpen?.path).toBe(small);
    await finish(big);
    await bigOne;
    expect(store.activeOpen?.path).toBe(big);
  });

  it('where its editor came to the front while it was opened, too', async () => {
    const {store, finish} = openingStore();
    const bigOne = store.openFile(big);
    const smallOne = store.openFile(small);
    await vi.waitFor(() => {
      expect(store.entry(small)).not.toBeNull();
    });
    store.activate(big);
    await finish(small);
    await smallOne;
    await finish(big);
    await bigOne;
    expect(store.activeOpen?.path).toBe(big);
  });

  it('and where it is closed, the one that was asked for before it', async () => {
    const {store, finish} = openingStore();
    for (const path of [big, small, third]) {
      const opening = store.openFile(path);
      await finish(path);
      await opening;
    }
    store.activate(big);
    store.activate(third);
    await store.close(third);
    expect(store.activeOpen?.path).toBe(big);
  });

  it('not one that failed, or was closed, when it is chosen', async () => {
    const {store, finish, fail} = openingStore();
    const smallOne = store.openFile(small);
    await finish(small);
    await smallOne;
    const broken = store.openFile(third);
    await fail(third);
    await broken;
    store.activate(third);
    store.activate(big);
    expect(store.activeOpen?.path).toBe(small);
  });
});
