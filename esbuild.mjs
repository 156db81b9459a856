// Builds every bundle into dist/: `node esbuild.mjs [--production] [--watch]`; with --cli only those of the command
// line, with --outdir FOLDER into another folder.
import esbuild from 'esbuild';
import {existsSync, readdirSync} from 'node:fs';
import {copyFile, mkdir, readFile, rm, writeFile} from 'node:fs/promises';
import {join, relative} from 'node:path';
import {parseArgs} from 'node:util';
import {brotliCompressSync, constants} from 'node:zlib';
import {bundledPackages} from './scripts/lib/bundled-packages.mjs';
import {scannerPlugin} from './scripts/lib/scanner.mjs';
import {billOfMaterials, noticesOf, sqlitePackages} from './scripts/lib/third-party.mjs';

const {
  values: {production, watch, cli: isForCli, outdir},
} = parseArgs({
  options: {
    production: {type: 'boolean', default: false},
    watch: {type: 'boolean', default: false},
    cli: {type: 'boolean', default: false},
    outdir: {type: 'string', default: 'dist'},
  },
});

/** better-sqlite3 is not bundled: it finds its native binary relative to its own folder. */
const node = {
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node22',
  external: ['vscode', 'better-sqlite3'],
  plugins: [scannerPlugin],
  outdir,
  outExtension: {'.js': '.cjs'},
};

const browser = {
  bundle: true,
  platform: 'browser',
  format: 'iife',
  target: 'chrome132',
  outdir: join(outdir, 'webview'),
  loader: {'.ttf': 'file'},
  assetNames: '[name]',
};

const views = readdirSync('webview').filter(folder => existsSync(`webview/${folder}/main.ts`));

const ofCommandLine = [
  {
    ...node,
    entryPoints: {
      scan: 'src/importers/kineto/scan-worker.ts',
      pages: 'src/importers/sqlite/page-worker.ts',
      sql: 'src/sql/process.ts',
      watch: 'src/importers/watched/watch.ts',
      mcp: 'src/cli/mcp/serve.ts',
    },
  },
  {...node, entryPoints: {cli: 'src/cli/main.ts'}, banner: {js: '#!/usr/bin/env node'}},
];
const ofExtension = [
  {
    ...node,
    entryPoints: {
      extension: 'src/host/extension.ts',
      engine: 'src/engine/process.ts',
      sources: 'src/engine/source-worker.ts',
    },
  },
  {
    ...browser,
    // A folder with a main file is a view.
    entryPoints: {
      toolkit: 'webview/shared/toolkit.ts',
      ...Object.fromEntries(views.map(view => [view, `webview/${view}/main.ts`])),
    },
  },
];
const bundles = [...ofCommandLine, ...(isForCli ? [] : ofExtension)].map(bundle => ({
  ...bundle,
  minify: production,
  sourcemap: production ? false : 'linked',
  metafile: true,
  logLevel: 'warning',
}));

/** Files that bundles load on demand. */
const assets = {
  'dejavu-mono.license.txt': 'node_modules/@fontsource/dejavu-mono/LICENSE',
  'dejavu-mono.woff2': 'node_modules/@fontsource/dejavu-mono/files/dejavu-mono-latin-400-normal.woff2',
};
/**
 * The compressed WebAssembly for drawing PNG files: it is a fifth of a package, and Brotli makes it a quarter smaller
 * than a zip.
 */
const painter = {name: 'resvg.wasm.br', source: 'node_modules/@resvg/resvg-wasm/index_bg.wasm'};
const quality = {
  [constants.BROTLI_PARAM_QUALITY]: production ? constants.BROTLI_MAX_QUALITY : constants.BROTLI_MIN_QUALITY,
};
await mkdir(outdir, {recursive: true});
for (const [name, source] of Object.entries(assets)) await copyFile(source, join(outdir, name));
await writeFile(join(outdir, painter.name), brotliCompressSync(await readFile(painter.source), {params: quality}));

if (watch) {
  for (const bundle of bundles) await (await esbuild.context(bundle)).watch();
} else {
  const metafiles = (await Promise.all(bundles.map(bundle => esbuild.build(bundle)))).map(({metafile}) => metafile);
  const outputs = metafiles.flatMap(metafile => Object.values(metafile.outputs));
  // Inputs without bytes were read, but are not in the bundle.
  const inputs = outputs.flatMap(output =>
    Object.keys(output.inputs).filter(path => output.inputs[path].bytesInOutput > 0),
  );
  const packages = bundledPackages([...inputs, ...Object.values(assets), painter.source]);
  // The extension's package contains better-sqlite3, which npm installs beside the command line.
  const held = isForCli ? packages : [...packages, ...sqlitePackages()];
  const licenses = {
    'THIRD-PARTY-NOTICES.txt': noticesOf(held),
    'sbom.cdx.json': billOfMaterials(isForCli ? 'gpu-lens' : 'gpu-lens-vscode', held),
  };
  for (const [name, text] of Object.entries(licenses)) await writeFile(join(outdir, name), text);
  await removeAllBut([
    ...metafiles.flatMap(metafile => Object.keys(metafile.outputs).map(path => relative(outdir, path))),
    ...Object.keys(assets),
    painter.name,
    ...Object.keys(licenses),
  ]);
}

/** Removes files of an earlier build, such as a renamed bundle, which packages would otherwise contain. */
async function removeAllBut(paths) {
  const made = new Set(paths);
  const found = readdirSync(outdir, {recursive: true, withFileTypes: true}).filter(entry => entry.isFile());
  for (const entry of found) {
    const path = join(entry.parentPath, entry.name);
    if (!made.has(relative(outdir, path))) await rm(path, {force: true});
  }
}
