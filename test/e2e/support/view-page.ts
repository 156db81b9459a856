import {readFileSync} from 'node:fs';
import {basename, join} from 'node:path';
import type {BrowserContext, Page} from 'playwright-core';
import {expect} from 'vitest';
import {root} from '../../../scripts/lib/run.mjs';
import type {MadeView} from '../../support/made-views.js';
import {framesDrawn} from './rest.js';

const address = 'http://view.test/';
const types: Readonly<Record<string, string>> = {js: 'text/javascript', css: 'text/css', ttf: 'font/ttf'};

/** Some colours of Dark Modern, as VS Code passes them to its webviews. */
const colors = {
  foreground: '#cccccc',
  descriptionForeground: '#9d9d9d',
  focusBorder: '#0078d4',
  'editor-background': '#1f1f1f',
  'panel-border': '#2b2b2b',
  'charts-blue': '#3794ff',
  'input-background': '#313131',
  'input-foreground': '#cccccc',
  'dropdown-background': '#313131',
  'dropdown-foreground': '#cccccc',
  'list-activeSelectionBackground': '#04395e',
  'list-activeSelectionForeground': '#ffffff',
};

/** Opens the built page of a view without VS Code, and waits until it has drawn its content. */
export async function openView(context: BrowserContext, view: MadeView): Promise<Page> {
  const page = await context.newPage();
  await page.route(`${address}**`, route => {
    const name = basename(new URL(route.request().url()).pathname);
    if (name === '') return route.fulfill({contentType: 'text/html', body: pageOf(view)});
    const body = readFileSync(join(root, 'dist', 'webview', name));
    return route.fulfill({contentType: types[name.split('.').at(-1) ?? ''] ?? 'text/plain', body});
  });
  let asking = 0;
  let setReady: (value: unknown) => void = () => undefined;
  const isReady = new Promise(resolve => {
    setReady = resolve;
  });
  await page.exposeFunction('askHost', async (method: string, params: unknown) => {
    if (method === 'page/fault') throw new Error(JSON.stringify(params));
    if (method === 'view/ready') setReady(null);
    asking++;
    const answer = (await view.answers[method]?.(params as never)) ?? null;
    asking--;
    return answer;
  });
  await page.addInitScript(standInForVsCode);
  await page.goto(address);
  await isReady;
  await page.evaluate(
    ({method, params}) => {
      dispatchEvent(new MessageEvent('message', {data: {kind: 'request', id: 1, method, params}}));
    },
    {method: view.method, params: view.content},
  );
  await page.getByText(view.says).first().waitFor({state: 'attached'});
  await expect.poll(() => rests(page, () => asking)).toBe(true);
  return page;
}

/** Returns whether a page has no pending requests, and its text stays the same for some frames. */
async function rests(page: Page, asking: () => number): Promise<boolean> {
  const before = await page.locator('body').ariaSnapshot();
  await framesDrawn(page.mainFrame());
  return asking() === 0 && (await page.locator('body').ariaSnapshot()) === before;
}

/** Runs in the page: passes on its requests, and their answers. */
function standInForVsCode(): void {
  interface Message {
    readonly kind: string;
    readonly id: number;
    readonly method: string;
    readonly params: unknown;
  }
  const {askHost} = window as unknown as {askHost: (method: string, params: unknown) => Promise<unknown>};
  const tell = (data: object) => dispatchEvent(new MessageEvent('message', {data}));
  const postMessage = ({kind, id, method, params}: Message) => {
    if (kind !== 'request') return;
    askHost(method, params).then(
      result => tell({kind: 'result', id, result}),
      (error: unknown) => tell({kind: 'error', id, code: 'rpc/failed', message: String(error)}),
    );
  };
  const api = {postMessage, getState: () => undefined, setState: () => undefined};
  Object.assign(window, {acquireVsCodeApi: () => api});
}

/** Returns the page as `src/host/views/webview-html.ts` and VS Code create it. */
function pageOf({bundle, title}: MadeView): string {
  const variables = Object.entries(colors).map(([name, color]) => `--vscode-${name}: ${color};`);
  return `<!DOCTYPE html>
<html lang="en" style="${variables.join(' ')} --vscode-font-family: 'DejaVu Sans'; --vscode-font-size: 13px;">
<head><meta charset="UTF-8"><title>${title}</title><link rel="stylesheet" href="${bundle}.css"></head>
<body class="vscode-dark"><main><h1>${title}</h1></main>
<script src="toolkit.js"></script><script src="${bundle}.js"></script></body>
</html>`;
}
