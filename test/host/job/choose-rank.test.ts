import {expect, it, vi} from 'vitest';
import {jobFacts} from '../../../src/core/job/job-report.js';
import {jobView} from '../../../src/core/job/job-view.js';
import {madeJob} from '../../support/job-ranks.js';
import {window} from '../../support/vscode-stand-in.js';

vi.mock('vscode', () => import('../../support/vscode-stand-in.js'));
const {chooseRank} = await import('../../../src/host/job/choose-rank.js');

const view = jobView(
  jobFacts(madeJob({ranks: 3, steps: 6, callsPerStep: 2, lateNs: rank => (rank === 2 ? 20e6 : rank * 1e6)})),
);

/** Chooses what has this text, of the three ranks of an open job of which rank 0 is shown; returns what came of it. */
async function choose(
  wanted: string,
): Promise<{readonly offered: readonly string[]; readonly done: readonly unknown[]}> {
  const done: unknown[] = [];
  let offered: readonly string[] = [];
  const path = (rank: number) => `/run/rank${String(rank)}.json`;
  const profile = {key: 7, path: path(0), name: 'rank0.json'};
  const places = [0, 1, 2].map(rank => ({rank, path: path(rank), entry: null}));
  window.picks = items => {
    const labels = items as {label: string}[];
    offered = labels.map(({label}) => label);
    return labels.find(({label}) => label === wanted);
  };
  await chooseRank({
    store: {activeOpen: profile, byKey: () => profile},
    jobs: {active: {view, places}, rankOf: () => 0, fileOf: () => Promise.resolve(null)},
    openProfile: (file: string) => Promise.resolve(done.push(file) > 0),
    showAll: (...all: unknown[]) => Promise.resolve(done.push(all)),
    log: {},
  } as never)();
  return {offered, done};
}

it('“Choose Rank” offers what the selectors of views do, and opens it', async () => {
  const {offered, done} = await choose('Max: rank 2 is the slowest');
  expect(offered).toEqual([
    'All ranks: min, median, max of each range',
    ...['Min: rank 0 is the fastest', 'Median: rank 1 is in the middle', 'Max: rank 2 is the slowest'],
    ...['$(check) Rank 0 (fastest)', 'Rank 1 (median)', 'Rank 2 (slowest)'],
  ]);
  expect(done).toEqual(['/run/rank2.json']);
  expect((await choose('All ranks: min, median, max of each range')).done).toEqual([[7, 'ranges']]);
  expect((await choose('$(check) Rank 0 (fastest)')).done).toEqual([]);
  expect((await choose('nothing')).done).toEqual([]);
});
