import {JSDOM} from 'jsdom';
import {afterEach, beforeEach, expect, it, vi} from 'vitest';
import {Uri} from '../../support/vscode-stand-in.js';

let translations: Record<string, string> | undefined;
vi.mock('vscode', async () => ({
  ...(await import('../../support/vscode-stand-in.js')),
  env: {language: 'zh-cn'},
  l10n: {
    get bundle() {
      return translations;
    },
  },
}));
const {webviewHtml} = await import('../../../src/host/views/webview-html.js');

beforeEach(() => {
  vi.resetModules();
});
afterEach(() => {
  vi.unstubAllGlobals();
});

/** The page of a view as a browser reads it. Its scripts do not run. */
function page(): Document {
  const webview = {asWebviewUri: (uri: unknown) => uri, cspSource: 'https://own.test'};
  const html = webviewHtml(webview as never, Uri.file('/extension') as never, 'timeline', 'GPU Timeline');
  return new JSDOM(html).window.document;
}

/** What a view in a page says, whose modules are loaded then. */
async function textsIn(document: Document) {
  vi.stubGlobal('document', document);
  return await import('../../../webview/shared/translate.js');
}

it('webviewHtml(…) is an English page without translations where the editor has none', async () => {
  translations = undefined;
  const made = page();
  expect(made.documentElement.lang).toBe('en');
  expect(made.querySelectorAll('script:not([src])')).toHaveLength(0);
  const {counted, t} = await textsIn(made);
  expect(t('{1} of {0}, {2}', 'a', 2)).toBe('2 of a, {2}');
  expect([0, 1, 1234].map(count => counted(count, '{0} row', '{0} rows'))).toEqual(['0 rows', '1 row', '1,234 rows']);
});

it('webviewHtml(…) hands translations to the page as data, which they cannot leave', async () => {
  const hostile = '</script><img src=x onerror=alert(1)><!--<script>';
  translations = {'Zoom to {0}': '缩放到 {0}', Close: hostile};
  const made = page();
  expect(made.documentElement.lang).toBe('zh-cn');
  expect(made.querySelector('img')).toBeNull();
  expect(made.querySelectorAll('script:not([src])')).toHaveLength(1);
  expect(made.querySelector('#translations')?.getAttribute('type')).toBe('application/json');

  const {t} = await textsIn(made);
  expect(t('Close')).toBe(hostile);
  // A value is text: what looks like a field or a text of ours in it stays.
  expect(t('Zoom to {0}', '{0} Close $&')).toBe('缩放到 {0} Close $&');
  expect(t('constructor')).toBe('constructor');
});
