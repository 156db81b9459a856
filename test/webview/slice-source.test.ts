import {expect, it} from 'vitest';
import type {TimeWindow} from '../../src/core/base/time-window.js';
import {timelineRows} from '../../src/core/layout/timeline-rows.js';
import {timelineSummary} from '../../src/core/questions/tracks.js';
import {sightOf, SliceSource, type Wanted} from '../../webview/timeline/slice-source.js';
import {settle} from '../support/page.js';
import {traceFromText} from '../support/trace-from-text.js';

const trace = traceFromText('range outer     ====');
const rows = timelineRows(timelineSummary(trace));
const sight = sightOf(rows, 0, rows.heightPx);
const window = {fromNs: 0, toNs: trace.spanNs};
const told: Wanted['told'] = {groupBy: null, lit: []};

/** A source that wants again when a request has failed, as a frame does; what it asked, and why it failed. */
function sourceOf() {
  const asked: [key: number, toNs: number][] = [];
  const failed: unknown[] = [];
  let fail: ((error: Error) => void) | undefined;
  let answer: (() => void) | undefined;
  const ask = (_: string, {key, window: {fromNs, toNs}}: {key: number; window: TimeWindow}) => {
    asked.push([key, wanted.window.toNs]);
    return new Promise((resolve, reject) => {
      fail = reject;
      answer = () => {
        resolve({slices: {fromNs, toNs}});
      };
    });
  };
  let wanted: Wanted = {window, widthPx: 100, sight, wide: sight, told};
  const onAnswer = () => undefined;
  const source = new SliceSource({ask} as never, onAnswer, error => {
    failed.push(error);
    source.want(wanted);
  });
  const want = (change: Partial<Wanted> = {}) => {
    wanted = {...wanted, ...change};
    source.want(wanted);
  };
  const failWith = async (error: Error) => {
    fail?.(error);
    await settle();
  };
  const succeed = async () => {
    answer?.();
    await settle();
  };
  return {asked, failed, reset: (key: number) => source.reset(key), want, failWith, succeed};
}

it('does not repeat a failed request until something else is wanted or its profile is shown again', async () => {
  const {asked, failed, reset, want, failWith} = sourceOf();
  const error = new Error('changed');
  reset(1);
  want();
  // A frame while the request is pending.
  want();
  await failWith(error);
  want();
  expect([asked, failed]).toEqual([[[1, trace.spanNs]], [error]]);
  want({window: {fromNs: 0, toNs: 1}});
  await failWith(error);
  want({told: {groupBy: 'range', lit: []}});
  await failWith(error);
  want();
  expect(asked.slice(1)).toEqual([
    [1, 1],
    [1, 1],
  ]);
  reset(1);
  want();
  expect(asked).toHaveLength(4);
});

it('repeats a failed request after another window was shown again', async () => {
  const {asked, reset, want, failWith, succeed} = sourceOf();
  const [shown, failing] = [window, {fromNs: 1e9, toNs: 2e9}];
  reset(1);
  want();
  await succeed();
  want({window: failing});
  await failWith(new Error('changed'));
  want({window: shown});
  want({window: failing});
  expect(asked.map(([, toNs]) => toNs)).toEqual([shown.toNs, failing.toNs, failing.toNs]);
});

it('does not report the failure of an earlier profile, and asks for the shown one', async () => {
  const {asked, failed, reset, want, failWith} = sourceOf();
  reset(1);
  want();
  reset(2);
  want();
  await failWith(new Error('of 1'));
  expect([asked.map(([key]) => key), failed]).toEqual([[1, 2], []]);
});
