import {copyFileSync, utimesSync} from 'node:fs';
import {join} from 'node:path';
import {beforeAll, expect, it, vi} from 'vitest';
import {kineto, kinetoText} from '../support/kineto-events.js';
import {writeLargeTrace} from '../support/large-trace.js';
import {openedProfile} from './support/opened-profile.js';
import {Workbench} from './support/workbench.js';
import {patience} from '../support/patience.js';

/** A large trace to open instead of the made one. */
const given = process.env['GPU_LENS_LARGE_TRACE'];
const madeBytes = 1250e6;
/** When pictures are taken, in ms from the moment the editor is there. */
const pictureTimes = [100, 300, 1000];

let workbench: Workbench;
let path: string;
beforeAll(async () => {
  const small = kinetoText([kineto.range('step', 0, 10)]);
  workbench = await Workbench.start({files: {'small.pt.trace.json': small, 'other.pt.trace.json': small}});
  path = join(workbench.workspace, 'large.pt.trace.json');
  if (given === undefined) writeLargeTrace(path, madeBytes);
  else copyFileSync(given, path);
  // VS Code has loaded a page like it by then, as it has for a person who works with profiles.
  for (const name of ['small.pt.trace.json', 'other.pt.trace.json']) await workbench.openFile(name);
  await workbench.webview('GPU Timeline');
});

it('a large trace shows its first blocks long before it is open', async () => {
  const {clickedAtMs, resolvedAtMs} = await open();
  const drawn = firstBlocks().then(() => since(resolvedAtMs));
  const [drawnMs, openedMs] = await Promise.all([drawn, opened().then(() => since(resolvedAtMs))]);
  process.stdout.write(
    `Editor ${String(Math.round(resolvedAtMs - clickedAtMs))} ms after the double click; ` +
      `first blocks ${String(drawnMs)} ms, open ${String(openedMs)} ms after that.\n`,
  );
  expect(drawnMs).toBeLessThan(openedMs);
});

it('pictures of a large trace that is being read are kept', async () => {
  await workbench.command('GPU Lens: Close Profile');
  await workbench.page.keyboard.press('Control+w');
  await opened('detached');
  // It is read as if for the first time.
  utimesSync(path, new Date(), new Date());
  const {resolvedAtMs} = await open();
  for (const ms of pictureTimes) {
    await workbench.page.waitForTimeout(Math.max(0, ms - since(resolvedAtMs)));
    await workbench.keepScreenshot(`growing-${String(ms)}-ms`);
  }
  await opened();
});

const since = (ms: number) => Math.round(performance.now() - ms);

/** Opens the large trace by a double click, and returns when that was, and when its editor was there. */
async function open(): Promise<{clickedAtMs: number; resolvedAtMs: number}> {
  const {page} = workbench;
  const row = page.locator('.explorer-folders-view .monaco-list-row', {hasText: 'large.pt.trace.json'});
  await row.hover();
  const clickedAtMs = performance.now();
  await row.dblclick();
  await page.locator('.tab.active', {hasText: 'large.pt.trace.json'}).waitFor();
  return {clickedAtMs, resolvedAtMs: performance.now()};
}

async function opened(state: 'visible' | 'detached' = 'visible'): Promise<void> {
  await openedProfile(workbench.page, 'large.pt.trace.json · ').waitFor({state});
}

/** Resolves once a page of a timeline draws what was read so far. */
async function firstBlocks(): Promise<void> {
  const isDrawn = () => document.querySelector('[data-testid=reading]') !== null;
  const isDrawnAnywhere = async () => {
    const drawn = workbench.page.frames().map(frame => frame.evaluate(isDrawn).catch(() => false));
    return (await Promise.all(drawn)).includes(true);
  };
  await vi.waitUntil(isDrawnAnywhere, patience);
}
