import {describe, expect, it, vi} from 'vitest';
import {patience} from '../../support/patience.js';

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

  it.each(['asked for', 'opened'])('where its editor came to the front while it was %s, too', async when => {
    const {store, finish} = openingStore();
    const bigOne = store.openFile(big);
    const smallOne = store.openFile(small);
    const isKnown = () => store.entry(big) !== null && store.entry(small) !== null;
    if (when === 'opened') await vi.waitUntil(isKnown, patience);
    else expect(isKnown()).toBe(false);
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

  it('until that is open, one that is open', async () => {
    const {store, finish} = openingStore();
    const smallOne = store.openFile(small);
    const bigOne = store.openFile(big);
    await finish(small);
    await smallOne;
    expect(store.activeOpen?.path).toBe(small);
    store.activate(big);
    expect(store.activeOpen?.path).toBe(small);
    await finish(big);
    await bigOne;
    expect(store.activeOpen?.path).toBe(big);
  });

  it('not one that was only restored', async () => {
    const {store, finish} = openingStore();
    const asked = store.openFile(small);
    const restored = store.openFile(big, 'free');
    await finish(small);
    await asked;
    await finish(big);
    await restored;
    expect(store.activeOpen?.path).toBe(small);
  });

  it('though it was restored before, or again', async () => {
    const {store, finish} = openingStore();
    const openings = [store.openFile(small), store.openFile(big), store.openFile(big, 'free')];
    await finish(big);
    await finish(small);
    await Promise.all(openings);
    expect(store.activeOpen?.path).toBe(big);
  });

  it('while none is open, too', async () => {
    const {store, fail} = openingStore();
    const openings = [store.openFile(small), store.openFile(big), store.openFile(third, 'free')];
    await vi.waitFor(() => {
      expect(store.entry(third)).not.toBeNull();
    }, patience);
    expect(store.active?.path).toBe(big);
    store.activate(small);
    expect(store.active?.path).toBe(small);
    await fail(small);
    await openings[0];
    expect(store.active?.path).toBe(big);
    await fail(big);
    await fail(third);
    await Promise.all(openings);
    store.activate(big);
    expect(store.active).toBeNull();
  });

  it('not one that was closed, and is restored', async () => {
    const {store, finish} = openingStore();
    const open = async (path: string, place: 'any' | 'free') => {
      const opening = store.openFile(path, place);
      await finish(path);
      await opening;
    };
    await open(small, 'any');
    await open(big, 'any');
    await store.close(big);
    const openings = [open(third, 'free'), open(big, 'free')];
    await Promise.all(openings);
    expect(store.activeOpen?.path).toBe(small);
  });

  it('not one that was closed, when it is chosen', async () => {
    const {store, finish} = openingStore();
    for (const path of [small, big]) {
      const opening = store.openFile(path);
      await finish(path);
      await opening;
    }
    await store.close(big);
    store.activate(big);
    expect(store.activeOpen?.path).toBe(small);
  });
});

it('openFile(path) opens a file again while its cancelled opening has not ended yet', async () => {
  const {store, asked, finish} = openingStore();
  void store.openFile(big);
  await vi.waitUntil(() => asked.length === 1, patience);
  store.cancelOpening(big);
  const again = store.openFile(big);
  await vi.waitUntil(() => asked.length === 2, patience);
  await finish(big);
  expect((await again).state.kind).toBe('open');
  expect(store.activeOpen).toBe(await again);
});
