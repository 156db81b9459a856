import {expect, it} from 'vitest';
import type {Step} from '../../src/core/scope/steps.js';
import type {PathPicture} from '../../src/core/what-if/recorded/path-at.js';
import type {Host} from '../../webview/shared/host.js';
import {PathSource} from '../../webview/timeline/path-source.js';

const steps = [0, 100, 200].map((startNs, number) => ({number, startNs, endNs: startNs + 100}) as Step);
const inStep = (at: number) => ({fromNs: 100 * at + 20, toNs: 100 * at + 80});

/** A source whose host answers with the time that was asked for, or fails. */
function pathSource(fails = false) {
  const asked: (number | null)[] = [];
  const told: [at: string | null, isOn: boolean][] = [];
  const failures: unknown[] = [];
  const ask = (_: string, {atNs}: {atNs: number | null}) => {
    asked.push(atNs);
    return fails ? Promise.reject(new Error('too large')) : Promise.resolve({window: String(atNs)} as PathPicture);
  };
  const source = new PathSource({ask} as unknown as Host, {
    changed: (path, isOn) => told.push([path?.window ?? null, isOn]),
    failed: error => failures.push(error),
  });
  return {source, asked, told, failures};
}

it('PathSource asks for the step that is looked at while it is on, and zoomed out keeps what it has', async () => {
  const {source, asked, told} = pathSource();
  source.want(inStep(1), steps);
  expect(asked).toEqual([]);
  source.toggle();
  source.want({fromNs: 0, toNs: 300}, steps);
  await expect.poll(() => told.at(-1)).toEqual(['null', true]);
  source.want(inStep(1), steps);
  await expect.poll(() => told.at(-1)).toEqual(['100', true]);
  source.want({fromNs: 0, toNs: 300}, steps);
  source.want(inStep(1), steps);
  source.want(inStep(2), steps);
  await expect.poll(() => told.at(-1)).toEqual(['200', true]);
  expect(asked).toEqual([null, 100, 200]);
  source.toggle();
  expect(told.at(-1)).toEqual([null, false]);
});

it('PathSource tells nothing of a profile that was left, and switches itself off where there is no path', async () => {
  const {source, told} = pathSource();
  source.toggle();
  source.want(inStep(0), steps);
  source.reset(2);
  source.want(inStep(1), steps);
  await expect.poll(() => told.at(-1)).toEqual(['100', true]);
  expect(told.some(([at]) => at === '0')).toBe(false);

  const failing = pathSource(true);
  failing.source.toggle();
  failing.source.want(inStep(0), steps);
  await expect.poll(() => failing.failures).toHaveLength(1);
  failing.source.want(inStep(1), steps);
  expect(failing.asked).toEqual([0]);
  expect(failing.told.at(-1)).toEqual([null, false]);
});
