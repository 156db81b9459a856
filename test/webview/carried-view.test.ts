import {expect, it} from 'vitest';
import {CarriedView} from '../../webview/shared/carried-view.js';

const job = (shown: number, folder = '/run') => ({
  shown,
  ranks: [0, 2],
  ...{texts: [], standings: []},
  files: [`${folder}/train.rank0.json`, `${folder}/train.rank2.json`],
});

it('CarriedView reaches the rank that was asked for, once', () => {
  const carried = new CarriedView<string>();
  expect(carried.isUnderWay).toBe(false);
  carried.begin(job(0), 2, 'zoomed');
  expect(carried.isUnderWay).toBe(true);
  expect(carried.take(job(2))).toBe('zoomed');
  expect(carried.take(job(2))).toBeNull();
});

it('CarriedView is not for another profile that opens meanwhile', () => {
  const carried = new CarriedView<string>();
  carried.begin(job(0), 2, 'zoomed');
  expect([null, job(0), job(2, '/other')].map(other => carried.take(other))).toEqual([null, null, null]);
  expect(carried.take(job(2))).toBe('zoomed');
});

it('CarriedView is gone where the rank did not open, and never there without a job', () => {
  const carried = new CarriedView<string>();
  carried.begin(job(0), 2, 'zoomed');
  carried.drop();
  expect(carried.take(job(2))).toBeNull();
  carried.begin(null, 2, 'zoomed');
  expect(carried.isUnderWay).toBe(false);
});
