// @vitest-environment jsdom
import {beforeEach, expect, it} from 'vitest';
import type {TimeWindow} from '../../src/core/base/time-window.js';
import type {LinkedView} from '../../src/core/layout/linked-view.js';
import {completePage, settle} from '../support/page.js';
import {linkTimelines, type LinkEnd} from '../../src/host/views/timeline-links.js';

completePage();
const {TimelineLink} = await import('../../webview/timeline/timeline-link.js');

const spans = (...starts: [number, number][]) => starts.map(([fromNs, toNs]) => ({fromNs, toNs}));
/** Aligned at their second steps, which begin at 1000 and 5000; the changed run has no fourth step. */
const base = spans([0, 900], [1000, 1900], [2000, 2900], [3000, 3900]);
const changed = spans([3000, 4900], [5000, 6900], [7000, 8900]);

/** A timeline with its link, and the host's end of it. */
function timelineOf(name: string, steps: readonly TimeWindow[]) {
  let end: LinkEnd | null = null;
  const shown = {window: {fromNs: 0, toNs: 1}, cursorNs: null as number | null, sent: 0};
  const ask = (method: string, params: unknown) => {
    if (method === 'timeline/unlink') end?.end();
    else shown.sent++;
    return method === 'timeline/linked' ? end?.moved(params as LinkedView) : Promise.resolve(undefined);
  };
  const show = (window: TimeWindow) => {
    shown.window = window;
    link.moved();
  };
  const link = new TimelineLink(ask as never, () => ({
    window: shown.window,
    showExactly: show,
    showAround: show,
    showCursor: ns => (shown.cursorNs = ns),
  }));
  const view = {
    linkWith: (next: LinkEnd | null) => {
      end = next;
      link.told(next?.shown() ?? null);
    },
    follow: (seen: LinkedView) => {
      link.follow(seen);
      return Promise.resolve();
    },
  };
  const side = {name, aligned: {compared: steps[1] ?? {fromNs: 0, toNs: 1}, steps, at: 1}, view};
  const goTo = (at: number) => {
    const {fromNs, toNs} = steps[at] ?? {fromNs: 0, toNs: 1};
    show(link.stepWindow({startNs: fromNs, endNs: toNs}));
  };
  return {shown, link, side, show, goTo};
}

let above: ReturnType<typeof timelineOf>;
let below: ReturnType<typeof timelineOf>;
beforeEach(() => {
  above = timelineOf('before', base);
  below = timelineOf('after', changed);
  linkTimelines(above.side, below.side);
});

it('shows the longer of both compared steps in both, and says with what it is linked', () => {
  expect(above.shown).toEqual({window: {fromNs: 1000, toNs: 2900}, cursorNs: null, sent: 0});
  expect(below.shown).toEqual({window: {fromNs: 5000, toNs: 6900}, cursorNs: null, sent: 0});
  expect(above.link.element.textContent).toContain('Linked with after');
  expect(below.link.element.textContent).toContain('Linked with before');
});

it('moves the other timeline by the same time from the start of its step, with the cursor, and is not answered', async () => {
  below.show({fromNs: 5100, toNs: 5200});
  below.link.pointed(5150);
  await settle();
  expect(above.shown).toEqual({window: {fromNs: 1100, toNs: 1200}, cursorNs: 1150, sent: 0});
  above.show({fromNs: 1090, toNs: 1190});
  await settle();
  expect(below.shown.window).toEqual({fromNs: 5090, toNs: 5190});
});

it('goes to another step in both, from which times count then, and says where the other one has none', async () => {
  above.goTo(2);
  await settle();
  expect([above.shown.window, below.shown.window]).toEqual(spans([2000, 3900], [7000, 8900]));
  // The next step is counted from the one that is shown: its middle is in sight, that of the window is beside it.
  expect(above.link.stepFrom(above.shown.window)).toEqual({fromNs: 2000, toNs: 2900});
  expect(above.link.stepFrom({fromNs: 0, toNs: 800})).toEqual({fromNs: 0, toNs: 800});
  above.goTo(3);
  await settle();
  expect([above.shown.window, below.shown.window]).toEqual(spans([3000, 3900], [7000, 8900]));
  expect(above.link.element.textContent).toContain('Linked with after, which has no such step');
  expect(below.link.element.textContent).toContain('Linked with before, at a step that is not here');
});

it('ends at both ends', async () => {
  below.link.pointed(5100);
  below.link.element.querySelector<HTMLElement>('vscode-button')?.click();
  await settle();
  expect([above.link.element.hidden, below.link.element.hidden]).toEqual([true, true]);
  expect(above.shown.cursorNs).toBeNull();
  below.show({fromNs: 5300, toNs: 5400});
  await settle();
  expect(above.shown.window).toEqual({fromNs: 1000, toNs: 2900});
});
