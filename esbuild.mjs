// Builds every bundle into dist/: `node esbuild.mjs [--production] [--watch]`.
import esbuild from 'esbuild';
import {existsSync, readdirSync} from 'node:fs';
import {copyFile, mkdir} from 'node:fs/promises';
import {scannerPlugin} from './scripts/lib/scanner.mjs';

const production = process.argv.includes('--production');

/** better-sqlite3 stays outside: its native binary is found from its own folder. */
const node = {
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node22',
  external: ['vscode', 'better-sqlite3'],
  plugins: [scannerPlugin],
};

const browser = {
  bundle: true,
  platform: 'browser',
  format: 'iife',
  target: 'chrome132',
  outdir: 'dist/webview',
  loader: {'.ttf': 'file'},
  assetNames: '[name]',
};

const views = readdirSync('webview').filter(folder => existsSync(`webview/${folder}/main.ts`));

const bundles = [
  {
    ...node,
    entryPoints: {
      extension: 'src/host/extension.ts',
      engine: 'src/engine/process.ts',
      sources: 'src/engine/source-worker.ts',
      scan: 'src/importers/kineto/scan-worker.ts',
      pages: 'src/importers/sqlite/page-worker.ts',
      sql: 'src/sql/process.ts',
      watch: 'src/importers/watched/watch.ts',
    },
    outdir: 'dist',
    outExtension: {'.js': '.cjs'},
  },
  {
    ...node,
    entryPoints: {mcp: 'src/cli/mcp/serve.ts'},
    outdir: 'dist',
    outExtension: {'.js': '.cjs'},
  },
  {
    ...node,
    entryPoints: {cli: 'src/cli/main.ts'},
    outdir: 'dist',
    outExtension: {'.js': '.cjs'},
    banner: {js: '#!/usr/bin/env node'},
  },
  {
    ...browser,
    // A folder with a main is a view.
    entryPoints: Object.fromEntries(views.map(view => [view, `webview/${view}/main.ts`])),
  },
].map(bundle => ({...bundle, minify: production, sourcemap: production ? false : 'linked', logLevel: 'warning'}));

/** What a bundle loads when it is needed. */
const assets = {
  'resvg.wasm': '@resvg/resvg-wasm/index_bg.wasm',
  'dejavu-mono.license.txt': '@fontsource/dejavu-mono/LICENSE',
  'dejavu-mono.woff2': '@fontsource/dejavu-mono/files/dejavu-mono-latin-400-normal.woff2',
};
await mkdir('dist', {recursive: true});
for (const [name, source] of Object.entries(assets)) await copyFile(`node_modules/${source}`, `dist/${name}`);

if (process.argv.includes('--watch')) {
  for (const bundle of bundles) await (await esbuild.context(bundle)).watch();
} else {
  await Promise.all(bundles.map(bundle => esbuild.build(bundle)));
}
