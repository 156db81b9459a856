import {join} from 'node:path';
import {build} from 'esbuild';
import {chromium, type Browser, type Page} from 'playwright-core';
import {PNG} from 'pngjs';
import {afterAll, beforeAll, describe, expect, inject, it} from 'vitest';
import {chromiumFlags} from '../../scripts/lib/chromium.mjs';
import {root} from '../../scripts/lib/run.mjs';
import {compare, differenceFromKept, mostDifference} from './support/compare-pictures.js';

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
    browser = await chromium.launch({executablePath: inject('chromium'), args: chromiumFlags});
    page = await browser.newPage({deviceScaleFactor: 1});
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

  it('sees what changes: another theme, another window', async () => {
    const dark = PNG.sync.read(await draw('timeline', 'dark'));
    const light = PNG.sync.read(await draw('timeline', 'light'));
    const tools = PNG.sync.read(await draw('timeline-tools', 'light'));
    expect(compare(dark, light).difference).toBeGreaterThan(mostDifference);
    expect(compare(light, tools).difference).toBeGreaterThan(mostDifference);
  });
});
