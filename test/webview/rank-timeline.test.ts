// @vitest-environment jsdom
import {expect, it} from 'vitest';
import {jobFacts} from '../../src/core/job/job-report.js';
import {jobTimeline} from '../../src/core/job/job-timeline.js';
import {jobView} from '../../src/core/job/job-view.js';
import {stepWindow, timelineWindow} from '../../src/core/job/timeline-window.js';
import type {JobHostRequests, JobViewRequests} from '../../src/protocol/job-messages.js';
import {madeJob} from '../support/job-ranks.js';
import {completePage, settle, TestHost} from '../support/page.js';
import {markAt, moveMark, placeOf, rowLayout, xOf, zoomed} from '../../webview/job/rank-rows.js';

completePage();
// They need the page when they are read.
const {JobPage} = await import('../../webview/job/job-page.js');

/** Rank 2 is 20 ms late to the first call of each step; the clock of rank 1 is 1 s ahead. */
const facts = jobFacts(
  madeJob({
    ...{ranks: 4, steps: 8, callsPerStep: 2, lateNs: rank => (rank === 2 ? 20e6 : 0)},
    aheadNs: rank => (rank === 1 ? 256 * 4_000_000 : 0),
  }),
);
const view = jobView(facts);
const timeline = jobTimeline(facts, view.report.ranks);

function openPage() {
  document.body.replaceChildren();
  const host = new TestHost<JobHostRequests, JobViewRequests>({
    'job/window': ({window, pixels}: JobHostRequests['job/window']['params']) => {
      const found = 'step' in window ? stepWindow(timeline, window.step) : window;
      return found && timelineWindow(timeline, found, pixels);
    },
  });
  new JobPage(host.host, document.body).start();
  const shown = host.tell('job/content', {state: 'open', key: 1, name: 'job', view, timeline, shown: null});
  const canvas = () => document.querySelector<HTMLCanvasElement>('canvas[aria-label^="Timeline of all ranks"]');
  const press = async (...keys: string[]) => {
    for (const key of keys) canvas()?.dispatchEvent(new KeyboardEvent('keydown', {key}));
    await settle();
  };
  const textOf = (part: string) => canvas()?.closest('.heat')?.querySelector(part)?.textContent ?? null;
  return {host, shown, press, chosen: () => textOf('.heat-chosen span'), legend: () => textOf('.heat-legend')};
}

it('a part of the page comes into sight with the focus, and one that the job has not is said', async () => {
  const {host, shown} = openPage();
  await shown;
  await host.tell('job/section', {section: 'timeline'});
  expect(document.activeElement?.textContent).toBe('Timeline of all ranks');
  await host.tell('job/section', {section: 'parts'});
  expect(document.body.textContent).toContain('do not tell where each rank’s time goes');
});

it('the timeline of all ranks tells by the keyboard who waits for whom in a call', async () => {
  const {shown, press, chosen} = openPage();
  await shown;
  expect(chosen()).toBeNull();
  await press('ArrowRight');
  expect(chosen()).toMatch(
    /^Rank 0, all_reduce · group 0, from 1\d\d ms: 22\.0 ms, of which it waits 20\.0 ms for others; rank 2 waits least\.$/,
  );
  await press('ArrowDown', 'ArrowDown');
  expect(chosen()).toMatch(/^Rank 2, all_reduce · group 0, from \d+ ms: 2\.0\d ms\. This rank waits least\.$/);
  await press('ArrowRight');
  expect(chosen()).toMatch(/^Rank 2, /);
  await press('Escape');
  expect(chosen()).toBeNull();
});

it('a call leads to its rank, at the time of that rank’s own clock', async () => {
  const {host, shown, press} = openPage();
  await shown;
  await press('ArrowRight', 'ArrowDown', 'Enter');
  const [question] = host.asked('job/timeline');
  const own = facts.ranks[1]?.calls[2];
  if (!own) throw new Error('a call');
  expect(question?.params).toMatchObject({rank: 1, range: null});
  const {window} = question?.params as {window: {fromNs: number; toNs: number}};
  expect(Math.abs(window.fromNs - own.startNs)).toBeLessThan(1);
  expect(Math.abs(window.toNs - own.endNs)).toBeLessThan(1);
});

it('zooms around what is chosen, and out to all of it', async () => {
  const {shown, press, legend} = openPage();
  await shown;
  expect(legend()).toMatch(/^From 100 ms to 200 ms by the clock/);
  await press('+');
  expect(legend()).toMatch(/^From 125 ms to 175 ms/);
  await press('0');
  expect(legend()).toMatch(/^From 0 ns to 800 ms/);
  await press('-');
  expect(legend()).toMatch(/^From 0 ns to 800 ms/);
});

it('marks are found where they are drawn, and keys stay inside', () => {
  const window = timelineWindow(timeline, timeline, 2000);
  const layout = rowLayout(4, 1, 2000, window);
  for (const [at, row] of window.calls.row.entries()) {
    const {yPx, heightPx} = placeOf(row, 0, layout);
    expect(markAt(window, layout, xOf(window.calls.endNs[at] ?? NaN, layout), yPx + heightPx / 2)).toBe(at);
  }
  expect(markAt(window, layout, layout.leftPx, 5)).toBe(-1);
  expect(moveMark(window, 0, 'ArrowLeft')).toBe(0);
  expect(moveMark(window, 0, 'ArrowUp')).toBe(0);
  const {fromNs, toNs} = zoomed({fromNs: 10, toNs: 20e6}, {fromNs: 0, toNs: 30e6}, 100, 15);
  expect([fromNs, toNs].map(Math.round)).toEqual([0, 30e6]);
});
