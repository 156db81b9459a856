// A TypeScript program of the tests as one file that Node runs.
import esbuild from 'esbuild';
import {join} from 'node:path';
import {root} from './run.mjs';
import {scannerPlugin} from './scanner.mjs';

/** Bundles `test/<source>` into `target`, and returns that. */
export async function bundleProgram(source, target) {
  await esbuild.build({
    entryPoints: [join(root, 'test', source)],
    outfile: target,
    bundle: true,
    platform: 'node',
    target: 'node22',
    format: 'esm',
    external: ['better-sqlite3'],
    plugins: [scannerPlugin],
  });
  return target;
}
