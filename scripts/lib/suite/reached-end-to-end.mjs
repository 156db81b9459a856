// The end-to-end tests that a change can reach: for `npm test -- --changed`.
import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {root} from '../run.mjs';
import {filesBelow, textsOf} from './test-texts.mjs';

/** What all end-to-end tests run with, and what starts them. */
const reachesAll = [
  /^(src|webview|media|l10n|skills|test\/(e2e|support|fixtures))\//,
  /^scripts\/(start\.mjs|lib\/[\w-]+\.(mjs|cjs))$/,
  /^(package(-lock|\.nls[\w.-]*)?\.json|esbuild\.mjs|\.vscodeignore)$/,
];

/** The end-to-end files that a change can reach. */
export function endToEndTestsOf(changed) {
  const all = readdirSync(join(root, 'test', 'e2e')).filter(name => /(?<!\.long)\.e2e\.ts$/.test(name));
  const reached = changed.flatMap(path => {
    if (/^test\/e2e\/[\w.-]+\.e2e\.ts$/.test(path)) return [path.slice('test/e2e/'.length)];
    if (path === 'scripts/lib/login-texts.json') return ['code-server.e2e.ts'];
    if (!reachesAll.some(pattern => pattern.test(path))) return [];
    const view = /^webview\/(?!shared\/)([\w-]+)\//.exec(path)?.[1];
    if (view === undefined) return all;
    const views = viewsWith(view);
    return all.filter(name => namesView(name, views));
  });
  return [...new Set(reached)].filter(name => all.includes(name)).map(name => `test/e2e/${name}`);
}

/** Returns a view and those that import a part of it, directly or through others, by the names of their folders. */
function viewsWith(view) {
  const views = new Set([view]);
  const paths = filesBelow('webview').filter(path => /^webview\/.+\/.+\.ts$/.test(path));
  const sources = paths.map(path => ({view: path.split('/')[1], text: readFileSync(join(root, path), 'utf8')}));
  // A set hands out what is added while it is read.
  for (const imported of views) {
    const from = new RegExp(` from '(\\.\\./)+${imported}/`);
    for (const source of sources) if (from.test(source.text)) views.add(source.view);
  }
  return [...views];
}

/** Returns whether a test names one of the views, as in "GPU Flame Graph". One test opens the page of each view. */
function namesView(name, views) {
  if (name === 'view-pages.e2e.ts') return true;
  const texts = textsOf(`test/e2e/${name}`).map(text => text.toLowerCase());
  return views.some(view => texts.some(text => text.includes(view)));
}
