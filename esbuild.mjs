// Builds every bundle into dist/: `node esbuild.mjs [--production] [--watch]`.
import esbuild from 'esbuild';

const production = process.argv.includes('--production');

/** better-sqlite3 stays outside: its native binary is found from its own folder. */
const node = {
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node22',
  external: ['vscode', 'better-sqlite3'],
};

const bundles = [
  {
    ...node,
    entryPoints: {engine: 'src/engine/worker.ts'},
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
].map(bundle => ({...bundle, minify: production, sourcemap: production ? false : 'linked', logLevel: 'warning'}));

if (process.argv.includes('--watch')) {
  for (const bundle of bundles) await (await esbuild.context(bundle)).watch();
} else {
  await Promise.all(bundles.map(bundle => esbuild.build(bundle)));
}
