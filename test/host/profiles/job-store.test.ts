import {describe, expect, it, vi} from 'vitest';
import {patience} from '../../support/patience.js';

vi.mock('vscode', async () => ({
  ...(await import('../../support/vscode-stand-in.js')),
  ProgressLocation: {Notification: 15},
  window: {
    withProgress: (_: object, run: (progress: object, token: object) => unknown) =>
      run({report: () => undefined}, {onCancellationRequested: () => undefined}),
  },
}));
const {JobStore} = await import('../../../src/host/profiles/job-store.js');

/** A store whose jobs are read once `finish` is called with their folder, or fail once `fail` is. */
function openingJobs() {
  const reading = new Map<string, {readonly finish: () => void; readonly fail: () => void}>();
  const ask = (_: string, {paths: [path = '']}: {paths: readonly string[]}) =>
    new Promise((resolve, reject) =>
      reading.set(path, {
        finish: () => {
          resolve({places: [{rank: 0, path: `${path}/rank0.json`, entry: null}]});
        },
        fail: () => {
          reject(new Error(`${path} is no job.`));
        },
      }),
    );
  const jobs = new JobStore({ask} as never, path => Promise.resolve(path));
  const end = async (path: string, how: 'finish' | 'fail') => {
    (await vi.waitUntil(() => reading.get(path), patience))[how]();
  };
  return {jobs, finish: (path: string) => end(path, 'finish'), fail: (path: string) => end(path, 'fail')};
}

describe('the active job is the one that was asked for last', () => {
  it('whichever is read first', async () => {
    const {jobs, finish} = openingJobs();
    const changed = vi.fn();
    jobs.onDidChange(changed);
    const [big, small] = [jobs.open(['/big']), jobs.open(['/small'])];
    await finish('/small');
    expect(await small).toMatchObject({name: 'small'});
    await finish('/big');
    expect(await big).toBeNull();
    expect(jobs.active?.name).toBe('small');
    expect(jobs.rankOf('/small/rank0.json')).toBe(0);
    expect(changed).toHaveBeenCalledTimes(1);
  });

  it('unless it cannot be read', async () => {
    const {jobs, finish, fail} = openingJobs();
    const [big, broken] = [jobs.open(['/big']), jobs.open(['/broken'])];
    await fail('/broken');
    await expect(broken).rejects.toThrow('/broken is no job.');
    await finish('/big');
    expect(await big).toBe(jobs.active);
    expect(jobs.active?.name).toBe('big');
  });

  it('unless it is closed by then', async () => {
    const {jobs, finish} = openingJobs();
    const [big, small] = [jobs.open(['/big']), jobs.open(['/small'])];
    await finish('/small');
    await small;
    jobs.close();
    await finish('/big');
    await big;
    expect(jobs.active?.name).toBe('big');
  });
});
