import {crc32} from 'node:zlib';
import {beforeAll, describe, expect, it} from 'vitest';
import {kineto, kinetoText} from '../support/kineto-events.js';
import {longTests} from '../support/long-tests.js';
import {hoverOf} from './support/hover.js';
import {openedProfile} from './support/opened-profile.js';
import {suiteThemes} from './support/themes.js';
import {Workbench} from './support/workbench.js';

const model = `from torch.profiler import record_function


def step(model, x):
    with record_function("attention"):
        scores = model.scores(x)
        x = scores @ x
    for i, block in enumerate(model.blocks):
        with record_function(f"layer_{i}"):
            x = block(x)
    with record_function("<b>[norm](command:workbench.action.closeWindow)</b> $(flame)"):
        x = model.norm(x)
    with record_function("head"):
        return model.head(x)
`;

const names = {
  attention: 5,
  layer_0: 9,
  layer_1: 9,
  '<b>[norm](command:workbench.action.closeWindow)</b> $(flame)': 11,
  head: 13,
};
const ends: Readonly<Record<number, number>> = {5: 7, 9: 10, 11: 12, 13: 14};
const works = [600, 150, 100, 60, 20];

/** Three steps in which each name has its work, in µs. */
function trace(): string {
  const events: object[] = [];
  for (let step = 0; step < 3; step++) {
    const beginUs = 2000 * step;
    events.push(kineto.range(`ProfilerStep#${String(step)}`, beginUs, 1990));
    Object.keys(names).forEach((name, at) => {
      const id = 10 * step + at + 1;
      events.push(kineto.range(name, beginUs + 100 * at + 10, 80), kineto.call(id, beginUs + 100 * at + 20, 5));
      events.push(kineto.kernel(id, beginUs + 600 + works.slice(0, at).reduce((a, b) => a + b, 0), works[at] ?? 0));
    });
  }
  return kinetoText(events, {deviceProperties: [{id: 0, name: 'NVIDIA H100'}]});
}

const sidecar = {
  sites: Object.entries(names).map(([name, line]) => ({name, file: 'model.py', line, endLine: ends[line], count: 3})),
  files: [{file: 'model.py', gitBlob: null, lineCrc32: model.split('\n').map(line => crc32(line))}],
  torch: '2.13.0',
  recordedAt: '2026-11-21T20:15:31+00:00',
  gitCommit: '0123456789abcdef0123456789abcdef01234567',
};

describe('how lines look', () => {
  let workbench: Workbench;
  beforeAll(async () => {
    workbench = await Workbench.start({
      files: {
        'model.py': model,
        'gpu.pt.trace.json': trace(),
        'gpu.meta.json': JSON.stringify(sidecar),
        '.vscode/settings.json': JSON.stringify({'gpuLens.profile': 'gpu.pt.trace.json'}),
      },
    });
    await workbench.openFile('model.py');
  });

  it('has the figures of the lines above them', async () => {
    await expect
      .poll(() => workbench.codeLenses())
      .toEqual([
        'GPU 600 µs/step · 64.5 % · ×1',
        'GPU 250 µs/step · 26.9 % · ×2',
        'GPU 60.0 µs/step · 6.45 % · ×1',
        'GPU 20.0 µs/step · 2.15 % · ×1',
      ]);
  });

  const gutter = () =>
    workbench.page.evaluate(() =>
      [...document.querySelectorAll('.margin .cgmr')].map(
        mark => /heat-[\w-]+/.exec(getComputedStyle(mark).backgroundImage)?.[0] ?? '',
      ),
    );

  it('has bars in the gutter by how hot lines are', async () => {
    const light = ['heat-4-light', 'heat-3-light', 'heat-2-light', 'heat-1-light'];
    await expect.poll(async () => (await gutter()).filter(name => name !== '')).toEqual(light);
  });

  const normLine = () => workbench.page.locator('.view-line', {hasText: 'norm](command'});

  it('tells the rest in a hover, where names are text', async () => {
    const hover = await hoverOf(normLine(), 'GPU span');
    const text = (await hover.textContent()) ?? '';
    expect(text).toContain('<b>[norm](command:workbench.action.closeWindow)</b> $(flame)');
    expect(text).toContain('60.0 µs (6.45 %)');
    expect(text).toContain('gpu.pt.trace.json');
    expect(text).toContain('torch 2.13.0 · NVIDIA H100 · commit 01234567 · 2026-11-21 20:15 UTC');
    expect(await hover.locator('a').allTextContents()).toEqual([
      'Timeline',
      'Flame graph',
      'Kernels',
      'Compare with last run',
      'What if…',
    ]);
    await workbench.screenshot('look-hover');
  });

  it('says that there is no run to compare with', async () => {
    const hover = await hoverOf(normLine(), 'GPU span');
    await hover.locator('a', {hasText: 'Compare with last run'}).first().click();
    await workbench.notification('No earlier run of this script is known').waitFor();
    await workbench.command('Notifications: Clear All Notifications');
  });

  it('shows the range in the timeline by the hover’s link', async () => {
    const hover = await hoverOf(normLine(), 'GPU span');
    await hover.locator('a', {hasText: 'Timeline'}).first().click();
    const timeline = await workbench.webview('GPU Timeline', 'panel');
    await expect.poll(() => timeline.getByTestId('selection').textContent()).toContain('[norm]');
    await workbench.command('View: Toggle Panel Visibility');
  });

  async function edit(): Promise<void> {
    await workbench.goToLine(6);
    await workbench.page.keyboard.press('End');
    await workbench.page.keyboard.type('  # edited');
  }

  it('has hollow bars, and dimmed text, where the block was edited', async () => {
    await edit();
    await expect.poll(gutter).toContain('heat-4-stale-light');
    expect((await gutter()).filter(name => name.includes('stale'))).toHaveLength(1);
  });

  longTests(() => {
    it('has text at the end of lines where CodeLens is off', async () => {
      workbench.changeSettings({'editor.codeLens': false});
      await workbench.reload();
      const ends = () =>
        workbench.page.evaluate(() =>
          [...document.querySelectorAll('.view-line span[class*="ced-"]')]
            .map(span => getComputedStyle(span, '::after').content)
            .filter(content => content.includes('GPU')),
        );
      await expect.poll(async () => (await ends()).length).toBe(4);
      await edit();
      await expect.poll(async () => (await ends())[0]).toContain('before your edit · GPU 600 µs/step');
      await workbench.screenshot('look-end-of-line');
      workbench.changeSettings({'editor.codeLens': true, 'gpuLens.endOfLineText': 'hot'});
      await workbench.reload();
      await expect.poll(async () => (await ends()).length).toBe(2);
    });
  });

  it('lists hot ranges in the side bar, by path, with their figures', async () => {
    await workbench.sideBar('GPU Lens');
    const tree = workbench.page.locator('.pane', {hasText: 'Hot Ranges'}).locator('.monaco-list-row');
    await expect.poll(() => tree.count()).toBe(6);
    const rows = await tree.evaluateAll(found => found.map(row => row.getAttribute('aria-label') ?? ''));
    expect(rows[0]).toBe('ProfilerStep*, 930 µs/step · 100 % · ×1');
    expect(rows[1]).toBe('attention, 600 µs/step · 64.5 % · ×1');
    // The row gets its buttons when the mouse comes, and loses a click until then. Its tooltip may lie in the way.
    const row = tree.filter({hasText: 'layer_0'});
    await row.hover({force: true});
    await row.locator('.action-label').first().waitFor();
    await row.click({force: true});
    await workbench.page.locator('.statusbar-item', {hasText: 'Ln 9,'}).waitFor();
    await workbench.command('GPU Lens: Filter Hot Ranges');
    const input = workbench.page.locator('.quick-input-widget input').first();
    await input.fill('layer');
    await input.press('Enter');
    await expect.poll(() => tree.count()).toBe(3);
    await workbench.screenshot('look-hot-ranges');
  });

  it('has a badge with the share on the file, and GPU time per step in the status bar', async () => {
    await workbench.sideBar('Explorer');
    const file = workbench.page.locator('.explorer-folders-view .monaco-list-row', {hasText: 'model.py'});
    const badge = file.locator('.monaco-icon-label').first();
    const text = () => badge.evaluate(label => getComputedStyle(label, '::after').content);
    await expect.poll(text).toContain('█');
    await openedProfile(workbench.page, 'gpu.pt.trace.json · GPU work 930 µs/step').waitFor();
    await workbench.page.locator('.editor-actions a.codicon-flame, .editor-actions .codicon-flame').first().click();
    const rows = workbench.page.locator('.quick-input-list .monaco-list-row');
    await rows.filter({hasText: 'Profile again'}).waitFor();
    await rows.filter({hasText: 'Clear: close gpu.pt.trace.json'}).waitFor();
    await workbench.page.keyboard.press('Escape');
  });

  it('has marks in diff editors', async () => {
    await workbench.openFile('model.py');
    await workbench.command('File: Compare Active File with Saved');
    const diff = workbench.page.locator('.monaco-diff-editor');
    await diff.waitFor();
    await expect.poll(() => diff.locator('.margin .cgmr').count()).toBeGreaterThanOrEqual(4);
    await workbench.screenshot('look-diff');
    await workbench.command('View: Close Editor');
  });

  it.each(suiteThemes)('follows the theme %s', async theme => {
    await workbench.chooseTheme(theme);
    const isDark = theme === 'Dark Modern' || theme === 'Default High Contrast';
    await expect.poll(gutter).toContain(isDark ? 'heat-3-dark' : 'heat-3-light');
    await workbench.codeLenses();
    await workbench.screenshotAtRest(`look-${theme.replaceAll(' ', '-').toLowerCase()}`);
  });
});
