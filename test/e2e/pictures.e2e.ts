import {execFileSync} from 'node:child_process';
import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {build} from 'esbuild';
import type {Browser, Page} from 'playwright-core';
import {PNG} from 'pngjs';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {root} from '../../scripts/lib/run.mjs';
import {modelTrace} from '../support/model-trace.js';
import {temporaryFolder} from '../support/project.js';
import {compare, differenceFromKept, mostDifference} from './support/compare-pictures.js';
import {launchBrowser, waitLonger} from './support/own-browser.js';

/** What VS Code tells a webview of a theme: the class of its body, and the colours that canvases are drawn with. */
const themes: Readonly<Record<string, {className: string; colors: Readonly<Record<string, string>>}>> = {
  dark: {
    className: 'vscode-dark',
    colors: {
      foreground: '#cccccc',
      'editor-background': '#1f1f1f',
      descriptionForeground: '#9d9d9d',
      'panel-border': '#2b2b2b',
      focusBorder: '#0078d4',
      'editor-foreground': '#cccccc',
      'editorGroupHeader-tabsBackground': '#2b2b2b',
    },
  },
  light: {
    className: 'vscode-light',
    colors: {
      foreground: '#3b3b3b',
      'editor-background': '#ffffff',
      descriptionForeground: '#3b3b3b',
      'panel-border': '#e5e5e5',
      focusBorder: '#005fb8',
      'editor-foreground': '#3b3b3b',
      'editorGroupHeader-tabsBackground': '#e5e5e5',
    },
  },
  'high-contrast': {
    className: 'vscode-high-contrast',
    colors: {
      foreground: '#ffffff',
      'editor-background': '#000000',
      descriptionForeground: 'rgba(255, 255, 255, 0.7)',
      'panel-border': '#6fc3df',
      focusBorder: '#f38518',
      'editor-foreground': '#ffffff',
    },
  },
  'high-contrast-light': {
    className: 'vscode-high-contrast vscode-high-contrast-light',
    colors: {
      foreground: '#292929',
      'editor-background': '#ffffff',
      descriptionForeground: 'rgba(41, 41, 41, 0.7)',
      'panel-border': '#0f4a85',
      focusBorder: '#006bbd',
      'editor-foreground': '#292929',
    },
  },
};

/** The lines of pixels of each row in which no letter stands. */
function aboveLetters({width, height, data}: PNG): PNG {
  const [rowPx, linesPx] = [20, 3];
  const rows = Math.floor(height / rowPx);
  const lines = new PNG({width, height: rows * linesPx});
  for (let row = 0; row < rows; row++) {
    data.copy(lines.data, row * linesPx * width * 4, row * rowPx * width * 4, (row * rowPx + linesPx) * width * 4);
  }
  return lines;
}

describe('kept pictures of the canvases', () => {
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    const {outputFiles} = await build({
      entryPoints: [join(root, 'test', 'e2e', 'fixtures', 'pictures.ts')],
      bundle: true,
      write: false,
      format: 'iife',
      loader: {'.woff2': 'dataurl'},
    });
    browser = await launchBrowser();
    page = waitLonger(await browser.newPage({deviceScaleFactor: 1}));
    await page.addScriptTag({content: outputFiles[0]?.text ?? ''});
  });
  afterAll(() => browser.close());

  async function draw(picture: string, theme: string, call = `draw(${JSON.stringify(picture)})`): Promise<Buffer> {
    const {className = '', colors = {}} = themes[theme] ?? {};
    const variables = Object.entries(colors).map(([name, value]) => `--vscode-${name}: ${value}`);
    await page.evaluate(
      ([name, style]) => {
        document.body.className = name;
        document.body.style.cssText = style;
      },
      [className, [...variables, 'font-family: Reference'].join('; ')] as const,
    );
    const url = await page.evaluate<string>(call);
    return Buffer.from(url.slice(url.indexOf(',') + 1), 'base64');
  }

  for (const picture of ['timeline', 'timeline-tools', 'flame']) {
    it.each(Object.keys(themes))(`${picture} in %s is as it was kept`, async theme => {
      const name = `${picture}-${theme}`;
      const difference = differenceFromKept(name, await draw(picture, theme));
      expect(difference, `test/e2e/out/${name}.difference.png shows where`).toBeLessThanOrEqual(mostDifference);
    });
  }

  it.each(Object.keys(themes))('a flame graph saved as SVG looks in %s as the canvas does', async theme => {
    const canvas = await draw('flame-saved', theme);
    const saved = await draw('', theme, 'drawSvg()');
    const {difference} = compare(PNG.sync.read(saved), PNG.sync.read(canvas));
    expect(difference).toBeLessThanOrEqual(mostDifference / 10);
    // Another theme is seen to be another picture.
    const others = Object.keys(themes).filter(name => name !== theme);
    for (const other of others) {
      const different = compare(PNG.sync.read(saved), PNG.sync.read(await draw('flame-saved', other)));
      expect(different.difference).toBeGreaterThan(mostDifference);
    }
  });

  it('a flame graph that the command line exports as PNG looks as the browser paints its SVG', async () => {
    const folder = temporaryFolder();
    const trace = join(folder, 'model.json');
    writeFileSync(trace, modelTrace(3, 8));
    const exported = (to: string, ...options: string[]) => {
      const out = join(folder, `out.${to}`);
      const cli = join(root, 'dist', 'cli.cjs');
      execFileSync(process.execPath, [cli, 'export', trace, '--to', to, '-o', out, ...options]);
      return readFileSync(out);
    };
    const paintedByBrowser = async (svg: string) => {
      const file = join(root, 'node_modules/@fontsource/dejavu-mono/files/dejavu-mono-latin-400-normal.woff2');
      const url = `data:font/woff2;base64,${readFileSync(file).toString('base64')}`;
      const paper = waitLonger(await browser.newPage({deviceScaleFactor: 1, viewport: {width: 1200, height: 400}}));
      await paper.setContent(`<style>
        @font-face { font-family: "DejaVu Sans Mono"; src: url(${url}); }
        body { margin: 0; }
        svg { display: block; }
      </style>${svg}`);
      await paper.evaluate(() => document.fonts.ready.then(() => undefined));
      return PNG.sync.read(await paper.locator('svg').screenshot());
    };
    const pictures: PNG[] = [];
    for (const mode of ['merged', 'time']) {
      const painted = PNG.sync.read(exported('png', '--mode', mode));
      const seen = await paintedByBrowser(exported('svg', '--mode', mode).toString());
      // Edges of letters are smoothed otherwise.
      expect(compare(painted, seen).difference).toBeLessThanOrEqual(2 * mostDifference);
      expect(compare(aboveLetters(painted), aboveLetters(seen)).difference).toBeLessThanOrEqual(mostDifference / 10);
      pictures.push(painted);
    }
    const [merged, inTime] = pictures.map(aboveLetters);
    expect(merged && inTime && compare(merged, inTime).difference).toBeGreaterThan(10 * mostDifference);
  });

  it('sees what changes: another theme, another window', async () => {
    const dark = PNG.sync.read(await draw('timeline', 'dark'));
    const light = PNG.sync.read(await draw('timeline', 'light'));
    const tools = PNG.sync.read(await draw('timeline-tools', 'light'));
    expect(compare(dark, light).difference).toBeGreaterThan(mostDifference);
    expect(compare(light, tools).difference).toBeGreaterThan(mostDifference);
  });
});
