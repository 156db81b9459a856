import {expect, it} from 'vitest';
import {RowCache} from '../../webview/shared/row-cache.js';

/** A cache whose answers come when they are let go. */
function cached() {
  const asked: number[] = [];
  const answers: ((text: string) => void)[] = [];
  const failed: unknown[] = [];
  let changes = 0;
  const cache = new RowCache<string>(
    (from, to) => {
      asked.push(from);
      return new Promise((resolve, reject) => {
        answers.push(text => {
          if (text === 'fail') reject(new Error('gone'));
          else resolve(Array.from({length: to - from}, (_, at) => `${text}${String(from + at)}`));
        });
      });
    },
    () => changes++,
    error => failed.push(error),
  );
  const answer = async (at: number, text = '') => {
    answers[at]?.(text);
    await new Promise(resolve => setTimeout(resolve));
  };
  return {cache, asked, failed, answer, changes: () => changes};
}

it('asks for a page once, but for the first where that is known', async () => {
  const {cache, asked, answer, changes} = cached();
  cache.begin(['known']);
  expect([cache.row(0), cache.row(450), cache.row(451)]).toEqual(['known', null, null]);
  await answer(0);
  expect([cache.row(450), cache.row(451)]).toEqual(['450', '451']);
  expect([asked, changes()]).toEqual([[400], 1]);
});

it('takes nothing of the order before when the order has changed', async () => {
  const {cache, asked, answer, changes} = cached();
  cache.row(0);
  cache.clear();
  expect(cache.row(0)).toBeNull();
  await answer(0, 'old ');
  expect(cache.row(0)).toBeNull();
  // Only the change of the order was told.
  expect(changes()).toBe(1);
  await answer(1, 'new ');
  expect(cache.row(0)).toBe('new 0');
  expect(asked).toEqual([0, 0]);
});

it('tells of rows that cannot be had, and asks no more for them', async () => {
  const {cache, asked, failed, answer} = cached();
  cache.row(0);
  await answer(0, 'fail');
  cache.row(0);
  expect([failed.length, asked]).toEqual([1, [0]]);
});

it('keeps the pages that came last', async () => {
  const {cache, asked, answer} = cached();
  for (let page = 0; page < 51; page++) {
    cache.row(page * 200);
    await answer(page);
  }
  expect(cache.row(10_000)).toBe('10000');
  cache.row(0);
  expect(asked.slice(50)).toEqual([10_000, 0]);
});
