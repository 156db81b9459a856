import {vi} from 'vitest';
import {ProfileStore} from '../../src/host/profiles/profile-store.js';
import {patience} from './patience.js';

/**
 * Returns a store whose profiles are open once `finish` is called with their path, or have failed once `fail` is; of
 * several openings of one path, the last. For tests that replace vscode.
 */
export function openingStore(): {
  readonly store: ProfileStore;
  readonly finish: (path: string) => Promise<void>;
  readonly fail: (path: string) => Promise<void>;
  /** The paths that the engine was asked to open. */
  readonly asked: readonly string[];
} {
  const asked: string[] = [];
  const opening = new Map<string, {readonly finish: () => void; readonly fail: () => void}>();
  const engine = {
    open: ({path}: {path: string}) => {
      asked.push(path);
      return new Promise((resolve, reject) =>
        opening.set(path, {
          finish: () => {
            resolve({id: path, steps: [], info: {notes: []}});
          },
          fail: () => {
            reject(new Error(`${path} is no profile.`));
          },
        }),
      );
    },
    ask: () => Promise.resolve(null),
  };
  const log = {info: () => undefined, error: () => undefined};
  const store = new ProfileStore(engine as never, path => Promise.resolve(path), log as never);
  const end = async (path: string, how: 'finish' | 'fail') => {
    const known = await vi.waitUntil(() => opening.get(path), patience);
    opening.delete(path);
    known[how]();
  };
  return {
    store,
    asked,
    finish: (path: string) => end(path, 'finish'),
    fail: (path: string) => end(path, 'fail'),
  };
}
