import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import type {Frame} from 'playwright-core';
import {beforeAll, describe, expect, it} from 'vitest';
import {dataFolder, hasData} from '../support/real-data.js';
import {openedProfile} from './support/opened-profile.js';
import {previewOf} from './support/markdown-preview.js';
import {framesDrawn} from './support/rest.js';
import {cutOff} from './support/sight.js';
import {themeNames, themes} from './support/themes.js';
import {opensEveryTrace, Workbench} from './support/workbench.js';

/** The names in the window, and the real profiles that they are. */
const profiles = {
  'train.json.gz': 'kineto/train-resnet18-ddp-mi300.json.gz',
  'nsys.sqlite': 'nsys/power-iteration-t4.sqlite',
  'before.pt.trace.json.gz': 'compare/resnet50-workers-0.pt.trace.json.gz',
  'after.pt.trace.json.gz': 'compare/resnet50-workers-4.pt.trace.json.gz',
  'snapshot.pickle': 'memory/cs336-fp32-train-ctx128.pickle',
  'job/rank0.json.gz': 'kineto/ddp-rank-0-of-128.json.gz',
  'job/rank1.json.gz': 'kineto/ddp-rank-1-of-128.json.gz',
};
const query = `-- GPU Lens
SELECT name, kind, count(*) AS calls, sum(duration_ns) AS total_ns
FROM slices GROUP BY name, kind ORDER BY total_ns DESC;
`;
const size = {width: 1400, height: 1000};
/** The window of a screen of 1920 by 1080 pixels at 200 %. */
const zoomed = {width: 960, height: 540};

describe.skipIf(!hasData)('views of real profiles', () => {
  let workbench: Workbench;
  beforeAll(async () => {
    const files = Object.entries(profiles).map(([name, from]) => [name, readFileSync(join(dataFolder, from))] as const);
    workbench = await Workbench.start({
      files: {...Object.fromEntries(files), 'slices.sql': query},
      settings: {...opensEveryTrace, 'chat.commandCenter.enabled': false},
      size,
    });
  });

  /**
   * Pictures a view in every theme and at 200 %. Fails if a theme makes it inaccessible, or if something is cut off.
   *
   * @param frame returns its page, which VS Code may load anew
   */
  async function look(name: string, frame: () => Promise<Frame>): Promise<void> {
    for (const theme of themeNames) {
      await workbench.chooseTheme(theme, await frame());
      await workbench.screenshotAtRest(`theme-${name}-${themes[theme].webview}`);
    }
    await workbench.page.setViewportSize(zoomed);
    try {
      const shown = await frame();
      await framesDrawn(shown);
      await workbench.screenshotAtRest(`theme-${name}-zoomed`);
      expect(await shown.evaluate(cutOff)).toEqual([]);
    } finally {
      await workbench.page.setViewportSize(size);
    }
  }

  /** Pictures a page of VS Code's Markdown preview, whose own parts need not be accessible. */
  async function lookAtPage(name: string, title: string): Promise<void> {
    // A page that opens later would take the focus from the list of themes, and close it.
    await previewOf(workbench.page, title);
    for (const theme of themeNames) {
      await workbench.chooseTheme(theme);
      await previewOf(workbench.page, title);
      await workbench.screenshotAtRest(`theme-${name}-${themes[theme].webview}`);
    }
  }

  async function openProfile(path: string): Promise<void> {
    const name = path.slice(path.lastIndexOf('/') + 1);
    await workbench.openFile(name);
    await openedProfile(workbench.page, `${name} ·`).waitFor();
    await workbench.command('View: Close All Editors');
    await hidePanel();
  }

  /** The panel shows the timeline, which opens with a profile. */
  async function hidePanel(): Promise<void> {
    if (await workbench.page.locator('.part.panel').isVisible()) await workbench.command('View: Hide Panel');
  }

  /** Opens a view by a command, and returns its page once this is there. */
  async function view(title: Parameters<Workbench['webview']>[0], command: string, ready: string): Promise<Frame> {
    await workbench.command(`GPU Lens: ${command}`);
    const frame = await workbench.webview(title);
    await frame.locator(ready).first().waitFor();
    return frame;
  }

  it('are welcoming without one', async () => {
    await workbench.sideBar('GPU Lens');
    await view('GPU Summary', 'Show Summary', '.message:visible');
    await look('empty', () => workbench.webview('GPU Summary'));
    await view('GPU Benchmark', 'Show Benchmarks', '.message:visible');
    await look('benchmark-empty', () => workbench.webview('GPU Benchmark'));
  });

  it('show ranks as one job', async () => {
    await openProfile('job/rank0.json.gz');
    await view('Ranks as One Job', 'Show Ranks as One Job', '[data-testid=verdict]');
    await look('job', () => workbench.webview('Ranks as One Job'));
  });

  it('show a comparison', async () => {
    await openProfile('before.pt.trace.json.gz');
    await openProfile('after.pt.trace.json.gz');
    await workbench.command('GPU Lens: Compare Active Profile with…', 'before.pt.trace.json.gz');
    const comparison = await workbench.webview('GPU Comparison');
    await comparison.getByRole('grid').first().waitFor();
    await look('compare', () => workbench.webview('GPU Comparison'));
    await comparison.getByRole('tab', {name: 'Flame Graph'}).click();
    await look('compare-flame', () => workbench.webview('GPU Comparison'));
  });

  it('show a memory snapshot', async () => {
    await workbench.openFile('snapshot.pickle');
    const memory = await workbench.webview('GPU Memory');
    await memory.locator('[role=grid][aria-label="Live memory by line"]').waitFor();
    await look('memory', () => workbench.webview('GPU Memory'));
  });

  describe.each(['train.json.gz', 'nsys.sqlite', 'after.pt.trace.json.gz'])('of %s', profile => {
    const short = profile.slice(0, profile.indexOf('.'));

    it('sum it up', async () => {
      await openProfile(profile);
      await view('GPU Summary', 'Show Summary', 'table');
      await look(`${short}-summary`, () => workbench.webview('GPU Summary'));
    });

    it('draw a timeline', async () => {
      await workbench.command('GPU Lens: Show Timeline');
      const timeline = () => workbench.webview('GPU Timeline', 'panel');
      await (await timeline()).locator('canvas').first().waitFor();
      if (await workbench.page.locator('.part.editor .tabs-container').isVisible())
        await workbench.command('View: Toggle Maximized Panel');
      await look(`${short}-timeline`, timeline);
      await hidePanel();
    });

    it('draw a flame graph', async () => {
      await view('GPU Flame Graph', 'Show Flame Graph', 'canvas');
      await look(`${short}-flame`, () => workbench.webview('GPU Flame Graph'));
    });

    it('list rows', async () => {
      await view('GPU Tables', 'Show Tables', '.body .row');
      await look(`${short}-tables`, () => workbench.webview('GPU Tables'));
    });

    it('compare it with the hardware', async () => {
      await view('Roofline and Estimate', 'Show Roofline and Estimate', '.chart:visible, .message:visible');
      await look(`${short}-roofline`, () => workbench.webview('Roofline and Estimate'));
    });

    it('tell findings and predictions', async () => {
      await workbench.command('GPU Lens: Show Findings');
      await lookAtPage(`${short}-findings`, `Findings in ${profile}`);
      await workbench.command('GPU Lens: What If…');
      await lookAtPage(`${short}-what-if`, `What if? ${profile}`);
    });

    it('answer a query', async () => {
      await workbench.openFile('slices.sql');
      await workbench.codeLenses();
      await workbench.clickCodeLens(`Run on ${profile}`);
      const results = await workbench.webview('Query Results');
      await results.locator('.body .row').first().waitFor();
      await look(`${short}-query`, () => workbench.webview('Query Results'));
    });
  });
});
