import type {Frame} from 'playwright-core';
import {beforeAll, describe, expect, it} from 'vitest';
import {kineto, kinetoText} from '../support/kineto-events.js';
import {pickleOf} from '../support/pickle-writer.js';
import {snapshotLines, trainingSnapshot} from '../support/training-snapshot.js';
import {everydayThemes, themes} from './support/themes.js';
import {Workbench} from './support/workbench.js';

const script = Array.from({length: 30}, (_, at) => `x${String(at + 1)} = ${String(at + 1)}`).join('\n');

const allocated = (ts: number, bytes: number, total: number) => ({
  ...{ph: 'i', s: 't', cat: 'cpu_instant_event', name: '[memory]', pid: 100, tid: 100, ts},
  args: {Bytes: bytes, Addr: 1 + ts, 'Device Type': 1, 'Device Id': 0, 'Total Allocated': total},
});
/** A profile in which 64 bytes of a GPU are allocated. */
const profile = kinetoText([kineto.range('forward', 0, 90), allocated(10, 40, 40), allocated(30, 24, 64)]);

describe('a memory snapshot', () => {
  let workbench: Workbench;
  let frame: Frame;
  const said = () => frame.locator('[data-testid=said]').innerText();
  const rows = (label: string) => frame.locator(`[role=grid][aria-label="${label}"] .body .row`).allInnerTexts();
  const openFromExplorer = (name: string) =>
    workbench.page.locator('.explorer-folders-view .monaco-list-row', {hasText: name}).dblclick();
  const tab = (title: string) => frame.locator('[role=tab]', {hasText: title}).click();

  beforeAll(async () => {
    workbench = await Workbench.start({
      files: {
        'snapshot.pickle': pickleOf(trainingSnapshot()),
        'oom.pickle': pickleOf(trainingSnapshot({outOfMemory: true, scale: 2})),
        'other.pickle': pickleOf({weights: [1, 2, 3]}),
        'project/train.py': script,
        'run.pt.trace.json': profile,
      },
      size: {width: 1400, height: 1000},
    });
    await openFromExplorer('snapshot.pickle');
    frame = await workbench.webview('GPU Memory');
    await frame.locator('[role=grid][aria-label="Live memory by line"]').waitFor();
  });

  it('opens by a double click, at its peak, with the lines that hold it', async () => {
    expect(await frame.locator('[data-testid=headline] .figure').allInnerTexts()).toEqual([
      '952 MiB',
      '512 MiB',
      '608 MiB',
      '226 events',
    ]);
    expect((await rows('Live memory by line'))[0]).toContain('train.py:22 train_step');
    expect(
      (await frame.locator('table[aria-label="What the moment is made of"] tbody tr').allInnerTexts())[0],
    ).toContain('320 MiB');
    await workbench.screenshotAtRest('memory');
  });

  it('shows any moment that is chosen by keys, and goes back to the peak', async () => {
    const chart = frame.locator('.chart canvas');
    await chart.focus();
    await workbench.page.keyboard.press('Home');
    await expect.poll(said).toContain('before the first event');
    await workbench.page.keyboard.press('b');
    await workbench.page.keyboard.press('p');
    await expect.poll(() => frame.locator('[data-testid=about]').innerText()).toContain('From before the first event');
    await expect.poll(async () => (await rows('Change by line'))[0] ?? '').toContain('+320 MiB');
    await workbench.screenshotAtRest('memory-change');
  });

  it('has blocks with their stacks, what is kept, segments, and a flame graph', async () => {
    await tab('Blocks');
    await expect.poll(async () => (await rows('Live blocks'))[0]).toContain('_init_group');
    await tab('Kept');
    await expect.poll(() => rows('Kept memory by line')).toHaveLength(3);
    await tab('Segments');
    await expect.poll(() => rows('Segments')).not.toHaveLength(0);
    await workbench.screenshotAtRest('memory-segments');
    await tab('Flame graph');
    await frame.locator('.panel canvas').waitFor();
    await workbench.screenshotAtRest('memory-flame');
  });

  it('shows the same again after its page was hidden', async () => {
    const press = async (key: string) => {
      await frame.locator('.chart canvas').focus();
      await workbench.page.keyboard.press(key);
    };
    await tab('Blocks');
    await press('Home');
    await expect.poll(said).toContain('before the first event');
    await workbench.openFile('train.py');
    await workbench.page.locator('.tab', {hasText: 'snapshot.pickle'}).click();
    frame = await workbench.webview('GPU Memory');
    await expect.poll(said).toContain('before the first event');
    expect(await frame.locator('[role=tab][aria-selected=true]').innerText()).toBe('Blocks');
    await press('p');
    await expect.poll(said).toContain('952 MiB');
  });

  it.each(everydayThemes)('follows the theme %s', async theme => {
    await tab('By line');
    await workbench.chooseTheme(theme, frame);
    await workbench.screenshotAtRest(`memory-${themes[theme].webview}`);
  });

  it('stands on the lines that allocated it', async () => {
    await workbench.openFile('train.py');
    await expect.poll(() => workbench.codeLenses()).toContain('peak 288 MiB · holds 288 MiB');
    await workbench.goToLine(snapshotLines.softmax);
    await workbench.screenshotAtRest('memory-lines');
  });

  it('is shown at a place of the timeline, and stays where the user goes from there', async () => {
    await workbench.command('GPU Lens: Open Profile…', 'run.pt.trace.json');
    const timeline = await workbench.webview('GPU Timeline', 'panel');
    const canvas = timeline.locator('canvas').first();
    await canvas.waitFor();
    const link = timeline.getByText('Show what holds the memory');
    const {height} = (await canvas.boundingBox()) ?? {height: 0};
    // About 20 µs, between both allocations; the peak is after the second.
    const betweenPx = 385;
    // The counter is in the last row. A click on the head of a group would close it.
    for (let y = height - 4; y > 0 && !(await link.isVisible()); y -= 8)
      await canvas.click({position: {x: betweenPx, y}});
    // First it opens the editor, then it goes to the place in the open one.
    for (let times = 0; times < 2; times++) {
      await link.click();
      await workbench.page.locator('.tab.active', {hasText: 'run.pt.trace.json'}).waitFor();
      frame = await workbench.webview('GPU Memory');
      await expect.poll(said).toContain('40 B in 1 block');
      await frame.locator('.chart canvas').focus();
      await workbench.page.keyboard.press('Home');
      await expect.poll(said).toContain('before the first event');
    }
    await workbench.openFile('train.py');
    await workbench.page.locator('.tab', {hasText: 'run.pt.trace.json'}).click();
    frame = await workbench.webview('GPU Memory');
    await expect.poll(said).toMatch(/block/);
    expect(await said()).toContain('before the first event');
  });

  it('begins where memory ran out', async () => {
    await openFromExplorer('oom.pickle');
    await workbench.page.locator('.tab.active', {hasText: 'oom.pickle'}).waitFor();
    const oom = await workbench.webview('GPU Memory');
    await oom.locator('[data-testid=headline]', {hasText: 'out of memory 1 time'}).waitFor();
    await workbench.screenshotAtRest('memory-oom');
  });

  it('leaves other pickles to their owners', async () => {
    await openFromExplorer('other.pickle');
    await workbench.page.getByText('binary', {exact: false}).first().waitFor();
  });
});
