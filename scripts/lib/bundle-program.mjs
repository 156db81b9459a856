// A TypeScript program of the tests as one file that Node runs.
import esbuild from 'esbuild';
import {dirname, join} from 'node:path';
import {root} from './run.mjs';
import {scannerPlugin} from './scanner.mjs';

const node = {bundle: true, platform: 'node', target: 'node22', external: ['better-sqlite3'], plugins: [scannerPlugin]};

/**
 * Bundles `test/<source>` into `target`, and returns that; with `scan.cjs` beside it, it reads large files in two threads.
 * What stands in for the editor's API is the file that `vscode` names.
 */
export async function bundleProgram(source, target, {withScanThread = false, vscode} = {}) {
  await esbuild.build({
    ...node,
    ...(vscode && {alias: {vscode}}),
    entryPoints: [join(root, 'test', source)],
    outfile: target,
    format: 'esm',
    banner: {js: 'const __dirname = import.meta.dirname;'},
  });
  if (withScanThread) {
    const scan = join(root, 'src', 'importers', 'kineto', 'scan-worker.ts');
    await esbuild.build({...node, entryPoints: [scan], outfile: join(dirname(target), 'scan.cjs'), format: 'cjs'});
  }
  return target;
}
