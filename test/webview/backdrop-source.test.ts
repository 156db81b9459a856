import {expect, it} from 'vitest';
import {timelineRows} from '../../src/core/layout/timeline-rows.js';
import {timelineSummary} from '../../src/core/questions/tracks.js';
import {BackdropSource} from '../../webview/timeline/backdrop-source.js';
import {traceFromText} from '../support/trace-from-text.js';

const trace = traceFromText('range outer     ====');
const rows = timelineRows(timelineSummary(trace));
const told = {groupBy: null, lit: []};

/** A source, the profiles that it asked about, and how the question on its way is answered. */
function sourceOf() {
  const asked: number[] = [];
  const taken: unknown[] = [];
  let end: {resolve: (value: unknown) => void; reject: (error: Error) => void} | undefined;
  const ask = (_: string, {key}: {key: number}) => {
    asked.push(key);
    return new Promise((resolve, reject) => (end = {resolve, reject}));
  };
  const source = new BackdropSource({ask} as never, answer => taken.push(answer.timeline));
  const settle = () => new Promise(resolve => setTimeout(resolve));
  const want = (key?: number) => {
    const known = key === undefined ? null : source.reset(key);
    source.want(rows, trace.spanNs, told);
    return known;
  };
  const answer = async (timeline: string) => {
    end?.resolve(timeline);
    await settle();
  };
  const fail = async () => {
    end?.reject(new Error('gone'));
    await settle();
  };
  return {asked, taken, want, answer, fail};
}

it('asks once for a profile, and for one that was shown meanwhile as soon as the answer is there', async () => {
  const {asked, taken, want, answer} = sourceOf();
  want(1);
  want();
  want(2);
  expect(asked).toEqual([1]);
  await answer('of 1');
  expect([asked, taken]).toEqual([[1, 2], []]);
  await answer('of 2');
  want();
  expect([asked, taken]).toEqual([[1, 2], ['of 2']]);
  expect(want(1)).toMatchObject({timeline: 'of 1'});
  expect(asked).toEqual([1, 2]);
});

it('asks again for what could not be told only when its profile is shown anew', async () => {
  const {asked, want, fail} = sourceOf();
  want(1);
  await fail();
  want();
  expect(asked).toEqual([1]);
  want(1);
  expect(asked).toEqual([1, 1]);
  want(2);
  await fail();
  // The failure was of the profile before.
  expect(asked).toEqual([1, 1, 2]);
});

it('keeps eight profiles, and asks again for the oldest', async () => {
  const {asked, want, answer} = sourceOf();
  for (let key = 1; key <= 9; key++) {
    want(key);
    await answer(`of ${String(key)}`);
  }
  expect(want(2)).toMatchObject({timeline: 'of 2'});
  expect(want(1)).toBeNull();
  expect(asked).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 1]);
});
