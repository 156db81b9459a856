import {describe, expect, it} from 'vitest';
import type {JobRanks} from '../../src/core/job/rank-choices.js';
import type {HostRequests} from '../../src/protocol/view-messages.js';
import {RankSwitch} from '../../webview/shared/rank-switch.js';
import {settle, TestHost} from '../support/page.js';

const job = (shown: number): JobRanks => ({
  ...{shown, ranks: [0, 2], texts: ['rank 0', 'rank 2']},
  standings: [],
  files: ['/run/train.rank0.json', '/run/train.rank2.json'],
});

/** A view of rank 0, whose ranks are known. */
async function openedView() {
  const host = new TestHost<HostRequests, never>();
  const offered: (JobRanks | null)[] = [];
  const failed: string[] = [];
  const ranks = new RankSwitch<string>(
    host.host,
    found => offered.push(found),
    text => failed.push(text),
  );
  ranks.opened(1);
  host.asked('ranks/list')[0]?.answer(job(0));
  await settle();
  return {host, offered, failed, ranks};
}

describe('RankSwitch', () => {
  it('carries what is looked at to the rank that opens, once that is known to be the one', async () => {
    const {host, offered, ranks} = await openedView();
    expect(offered).toEqual([null, job(0)]);
    void ranks.show(2, 'zoomed');
    expect(host.asked('ranks/show')[0]?.params).toEqual({key: 1, rank: 2});
    ranks.closed();
    ranks.opened(2);
    const taken = ranks.taken();
    host.asked('ranks/list')[1]?.answer(job(2));
    expect(await taken).toBe('zoomed');
    expect(await ranks.taken()).toBeNull();
    expect(ranks.job).toEqual(job(2));
  });

  it('shows the rank that is still open where the other one does not open, and says why', async () => {
    const {host, offered, failed, ranks} = await openedView();
    const showing = ranks.show(2, 'zoomed');
    host.asked('ranks/show')[0]?.fail('The file is damaged.');
    await showing;
    expect(offered.at(-1)).toEqual(job(0));
    expect(failed).toEqual(['The file is damaged.']);
    ranks.opened(2);
    expect(await ranks.taken()).toBeNull();
  });

  it('asks for the ranks again when the job changes, and offers the last answer, whichever comes first', async () => {
    const {host, offered, ranks} = await openedView();
    ranks.changed();
    ranks.changed();
    expect(host.asked('ranks/list').map(({params}) => params)).toEqual([{key: 1}, {key: 1}, {key: 1}]);
    const standings = [{standing: 'fastest', rank: 2}] as const;
    host.asked('ranks/list')[2]?.answer({...job(0), standings});
    await settle();
    host.asked('ranks/list')[1]?.answer(job(0));
    await settle();
    expect(offered).toEqual([null, job(0), {...job(0), standings}]);
    ranks.closed();
    ranks.changed();
    expect(host.asked('ranks/list')).toHaveLength(3);
  });

  it('does not offer the ranks of a profile that is closed or another by now', async () => {
    const {host, offered, ranks} = await openedView();
    ranks.opened(2);
    ranks.opened(3);
    host.asked('ranks/list')[1]?.answer(job(2));
    await settle();
    ranks.closed();
    host.asked('ranks/list')[2]?.answer(job(0));
    await settle();
    expect(offered).toEqual([null, job(0), null, null]);
    expect(ranks.job).toBeNull();
    await ranks.show(2, 'zoomed');
    expect(host.asked('ranks/show')).toEqual([]);
  });
});
